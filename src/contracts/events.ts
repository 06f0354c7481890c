/** What a turn tells the screen, the store and the trace. */
import type { AssistantMessage, ToolCall, ToolMessage, ToolResult, UserMessage } from './message';
import type { ModelEvent, Usage } from './model';
import type { ModelName } from './model-name';
import type { RecoveryStep } from './recovery';
import type { RoundRecord } from './round';
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
  // Between two rounds, because the person has something to add: it is asked next.
  'steered',
]);
export type TurnEnd = z.infer<typeof TurnEnd>;

/** What is known of a sub-agent when it begins. */
export interface AgentInfo {
  /** As shown to a person. */
  title: string;
  /** The model that its persona names; missing where it names none, or the one that is running. */
  model?: ModelName | undefined;
  /** That model, where it answers itself: on a server. Missing where the one that is running answers, as none is loaded for it. */
  answeredBy?: ModelName | undefined;
}

/** What a sub-agent is asked: by the call, or to write its answer again as the schema wants it. */
export interface AgentRequest {
  type: 'agent-request';
  message: UserMessage;
}

export type AgentEvent =
  // The turn.
  | { type: 'turn-start' }
  /** Whole and final: store it. */
  | {
      type: 'message-end';
      message: AssistantMessage | ToolMessage;
      usage?: Usage | undefined;
      prompt?: string | undefined;
      /** Missing for what no model was asked for. */
      round?: RoundRecord | undefined;
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
  /** A sub-agent begins, or goes on where it was interrupted: what it does comes as `agent-event`. */
  | { type: 'agent-start'; toolCallId: string; agent: AgentInfo }
  | { type: 'agent-event'; toolCallId: string; event: AgentEvent | AgentRequest }
  | { type: 'tool-result'; result: ToolResult };
