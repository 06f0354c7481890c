/** One turn: its events, limits, interceptors around tool calls, and replays. */
import type { AssistantMessage, Message, ToolCall, ToolMessage, ToolResult, UserMessage } from './message';
import type { ModelEvent, RoundRecord, Usage } from './model';
import type { ModelName, RecoveryStep } from './model-library';
import type { Origin } from './origin';
import { z } from './schema';
import type { Tool, ToolEffects, ToolOffer, ToolOutput } from './tool';
import type { ToolFailure } from './tool-failure';

export const TurnEnd = z.enum([
  'answered',
  'stopped',
  'failed',
  // The reply reached the token limit. The user can continue it.
  'cut-off',
  'looped',
  'invalid-call',
  'round-limit',
  'call-limit',
  // The user asked to send a queued message now, so Hearth ended this turn.
  'steered',
]);
export type TurnEnd = z.infer<typeof TurnEnd>;

export interface AgentInfo {
  title: string;
  /** The persona's own model. Absent if it has none, or if the chat already uses that model. */
  model?: ModelName | undefined;
  /** The model that answers, if it is not the chat's. Only a persona's model on a server can answer instead of the chat's. */
  answeredBy?: ModelName | undefined;
}

/** A message to a sub-agent: the request in the call's arguments, or our request to correct an answer that does not match the schema. */
export interface AgentRequest {
  type: 'agent-request';
  message: UserMessage;
}

export type AgentEvent =
  | { type: 'turn-start'; promptOrigins: readonly Origin[] }
  | {
      type: 'message-end';
      message: AssistantMessage | ToolMessage;
      usage?: Usage | undefined;
      prompt?: string | undefined;
      round?: RoundRecord | undefined;
      /** Set if the page wrote the message in the model's place. */
      by?: 'page';
    }
  | { type: 'notice'; code: 'second-chance' | 'tool-off' | 'searched-first' | 'words-only' }
  /** Discard the reply so far: it only repeats calls that already have results. No `message-end` follows. */
  | { type: 'reply-dropped' }
  | { type: 'recovery'; step: RecoveryStep }
  | { type: 'turn-end'; reason: TurnEnd }
  | Exclude<ModelEvent, { type: 'finish' }>
  | { type: 'tool-approval-request'; call: ToolCall }
  | { type: 'tool-start'; call: ToolCall }
  | { type: 'tool-progress'; toolCallId: string; text: string }
  /** A sub-agent starts or resumes. Its events follow as `agent-event`. */
  | { type: 'agent-start'; toolCallId: string; agent: AgentInfo }
  | { type: 'agent-event'; toolCallId: string; event: AgentEvent | AgentRequest }
  | { type: 'tool-result'; result: ToolResult };

export type AgentLimits = typeof defaultAgentLimits;

export const defaultAgentLimits = {
  rounds: 8,
  calls: 16,
  /** Maximum milliseconds of one call. Each progress report restarts this time. */
  callMs: 30_000,
  /** Maximum total milliseconds of one call. */
  longestCallMs: 300_000,
  secondChances: 2,
  resultCharacters: 8_000,
};

export interface CallContext {
  signal: AbortSignal;
  emit: (event: AgentEvent) => void;
  /** The conversation before the reply with the call. All calls of a reply get the same array. */
  messages: readonly Message[];
  /** Texts of strangers that are in the prompt besides the messages, such as descriptions of a server's tools. */
  promptOrigins: readonly Origin[];
  /** Titles of the sub-agents that make the call, outermost first. Absent if the chat's own model makes the call. */
  path?: readonly string[] | undefined;
}

export interface CallStep extends CallContext {
  /** The tool that the model called. The agent loop has already rejected calls to tools that were not offered. */
  tool: Tool;
  effects: ToolEffects;
}

/**
 * Runs code before and after each tool call. `before` runs in the order of the interceptors, then the tool runs, then `after` runs in
 * reverse order. If `before` blocks or answers the call, the later interceptors and the tool do not run. An error becomes the result of
 * the call. `app/turn-tools.ts` and `app/run-turn.ts` list the interceptors of a chat.
 */
export interface Interceptor {
  /** `block`: a message for the model. `permission`: the decision that blocked the call. `answer` replaces the tool's output. */
  before?(
    call: ToolCall,
    step: CallStep,
  ): Promise<
    | 'go'
    | { block: string; failure?: ToolFailure; permission?: ToolResult['permission'] }
    | { answer: ToolOutput }
  >;
  /** Gets the output of the tool or of a later interceptor, even an error. Resolves to the output to pass on. */
  after?(call: ToolCall, output: ToolOutput, step: CallStep): Promise<ToolOutput>;
}

export interface ToolBox {
  tools: readonly Tool[];
  /** The tools that the page itself calls. A tool of the same name in `tools` never gets these calls. */
  pageTools?: readonly Tool[] | undefined;
  interceptors: readonly Interceptor[];
}

export interface TurnReplay {
  /** Number of messages at the end of the history that were copied from the recorded turn. The new turn continues after them. */
  taken: number;
  /** Number of `taken` messages that the page wrote before it asked a model. */
  beforeModel: number;
  /** The recorded turn, starting with its first reply. */
  recorded: readonly Message[];
  byAgents: readonly Message[];
  /** The tools that the recorded turn's model saw. Undefined if it saw all. */
  toolOffer: ToolOffer | undefined;
  /** Present if the user replays a step of a sub-agent: the call to that sub-agent, still without a result, and the replay of its own turn. */
  agent?: { callId: string; replay: TurnReplay } | undefined;
}
