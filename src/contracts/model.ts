import type { AppError } from './app-error';
import {
  AssistantMessage,
  BranchSummary,
  ImagePart,
  InvalidToolCall,
  Message,
  Summary,
  type TextPart,
  ToolCall,
} from './message';
import { JsonSchema, z } from './schema';
import { ToolOffer, ToolSpec } from './tool';

/** What the loop talks to, what a backend must be, and what a model's catalog entry says. */

/** Why a round prefilled more tokens than were new to the engine. */
const PrefillReason = z.discriminatedUnion('code', [
  z.object({
    code: z.enum([
      'loaded',
      'other-chat',
      'start-dropped',
      'summed-up',
      'stopped',
      'cut-off',
      'system',
      'agent',
    ]),
  }),
  /** `message`: the first one that is not what the engine holds, counted from 1; `of`: how many there are. */
  z.object({ code: z.literal('history'), message: z.number(), of: z.number() }),
  z.object({ code: z.literal('several-new'), messages: z.number() }),
  /** Nothing that is known explains it: tokens that were prefilled, and those of them that are new. */
  z.object({ code: z.literal('excess'), prefilled: z.number(), fresh: z.number() }),
]);
export type PrefillReason = z.infer<typeof PrefillReason>;

const Sampling = z.object({
  /** 0 takes the likeliest token each time. */
  temperature: z.number(),
  /** Of how many of the likeliest tokens one is taken. Missing: of all. */
  topK: z.optional(z.number()),
  /** The likeliest tokens that have this probability together, 0 to 1, are taken from. Missing: all. */
  topP: z.optional(z.number()),
  /** Missing: chance. */
  seed: z.optional(z.number()),
});
export type Sampling = z.infer<typeof Sampling>;

/** What one reply cost. */
export const Usage = z.object({
  /** Tokens of the whole prompt. */
  promptTokens: z.number(),
  /** Tokens of the prompt that the engine had to read: they were not in its KV cache. */
  prefilledTokens: z.number(),
  /** Tokens that were written, those of calls and thinking included. */
  outputTokens: z.number(),
  /**
   * What the text was constrained to: one call; prose; prose and calls with texts from the chat; to the letter what the page had
   * read in the request or the results; or JSON of the form that was asked for. Missing: it was free.
   */
  heldTo: z.catch(z.optional(z.enum(['call', 'prose', 'offered', 'dictated', 'answer'])), undefined),
  /** Missing where no token was prefilled needlessly, and where another version wrote a code that is not known here. */
  prefillReason: z.catch(z.optional(PrefillReason), undefined),
  /** How the tokens were chosen. Missing in chats of an older version. */
  sampling: z.catch(z.optional(Sampling), undefined),
  /**
   * How sure the model was: the sum of the natural logarithms of the probabilities of the tokens it chose, before any grammar; 0 is
   * certain. Over the part that decides: all of a reply that makes calls; of one in words, that it begins without one. Missing where
   * the engine cannot tell, and where nothing was written.
   */
  logProbability: z.optional(z.number()),
  /** Milliseconds until the first token. Missing where none came. */
  firstTokenMs: z.optional(z.number()),
  /** Milliseconds from the first token to the last. Missing where none came. */
  decodeMs: z.optional(z.number()),
});
export type Usage = z.infer<typeof Usage>;

/** The text before and after a message of a role. Applied by the engine; no part of it may come from a message. */
const RoleTemplate = z.object({ before: z.string(), after: z.string() });
export const ChatTemplate = z.object({
  system: RoleTemplate,
  user: RoleTemplate,
  assistant: RoleTemplate,
  tool: RoleTemplate,
  /** Generation ends at these; they are not part of the reply. */
  stop: z.array(z.string()),
});
export type ChatTemplate = z.infer<typeof ChatTemplate>;

/** How the prompt of a model teaches tools, where what it does by itself is too much or too little. */
export const Teaching = z.object({
  /** Shown before those that the tools bring along; only while their tool is offered. */
  examples: z.optional(
    z.array(
      z.object({ tool: z.string(), request: z.string(), arguments: z.record(z.string(), z.unknown()) }),
    ),
  ),
  /** A small model needs to see calls, a large one only pays for them: 3 where it is not said. */
  mostExamples: z.optional(z.number()),
});
export type Teaching = z.infer<typeof Teaching>;

/** What WebLLM is told of a model: where its files are found, and what is other than the files say. */
export const MlcRecord = z.object({
  /** The folder of its weights, as web-llm takes it; the library that was compiled for it. Absolute. */
  modelUrl: z.string(),
  libraryUrl: z.string(),
  /** Over the model's own `mlc-chat-config.json`. With a `conv_config` in it, that is the conversation, and `template` is not. */
  overrides: z.record(z.string(), z.unknown()),
});
export type MlcRecord = z.infer<typeof MlcRecord>;

