/** What a turn tells the screen, the store and the trace. */
import type { AssistantMessage, ToolCall, ToolMessage, ToolResult } from './message';
import type { ModelEvent, Usage } from './model';
import type { RecoveryStep } from './recovery';
import { z } from './schema';

/** Why a turn is over. */
export const TurnEnd = z.enum([
  'answered',
  'stopped',
  'failed',
  // The reply reached the model's limit; it can be continued.
  'cut-off',
  // The reply repeated itself and was ended.
  'looped',
  'invalid-call',
  'round-limit',
  'call-limit',
]);
export type TurnEnd = z.infer<typeof TurnEnd>;

export type AgentEvent =
  // The turn.
  | { type: 'turn-start' }
  /** Whole and final: store it. */
  | {
      type: 'message-end';
      message: AssistantMessage | ToolMessage;
      usage?: Usage | undefined;
      prompt?: string | undefined;
      /** What the page itself did in the model's place. */
      by?: 'page';
    }
  | { type: 'notice'; code: 'second-chance' | 'tool-off' | 'searched-first' | 'words-only' }
  /** The model could not go on, and this was done: the turn goes on. */
  | { type: 'recovery'; step: RecoveryStep }
  | { type: 'turn-end'; reason: TurnEnd }
  // The reply being written.
  | Exclude<ModelEvent, { type: 'finish' }>
  // The tools at work.
  | { type: 'tool-approval-request'; call: ToolCall }
  | { type: 'tool-start'; call: ToolCall }
  | { type: 'tool-progress'; toolCallId: string; text: string }
  | { type: 'tool-result'; result: ToolResult };
