/** The policy for a model that can choose tool calls but is too small to talk. `src/ember` implements it, but is optional. */
import type { CallStep } from './turn';
import type { AssistantMessage, Message, PlainCall, ToolCall } from './message';
import type { ChatModel, ModelSpec } from './model';
import type { ApprovalAnswer, ApprovalRequest, ReadingAnswer, ReadingQuestion } from './permission';
import type { ModelStage } from './pipeline';
import type { Origin } from './origin';
import type { Tool } from './tool';

export interface SmallModelPolicy {
  appliesTo: (spec: ModelSpec) => boolean;
  /** Preloads the data that `before` needs, so the first question does not wait for it. */
  prepare: () => Promise<void>;
  /** Decides whether the page replies or dictates the calls. Undefined: the model decides. */
  before: (question: SmallModelQuestion) => Promise<PageDecision | undefined>;
  /** Creates the first pipeline stage of a chat. The stage is active while the policy applies to the current model. */
  stage: (turn: SmallModelTurn, calls: readonly PlainCall[] | undefined) => ModelStage;
  /** Creates the first stage of a sub-agent. If the model is unsure, it does not ask, because no user watches a sub-agent. */
  agentStage: (turn: SmallModelAgentTurn) => ModelStage;
  /** Creates the stage in which the small model calls the tools for a larger model. */
  handsStage: (turn: HandsTurn) => ModelStage;
  /** Writes the results at the end of `history` as an answer, for any model. `language` is used if the history has no letters. */
  tellResults: (history: readonly Message[], language: PageLanguage) => string | undefined;
}

/** The page replies itself, or dictates the calls that the model writes. */
export type PageDecision = { reply: AssistantMessage } | { calls: readonly PlainCall[] };

export type CreateSmallModelPolicy = (parts: SmallModelPolicyOptions) => SmallModelPolicy;

export interface SmallModelPolicyOptions {
  /** Loads the place names of the clock tool. Resolves to a function that checks whether a name is one of them. */
  loadPlaces: () => Promise<(name: string) => boolean>;
}

export type PageLanguage = 'en' | 'zh';

export interface PageReplyContext {
  modelName: string;
  tools: readonly Tool[];
  /** The app's language, used if a message has no letters. */
  language: PageLanguage;
}

export interface SmallModelQuestion extends PageReplyContext {
  history: readonly Message[];
  /** Resolves to the tools with examples that may fit the question. */
  nearTools: () => Promise<readonly Tool[]>;
  /** True if the page may answer by itself. False if a replayed turn already has replies: then the page may only dictate calls. */
  mayReply: boolean;
  signal: AbortSignal;
}

export interface SmallModelTurn extends PageReplyContext, SmallModelAgentTurn {
  chatId: string;
  hasToolsOff: boolean;
  /** As in `SmallModelQuestion`. Only set if `before` was not called because a larger model was to answer. */
  nearTools?: SmallModelQuestion['nearTools'] | undefined;
  promptOrigins: readonly Origin[];
  questions: ReadingChooser;
  permissions: {
    /** Resolves to the permission question that the call would cause, or to undefined if it would cause none. */
    preview: (call: ToolCall, step: CallStep) => Promise<ApprovalRequest | undefined>;
    /** Stores the answer to a question from `preview`, before the call runs. */
    answerAhead: (request: ApprovalRequest, answer: ApprovalAnswer) => void;
  };
  newId: () => string;
}

export interface SmallModelAgentTurn {
  /** The current model, which a fallback may replace within a turn. */
  answering: () => ModelSpec;
  tools: readonly Tool[];
  questions: Pick<ReadingChooser, 'isAsking'>;
}

/** A turn in which the small model calls the tools, and a larger model writes the words. */
export interface HandsTurn extends PageReplyContext, Pick<SmallModelTurn, 'questions'> {
  /** False while the current model calls tools itself. */
  isActive: () => boolean;
  hands: ChatModel;
  handsSpec: ModelSpec;
  /** The personas that can be asked as tools. */
  agents: readonly Tool[];
  newId: () => string;
  /** The calls from `before`. */
  calls: readonly PlainCall[] | undefined;
  hasPersona: boolean;
  /** False for a model so small that the page answers greetings in its place. */
  canTalk: boolean;
}

export interface ReadingChooser {
  isAsking: () => boolean;
  /** Lets the user choose a reading (interpretation) of a request. Resolves to its index, or undefined for none. Rejects when `signal` aborts. */
  choose: (choice: ReadingChoice, signal: AbortSignal) => Promise<number | undefined>;
  /** Like `choose`, but the same question also asks for permission to run the call. */
  chooseAndAllow: (question: ReadingQuestion, signal: AbortSignal) => Promise<ReadingAnswer>;
}

export interface ShownReading {
  calls: readonly ToolCall[];
  /** The result of each call as text, in the order of the calls. Undefined for a call that did not run. */
  results: readonly (string | undefined)[];
}

export interface ReadingChoice {
  chatId: string;
  readings: readonly ShownReading[];
}