/** What to load, in which engine, and how it was trained to be spoken to: one entry of the catalog. */
export const ModelSpec = z.object({
  /** Unique in the catalog; a chat remembers it. */
  id: z.string(),
  /** As shown to a person. */
  name: z.string(),
  /** Id of an engine of `engines/registry.ts`. */
  engine: z.string(),
  /** A file of our own origin, relative to the page, and its size in bytes. For WebLLM: the folder, and its size about. For an endpoint: its address. */
  file: z.object({ path: z.string(), bytes: z.number() }),
  /** For WebLLM; missing for every other engine. */
  mlc: z.optional(MlcRecord),
  /** How the server calls it; missing for a model that no server answers with. */
  served: z.optional(z.string()),
  /** Id of the tool-call format it was trained on, which also renders prompt and results. */
  format: z.string(),
  template: ChatTemplate,
  /** Missing: as the format teaches by itself. */
  teaching: z.optional(Teaching),
  /** Pictures can be shown to it. Missing: to models of its engine they cannot, or only the engine knows. */
  canSee: z.optional(z.boolean()),
  /** Too small for tools that are for larger models, and to be trusted with the form of a call. */
  isSmall: z.optional(z.boolean()),
  /** Added by the person: what it writes is theirs to judge. */
  isOwn: z.optional(z.boolean()),
  /** Where an engine may choose: how many processor cores it works on, and whether on the graphics chip. Missing: one core. */
  hardware: z.optional(z.object({ threads: z.number(), isOnGpu: z.boolean() })),
  /** Tokens of prompt and reply together. */
  contextTokens: z.number(),
  /** Tokens of one reply; a longer one ends with the finish reason `length`. */
  maxReplyTokens: z.number(),
  sampling: Sampling,
  /** Codes of those it was trained for, such as `en`; empty where nobody said. */
  languages: z.array(z.string()),
  /** As an SPDX identifier, or in its author's words. */
  licence: z.string(),
});
export type ModelSpec = z.infer<typeof ModelSpec>;

/** What is being done, and how far it is, in bytes where they are known. */
export const LoadProgress = z.object({
  /** The engine's own program, the model's weights, and what the engine does before its first token; in this order. */
  step: z.enum(['engine', 'weights', 'start']),
  loadedBytes: z.number(),
  /** 0 where it is not known. */
  totalBytes: z.number(),
});
export type LoadProgress = z.infer<typeof LoadProgress>;

/** What the model may do: as it likes, call nothing, call some tool, or call this one. */
export const ToolChoice = z.union([z.enum(['auto', 'none', 'required']), z.object({ name: z.string() })]);
export type ToolChoice = z.infer<typeof ToolChoice>;

/** What a reply is to be, to the letter. */
export const Dictation = z.union([
  z.object({ calls: z.array(z.pick(ToolCall, { name: true, arguments: true })) }),
  z.object({ text: z.string() }),
]);
export type Dictation = z.infer<typeof Dictation>;

export const ReplyRequest = z.object({
  /** The whole chat, oldest first. */
  messages: z.readonly(z.array(Message)),
  /**
   * By the id of the file: the pictures that go with them. One that is not among them is told of in words, as all are to a model
   * that sees none.
   */
  pictures: z.optional(z.record(z.string(), ImagePart)),
  /** Stands in the prompt for the oldest of them. Missing where none does. */
  summary: z.optional(BranchSummary),
  /** Those that can be called. */
  tools: z.readonly(z.array(ToolSpec)),
  /** Names of those that the prompt lists; all of them where it is missing. */
  listed: z.optional(z.readonly(z.array(z.string()))),
  /**
   * The prompt ends so many messages after its beginning, with this as the person's: what stands before it is as in the prompt for all
   * of `messages`, so that an engine's cache of that holds. Missing: it ends with the last message.
   */
  aside: z.optional(z.object({ after: z.number(), text: z.string() })),
  toolChoice: ToolChoice,
  /** Only for a very small model, which would copy with slips; missing where the model is left to itself. */
  dictated: z.optional(Dictation),
  /**
   * By the name of a tool, the arguments that a call of it must have: they stand in the request. Only for a very small model; missing where
   * the model writes them itself.
   */
  copied: z.optional(z.record(z.string(), z.record(z.string(), z.unknown()))),
  /**
   * The reply is JSON that this allows: no call is read in it. Where an engine cannot be held to a form the reply is free all
   * the same, so that whoever asks checks it.
   */
  answer: z.optional(JsonSchema),
  /** Missing: the model's own. */
  sampling: z.optional(Sampling),
  /** Nothing is written: the engine reads the system text ahead, as it begins the prompt of this request. */
  onlyRead: z.optional(z.boolean()),
});
export type ReplyRequest = z.infer<typeof ReplyRequest>;

