/**
 * The policy for a model so small that it can choose a tool call but cannot talk: the page answers small talk, reads plain requests,
 * and asks the user where the model is unsure. The turn asks the policy at fixed points and never looks at the model itself.
 * `src/ember` implements it; a build without that folder has no policy.
 */
import type { CallStep } from './turn';
import type { AssistantMessage, Message, ToolCall } from './message';
import type { ModelSpec } from './model';
import type { ApprovalAnswer, ApprovalRequest, ReadingAnswer, ReadingQuestion } from './permission';
import type { ModelStage } from './pipeline';
import type { Tool } from './tool';

export interface SmallModelPolicy {
  /** Whether this model needs the policy. */
  appliesTo: (spec: ModelSpec) => boolean;
  /** Loads what `before` reads requests with, so that the first question does not wait for it. */
  prepare: () => Promise<void>;
  /** Decides what the page does with the newest question before the model sees it. Undefined: the model decides. */
  before: (question: SmallModelQuestion) => Promise<PageDecision | undefined>;
  /** The first stage of a chat. It is active while the policy applies to the model that answers. */
  stage: (turn: SmallModelTurn, calls: readonly PlainCall[] | undefined) => ModelStage;
  /** The first stage of a sub-agent, which no user watches: it settles doubtful calls without asking. */
  agentStage: (turn: SmallModelAgentTurn) => ModelStage;
}

/** Makes the policy. `src/ember` exports one. */
export type CreateSmallModelPolicy = (parts: SmallModelParts) => SmallModelPolicy;

export interface SmallModelParts {
  /** Loads the table of places. The loaded function tells whether a name is in the table. */
  loadPlaces: () => Promise<(name: string) => boolean>;
}

/** The page replies itself, or it dictates these calls to the model. */
export type PageDecision = { reply: AssistantMessage } | { calls: readonly PlainCall[] };

export type PlainCall = Pick<ToolCall, 'name' | 'arguments'>;

/** The language that the page speaks in the model's place. */
export type PageLanguage = 'en' | 'zh';

/** How the page refers to the model. */
export interface SmallModelVoice {
  /** The name that the user sees. */
  modelName: string;
  /** The tools that are on in the chat. */
  tools: readonly Tool[];
  /** The language of the screen, for a message without letters. */
  language: PageLanguage;
}

export interface SmallModelQuestion extends SmallModelVoice {
  history: readonly Message[];
  /** The tools whose examples may fit the question. Only called if they are needed. */
  nearTools: () => Promise<readonly Tool[]>;
  /** False in a replayed turn, which already has replies: then only calls are read. */
  mayReply: boolean;
  signal: AbortSignal;
}

export interface SmallModelTurn extends SmallModelVoice, SmallModelAgentTurn {
  chatId: string;
  /** Some tools that could be on in the chat are off. */
  hasToolsOff: boolean;
  questions: ReadingQuestions;
  permissions: CallPreview;
  newId: () => string;
}

export interface SmallModelAgentTurn {
  /** The model that answers at this moment: a fallback may replace it within a turn. */
  answering: () => ModelSpec;
  tools: readonly Tool[];
  questions: Pick<ReadingQuestions, 'isAsking'>;
}

/** How the user is asked which reading of a request is meant. */
export interface ReadingQuestions {
  /** Whether the user wants to be asked. */
  isAsking: () => boolean;
  /** Shows the readings in the reply. Resolves to the index of the chosen one, or undefined for none. Rejects when `signal` aborts. */
  choose: (choice: ReadingChoice, signal: AbortSignal) => Promise<number | undefined>;
  /** Like `choose`, in one question with the permission to run the call. */
  chooseAndAllow: (question: ReadingQuestion, signal: AbortSignal) => Promise<ReadingAnswer>;
}

export interface ReadingChoice {
  chatId: string;
  readings: readonly {
    calls: readonly ToolCall[];
    /** The result of each call as text, in the order of the calls. Undefined for a call that was not tried. */
    results: readonly (string | undefined)[];
  }[];
}

/** The permission rules of a turn, asked before a call is made. */
export interface CallPreview {
  /** The question that the call would raise. Undefined if it would run without one. */
  preview: (call: ToolCall, step: CallStep) => Promise<ApprovalRequest | undefined>;
  /** Records the answer to a question that `preview` returned. */
  answerAhead: (request: ApprovalRequest, answer: ApprovalAnswer) => void;
}
