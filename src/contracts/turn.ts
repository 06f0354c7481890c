import type {
  AssistantMessage,
  CallPermission,
  Message,
  ToolCall,
  ToolMessage,
  ToolResult,
  UserMessage,
} from './message';
import type { ModelEvent, RoundRecord, Usage } from './model';
import type { ModelName, RecoveryStep } from './model-library';
import { z } from './schema';
import type { Tool, ToolEffects, ToolOffer, ToolOutput } from './tool';
import type { ToolFailure } from './tool-failure';

/** What a turn tells the screen, the store and the trace. */

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

/** What one turn may take. Each limit ends in a sentence the person can read. */
export interface Limits {
  /** How often the model is asked in a turn. */
  rounds: number;
  /** Tool calls in a turn. */
  calls: number;
  /** Milliseconds for one call, from its start or from the last that it said of its progress. */
  callMs: number;
  /** Milliseconds for one call, however often it says that it goes on. */
  longestCallMs: number;
  /** Times in a turn that an invalid call is asked for again. */
  secondChances: number;
  /** Characters of one tool result. */
  resultCharacters: number;
}

export const defaultLimits: Limits = {
  rounds: 8,
  calls: 16,
  callMs: 30_000,
  longestCallMs: 300_000,
  secondChances: 2,
  resultCharacters: 8_000,
};

/** What stands around every call: the limits of a turn, permission, cache, statistics. Policy lives here, never in the loop. */

/** What all calls of one reply have in common. */
export interface CallContext {
  /** Aborts when the person stops the turn. */
  signal: AbortSignal;
  /** Tells the screen what happens around a call, for example that the person is being asked. */
  emit: (event: AgentEvent) => void;
  /** The conversation the call was made in, without the reply that makes it. The same list for all calls of a reply. */
  messages: readonly Message[];
  /** Who makes the call, from the outermost sub-agent on, as shown to a person. Missing where the chat itself does. */
  path?: readonly string[] | undefined;
}

/** One call on its way to its tool. Looked up once, when the model has written the call, for all who handle it. */
export interface CallStep extends CallContext {
  /** The tool that is called. A call of a tool that is not offered reaches no interceptor: the loop answers it. */
  tool: Tool;
  /** What the call would touch: `tool.effects` of its arguments. */
  effects: ToolEffects;
}

/**
 * Stands around the calls of a turn. The first of a list is the outermost: `before` runs from the first to the last, then
 * the tool, then `after` from the last to the first.
 *
 * A `before` that blocks or answers a call ends its way in: neither the tool nor an interceptor further in sees the call,
 * and `after` runs only for those that had let it pass. What an interceptor throws becomes the result of the call, as an
 * error; the turn goes on.
 *
 * In a chat the order is: the limits of the turn (`agent/turn-guard.ts`), whether the call could get out at all,
 * permission, cache, statistics (`app/call-rules.ts`), and what answers the calls of sub-agents (`agent/sub-agents.ts`). So what
 * is not allowed reaches none of the last three.
 */
export interface Interceptor {
  /** `block` is a sentence for the model, with who blocked the call where that is a matter of permission; `answer` stands for what the tool would have given. */
  before?(
    call: ToolCall,
    step: CallStep,
  ): Promise<
    'go' | { block: string; failure?: ToolFailure; permission?: CallPermission } | { answer: ToolOutput }
  >;
  /** Gets the output of the tool, or of an interceptor further in, failures too; resolves to what is passed on outwards. */
  after?(call: ToolCall, output: ToolOutput, step: CallStep): Promise<ToolOutput>;
}

/** What a turn runs calls with: the tools it offers, and the interceptors around them, outermost first. */
export interface ToolBox {
  tools: readonly Tool[];
  interceptors: readonly Interceptor[];
}

/** A turn that is run once more from some point of it on: what is known of how it went. */

export interface TurnReplay {
  /** So many messages at the end of the history are taken from the record, as they were or changed: the turn goes on after them. */
  taken: number;
  /** Of them, how many the page had written before it asked a model. */
  beforeModel: number;
  /** The turn as it was, from its first reply on. */
  recorded: readonly Message[];
  /** What sub-agents had said and done in it. */
  byAgents: readonly Message[];
  /** What its model had been shown; undefined where that was all tools that were on. */
  toolOffer: ToolOffer | undefined;
  /** A sub-agent that goes on from some point of its own turn: the call that asks it, which is not answered yet. */
  agent?: { callId: string; replay: TurnReplay } | undefined;
}