/** How much of the model's memory a request takes. */
export const ContextUse = z.object({
  /** Tokens of the prompt, without the messages that were dropped. */
  promptTokens: z.number(),
  /** Tokens that a prompt may take: the context without the room kept for the reply. */
  limitTokens: z.number(),
  /** How many of the oldest messages do not fit. */
  droppedMessages: z.number(),
  /** For how many of the oldest messages a summary stands. Missing where for none. */
  summedUpMessages: z.optional(z.number()),
  /** Of how many of the oldest messages only a line stands for each result. Missing where of none. */
  maskedMessages: z.optional(z.number()),
});
export type ContextUse = z.infer<typeof ContextUse>;

const PromptProgress = z.object({
  type: z.literal('prompt-progress'),
  readTokens: z.number(),
  totalTokens: z.number(),
  /** Milliseconds until the prompt is read, at the speed so far. */
  remainingMs: z.number(),
});

export const ModelEvent = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['text-delta', 'reasoning-delta']), text: z.string() }),
  /** Progress of a call that is still being written, for the screen. */
  z.object({ type: z.literal('call-delta'), id: z.string(), name: z.optional(z.string()), text: z.string() }),
  z.object({ type: z.literal('tool-call'), call: z.discriminatedUnion('type', [ToolCall, InvalidToolCall]) }),
  /** Once, before the reply: what of the chat the model is given. */
  z.object({ type: z.literal('context'), context: ContextUse }),
  /** Before the first reply of a turn: which tools the model is shown; missing where it is all that are on. */
  z.object({ type: z.literal('tool-offer'), offer: z.optional(ToolOffer) }),
  /** Before a reply: so many of the oldest messages are being summed up. */
  z.object({ type: z.literal('summing-up'), messages: z.number() }),
  /** Before a reply: what stands from here on for so many of the oldest messages; missing where nothing does any more. */
  z.object({ type: z.literal('summary'), messages: z.number(), summary: z.optional(Summary) }),
  /** A server takes no more requests just now, and is asked again after so many seconds. */
  z.object({ type: z.literal('server-wait'), seconds: z.number() }),
  /** Before the first token: how much of the prompt has been read, without what the engine had in its cache. */
  PromptProgress,
  z.object({
    type: z.literal('finish'),
    message: AssistantMessage,
    usage: Usage,
    /** The text the engine was given, for "Details". */
    prompt: z.optional(z.string()),
  }),
]);
export type ModelEvent = z.infer<typeof ModelEvent>;

/** The stages that a request passes between the agent loop and the engine; see `pipeline.ts`. */
export const StageName = z.enum([
  'replay',
  'page-replies',
  'doubt',
  'summary',
  'tool-list',
  'persona',
  'conversation',
  'pictures',
  'cancelled-load',
  'read-ahead',
  'fallback',
]);
export type StageName = z.infer<typeof StageName>;

export interface ChatModel {
  /** The stages that a request passes before the engine, in their order. Missing: none. */
  readonly stages?: readonly StageName[] | undefined;
  /**
   * Ends with exactly one `finish`, also when `signal` aborts or the engine fails (finishReason 'error').
   * Rejects only when what the model runs on is lost.
   */
  respond(request: ReplyRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** What the request would take, for the gauge, the budget of results and compaction. */
  measure(
    messages: ReplyRequest['messages'],
    tools: ReplyRequest['tools'],
    summary?: ReplyRequest['summary'],
  ): Promise<ContextUse>;
}

export interface PromptMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  /** The same in parts, for an engine that is handed tools or pictures; missing for every other. */
  parts?: ReplyParts | ResultParts | QuestionParts;
}

/** A question with pictures, for an engine that takes them: `content` of the message is its text alone. */
export interface QuestionParts {
  type: 'question';
  content: readonly (TextPart | ImagePart)[];
  /** Tokens that its pictures take, about: a little more than most models need. */
  pictureTokens: number;
}

/** A reply: what it says, and its calls. */
export interface ReplyParts {
  type: 'reply';
  text: string;
  calls: readonly { id: string; name: string; arguments: Readonly<Record<string, unknown>> }[];
}

/** The results of one reply, each with the id of its call. */
export interface ResultParts {
  type: 'results';
  results: readonly { id: string; text: string }[];
}

