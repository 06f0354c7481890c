/**
 * The policy for a model so small that it can choose a tool call but cannot talk: the page answers small talk, interprets plain requests,
 * and asks the user where the model is unsure. The turn asks the policy at fixed points and never looks at the model itself. `src/ember`
 * implements it; a build without that folder has no policy.
 */
import type { CallStep } from './turn';
import type { AssistantMessage, Message, ToolCall } from './message';
import type { ModelSpec } from './model';
import type { ApprovalAnswer, ApprovalRequest, ReadingAnswer, ReadingQuestion } from './permission';
import type { ModelStage } from './pipeline';
import type { Tool } from './tool';

export interface SmallModelPolicy {
  appliesTo: (spec: ModelSpec) => boolean;
  /** Preloads the data that `before` needs, so the first question does not wait for it. */
  prepare: () => Promise<void>;
  /** Decides whether the page replies itself or dictates calls to the model. Undefined: the model decides. */
  before: (
    question: SmallModelQuestion,
  ) => Promise<{ reply: AssistantMessage } | { calls: readonly PlainCall[] } | undefined>;
  /** The first stage of a chat. It is active while the policy applies to the answering model. */
  stage: (turn: SmallModelTurn, calls: readonly PlainCall[] | undefined) => ModelStage;
  /** The first stage of a sub-agent. No user watches a sub-agent, so the stage settles doubtful calls without asking. */
  agentStage: (turn: SmallModelAgentTurn) => ModelStage;
}

/** Creates the policy. `src/ember` exports a function of this type. */
export type CreateSmallModelPolicy = (parts: SmallModelParts) => SmallModelPolicy;

export interface SmallModelParts {
  /** Loads the table of places. Resolves to a function that checks whether a name is in the table. */
  loadPlaces: () => Promise<(name: string) => boolean>;
}

export type PlainCall = Pick<ToolCall, 'name' | 'arguments'>;

/** The language of replies that the page writes in the model's place. */
export type PageLanguage = 'en' | 'zh';

/** The facts that the page needs for replying in the model's place. */
export interface SmallModelVoice {
  modelName: string;
  tools: readonly Tool[];
  /** The app's language, used if a message has no letters. */
  language: PageLanguage;
}

export interface SmallModelQuestion extends SmallModelVoice {
  history: readonly Message[];
  /** Resolves to the tools whose examples may fit the question. */
  nearTools: () => Promise<readonly Tool[]>;
  /** False in a replayed turn that already has replies. The page then only looks for calls. */
  mayReply: boolean;
  signal: AbortSignal;
}

export interface SmallModelTurn extends SmallModelVoice, SmallModelAgentTurn {
  chatId: string;
  hasToolsOff: boolean;
  questions: ReadingQuestions;
  /** Predicts the permission question of a call that is not made yet. */
  permissions: {
    /** Resolves to the question that the call would raise, or to undefined if it would run without one. */
    preview: (call: ToolCall, step: CallStep) => Promise<ApprovalRequest | undefined>;
    /** Records the answer to a question that `preview` returned. */
    answerAhead: (request: ApprovalRequest, answer: ApprovalAnswer) => void;
  };
  newId: () => string;
}

export interface SmallModelAgentTurn {
  /** The model that answers now; a fallback may replace it within a turn. */
  answering: () => ModelSpec;
  tools: readonly Tool[];
  questions: Pick<ReadingQuestions, 'isAsking'>;
}

/** Asks the user which reading of a request is meant. */
export interface ReadingQuestions {
  /** Whether the user's settings allow asking. */
  isAsking: () => boolean;
  /** Shows the readings in the reply. Resolves to the index of the chosen one, or undefined for none. Rejects when `signal` aborts. */
  choose: (choice: ReadingChoice, signal: AbortSignal) => Promise<number | undefined>;
  /** Like `choose`, in one question with the permission to run the call. */
  chooseAndAllow: (question: ReadingQuestion, signal: AbortSignal) => Promise<ReadingAnswer>;
}

export interface ShownReading {
  calls: readonly ToolCall[];
  /** The result of each call as text, in the order of the calls. Undefined for a call that was not tried. */
  results: readonly (string | undefined)[];
}

export interface ReadingChoice {
  chatId: string;
  readings: readonly ShownReading[];
}