/** What the engine's text is constrained to: the same in the language of each kind of engine. */
export interface Constraint {
  /** As the browser's own model is told: a call is JSON of its name and arguments. */
  jsonSchema?: JsonSchema;
  /** GBNF, as llama.cpp reads it. */
  grammar: string;
  /** As WebLLM reads it. */
  structuralTag: StructuralTag;
  /**
   * A cold reply begins with this only where that is likelier than all other beginnings together. For an engine that can
   * tell: what begins otherwise is spread over many words, and the likeliest of them says little.
   */
  majorityFor?: string;
}

/** A structural tag of xgrammar: of its formats, those that are used here. */
export interface StructuralTag {
  type: 'structural_tag';
  format: GrammarFormat | { type: 'or'; elements: readonly TagFormat[] };
}

/** EBNF, with `root` as its first rule. */
interface GrammarFormat {
  type: 'grammar';
  grammar: string;
}

interface TagFormat {
  type: 'tag';
  begin: string;
  content: GrammarFormat;
  end: string;
}

export type TextDelta =
  /** `logProbability`: of the tokens since the delta before, as in `Usage`. Missing where the engine cannot tell. */
  | { type: 'text-delta'; text: string; logProbability?: number }
  /** As in `ModelEvent`. */
  | { type: 'server-wait'; seconds: number }
  /** As in `ModelEvent`. */
  | z.infer<typeof PromptProgress>
  | {
      type: 'finish';
      finishReason: AssistantMessage['finishReason'];
      errorMessage?: string;
      usage: Usage;
      /** The text the engine was given. */
      prompt: string;
    };

export interface GenerateRequest {
  /** Oldest first; the engine puts them into the model's template. */
  messages: readonly PromptMessage[];
  /** Missing: the text is free. */
  constraint?: Constraint | undefined;
  sampling: Sampling;
  /** Of the reply. */
  maxTokens: number;
  /** The messages are the beginning of a prompt: the engine reads them into its cache and writes nothing. */
  onlyRead?: boolean;
  /** Only in the native dialect, whose prompt does not describe them. */
  tools?: { specs: readonly ToolSpec[]; choice: ToolChoice };
}

export interface LoadOptions {
  signal: AbortSignal;
  onProgress: (progress: LoadProgress) => void;
  /** After the load, when what it runs on was lost: only another load helps. Also while nobody asks anything. */
  onLost?: (fault: AppError) => void;
  /** Whether the reply that runs was stopped. For an engine that is too busy to hear its signal; missing where nobody can tell. */
  isStopped?: () => boolean;
}

/** Text in, text out: what a backend must be. */
export interface TextEngine {
  /** Rejects with an `AppError`. */
  load(model: ModelSpec, options: LoadOptions): Promise<void>;
  /** Ends with exactly one `finish`, also when `signal` aborts. */
  generate(request: GenerateRequest, signal: AbortSignal): AsyncIterable<TextDelta>;
  /** Once it is loaded: pictures can be shown to its model. Missing where none can. */
  readonly takesPictures?: boolean | undefined;
  /** The language in which its text can be held to a form. Missing where it cannot: every reply is free then. */
  readonly constraints?: 'grammar' | 'structural-tag' | 'json-schema';
  /** Once it is loaded: tokens of prompt and reply together, where only the engine knows them. */
  readonly contextTokens?: number | undefined;
  /** Once it is loaded: what stands before a reply, where that is not what the template of the model has there. */
  readonly replyHeader?: string | undefined;
  /** Tokens of each message in its template. */
  count(messages: readonly PromptMessage[]): Promise<number[]>;
}

/** What is written down of a round beside its reply: when the model was asked, and what of the chat it was given. */

/** That the model had to be loaded first, or was being loaded already. */
const LoadWait = z.object({
  /** Milliseconds since the epoch; before `askedAt` where something else of the turn had it loaded. */
  startedAt: z.number(),
  ms: z.number(),
});
export type LoadWait = z.infer<typeof LoadWait>;

export const RoundRecord = z.object({
  /** When the model was asked. Milliseconds since the epoch. */
  askedAt: z.number(),
  /** What of the chat stood in the prompt. Missing where the model did not come to that. */
  context: z.optional(ContextUse),
  /** Milliseconds that summing up the earlier part of the chat took, before the reply. Missing where nothing was summed up. */
  summingUpMs: z.optional(z.number()),
  /** Missing where the model was there. */
  loading: z.optional(LoadWait),
  /** The stages that the request passed, in their order. Missing in chats of an older version, and where a later one wrote it otherwise. */
  stages: z.catch(z.optional(z.array(StageName)), undefined),
});
export type RoundRecord = z.infer<typeof RoundRecord>;
