/** Models: the interfaces of models and engines, and the entries of the model catalog. */
import type { AppError } from './app-error';
import {
  AssistantMessage,
  BranchSummary,
  ImagePart,
  InvalidToolCall,
  Message,
  PlainCall,
  Summary,
  type TextPart,
  ToolCall,
} from './message';
import { JsonSchema, z } from './schema';
import { ToolOffer, ToolSpec } from './tool';

/** Why the engine had to read more of the prompt than the newest messages. */
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
  /** `message`: position, from 1, of the first message that differs from the cache. `of`: number of messages. */
  z.object({ code: z.literal('history'), message: z.number(), of: z.number() }),
  z.object({ code: z.literal('several-new'), messages: z.number() }),
  /** The engine read more tokens than were new, for an unknown reason. `prefilled`: tokens read. `fresh`: tokens that were new. */
  z.object({ code: z.literal('excess'), prefilled: z.number(), fresh: z.number() }),
]);
export type PrefillReason = z.infer<typeof PrefillReason>;

const Sampling = z.object({
  temperature: z.number(),
  topK: z.optional(z.number()),
  topP: z.optional(z.number()),
  seed: z.optional(z.number()),
});
export type Sampling = z.infer<typeof Sampling>;

export const Usage = z.object({
  /** 0 if the engine reported no counts: the reply was stopped before the engine's end, or no model was asked. */
  promptTokens: z.number(),
  /** Prompt tokens that were not in the KV cache. */
  prefilledTokens: z.number(),
  outputTokens: z.number(),
  /**
   * What the model was allowed to write. `call`: one call. `prose`: no call. `offered`: prose, or calls with texts from the chat.
   * `dictated`: only the reply that the page chose. `answer`: JSON that fits a schema.
   */
  heldTo: z.catch(z.optional(z.enum(['call', 'prose', 'offered', 'dictated', 'answer'])), undefined),
  prefillReason: z.catch(z.optional(PrefillReason), undefined),
  sampling: z.catch(z.optional(Sampling), undefined),
  /** Natural logarithm of a probability, as if no grammar limited the model: that it makes these calls or, without calls, that it makes none. */
  logProbability: z.optional(z.number()),
  firstTokenMs: z.optional(z.number()),
  decodeMs: z.optional(z.number()),
});
export type Usage = z.infer<typeof Usage>;

/** The text before and after each message of a role. Users and tools cannot imitate it: only the engine can write these tokens. */
const RoleTemplate = z.object({ before: z.string(), after: z.string() });
export const ChatTemplate = z.object({
  system: RoleTemplate,
  user: RoleTemplate,
  assistant: RoleTemplate,
  tool: RoleTemplate,
  stop: z.array(z.string()),
});
export type ChatTemplate = z.infer<typeof ChatTemplate>;

/** Overrides how the tool-call format explains tools to this model. */
export const ToolExampleSettings = z.object({
  examples: z.optional(
    z.array(
      z.object({ tool: z.string(), request: z.string(), arguments: z.record(z.string(), z.unknown()) }),
    ),
  ),
  /** Whether the prompt lists tools as signatures instead of JSON Schemas. */
  isShort: z.optional(z.boolean()),
  /** Maximum number of example calls in the prompt. Default: 3. */
  mostExamples: z.optional(z.number()),
});
export type ToolExampleSettings = z.infer<typeof ToolExampleSettings>;

export const MlcRecord = z.object({
  /** Absolute URLs of the folder with the weights, and of the compiled library. */
  modelUrl: z.string(),
  libraryUrl: z.string(),
  /** Overrides fields of `mlc-chat-config.json`. A `conv_config` in it replaces `template`. */
  overrides: z.record(z.string(), z.unknown()),
});
export type MlcRecord = z.infer<typeof MlcRecord>;

/** One entry of the catalog: what to load, in which engine, and how to prompt it. */
export const ModelSpec = z.object({
  id: z.string(),
  name: z.string(),
  engine: z.string(),
  /** Path on our origin, and size in bytes. For WebLLM: the folder and its estimated size. For an endpoint: its address. `sha256` makes the size exact. */
  file: z.object({ path: z.string(), bytes: z.number(), sha256: z.optional(z.string()) }),
  mlc: z.optional(MlcRecord),
  served: z.optional(z.string()),
  /** Id of the tool-call format, which also decides how the prompt shows results. */
  format: z.string(),
  template: ChatTemplate,
  teaching: z.optional(ToolExampleSettings),
  /** Whether the model accepts pictures. Absent if it does not, or if only the engine knows. */
  canSee: z.optional(z.boolean()),
  /** Whether the model is too small for some tools (`isForLargerModels`). Its calls are then constrained. */
  isSmall: z.optional(z.boolean()),
  isOwn: z.optional(z.boolean()),
  /** CPU threads and GPU use, for engines that support both. Absent: one CPU thread. */
  hardware: z.optional(z.object({ threads: z.number(), isOnGpu: z.boolean() })),
  /** Context length in tokens: prompt and reply together. */
  contextTokens: z.number(),
  /** Maximum tokens of a reply. A longer reply ends with the finish reason `length`. */
  maxReplyTokens: z.number(),
  sampling: Sampling,
  languages: z.array(z.string()),
  licence: z.string(),
});
export type ModelSpec = z.infer<typeof ModelSpec>;

export const LoadProgress = z.object({
  /** Order: load the engine, load the weights, prepare the first token. */
  step: z.enum(['engine', 'weights', 'start']),
  loadedBytes: z.number(),
  totalBytes: z.number(),
});
export type LoadProgress = z.infer<typeof LoadProgress>;

/** `auto`: the reply may call tools. `none`: it must not. `required`: it must call a tool. `name`: it must call this tool. */
export const ToolChoice = z.union([z.enum(['auto', 'none', 'required']), z.object({ name: z.string() })]);
export type ToolChoice = z.infer<typeof ToolChoice>;

/** A reply that the page chose. The model must write exactly this. */
export const DictatedReply = z.union([
  z.object({ calls: z.array(PlainCall) }),
  z.object({ text: z.string() }),
]);
export type DictatedReply = z.infer<typeof DictatedReply>;

export const ReplyRequest = z.object({
  messages: z.readonly(z.array(Message)),
  /** Pictures keyed by file id. The prompt describes all other files in words. */
  pictures: z.optional(z.record(z.string(), ImagePart)),
  summary: z.optional(BranchSummary),
  tools: z.readonly(z.array(ToolSpec)),
  listed: z.optional(z.readonly(z.array(z.string()))),
  /** A side question: the prompt contains only the first `after` messages and then `text`. The KV cache already holds these messages. */
  aside: z.optional(z.object({ after: z.number(), text: z.string() })),
  toolChoice: ToolChoice,
  /** The only reply that the model may write. Only for very small models, which make copying mistakes. */
  dictated: z.optional(DictatedReply),
  /** Arguments that a call must have, keyed by tool name. The page read them from the user's request. Only for very small models. */
  copied: z.optional(z.record(z.string(), z.record(z.string(), z.unknown()))),
  /** JSON Schema of a reply without calls. The caller must check the reply, because some engines ignore the schema. */
  answer: z.optional(JsonSchema),
  sampling: z.optional(Sampling),
  /** The day for the prompt if no message has one, as in a message's `day`. */
  day: z.optional(z.string()),
  /** If true, the engine reads the start of the prompt into the KV cache and generates nothing. */
  onlyRead: z.optional(z.boolean()),
});
export type ReplyRequest = z.infer<typeof ReplyRequest>;

export const ContextUse = z.object({
  promptTokens: z.number(),
  /** Context length minus the room for the reply. */
  limitTokens: z.number(),
  droppedMessages: z.number(),
  summedUpMessages: z.optional(z.number()),
  /** Number of oldest messages whose results the prompt masks. */
  maskedMessages: z.optional(z.number()),
});
export type ContextUse = z.infer<typeof ContextUse>;

const PromptProgress = z.object({
  type: z.literal('prompt-progress'),
  readTokens: z.number(),
  totalTokens: z.number(),
  remainingMs: z.number(),
});

export const ModelEvent = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['text-delta', 'reasoning-delta']), text: z.string() }),
  z.object({ type: z.literal('call-delta'), id: z.string(), name: z.optional(z.string()), text: z.string() }),
  z.object({ type: z.literal('tool-call'), call: z.discriminatedUnion('type', [ToolCall, InvalidToolCall]) }),
  z.object({ type: z.literal('context'), context: ContextUse }),
  /** Comes before the first reply of a turn. `offer` is absent if the model is shown all tools. */
  z.object({ type: z.literal('tool-offer'), offer: z.optional(ToolOffer) }),
  z.object({ type: z.literal('summing-up'), messages: z.number() }),
  /** From now on, `summary` replaces the oldest `messages`. Absent if no summary applies any more. */
  z.object({ type: z.literal('summary'), messages: z.number(), summary: z.optional(Summary) }),
  z.object({ type: z.literal('server-wait'), seconds: z.number() }),
  PromptProgress,
  z.object({
    type: z.literal('finish'),
    message: AssistantMessage,
    usage: Usage,
    prompt: z.optional(z.string()),
  }),
]);
export type ModelEvent = z.infer<typeof ModelEvent>;

export const StageName = z.enum([
  'replay',
  'page-replies',
  'doubt',
  'hands',
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
  readonly stages?: readonly StageName[] | undefined;
  /** Ends with exactly one `finish`, even after an abort or an engine failure. Throws only if the engine is lost. */
  respond(request: ReplyRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  measure(
    messages: ReplyRequest['messages'],
    tools: ReplyRequest['tools'],
    summary?: ReplyRequest['summary'],
  ): Promise<ContextUse>;
}

export interface PromptMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  /** The same content in parts, for engines that accept tools or pictures. */
  parts?: ReplyParts | ResultParts | QuestionParts;
}

/** A user message with pictures. The message's `content` is only its text. */
export interface QuestionParts {
  type: 'question';
  content: readonly (TextPart | ImagePart)[];
  pictureTokens: number;
}

export interface ReplyParts {
  type: 'reply';
  text: string;
  calls: readonly { id: string; name: string; arguments: Readonly<Record<string, unknown>> }[];
}

export interface ResultParts {
  type: 'results';
  results: readonly { id: string; text: string }[];
}

/** A constraint on the output, written for each kind of engine. */
export interface Constraint {
  /** For the browser's model, which writes a call as JSON with name and arguments. */
  jsonSchema?: JsonSchema;
  grammar: string;
  structuralTag: StructuralTag;
  /** The reply starts with this text only if that is likelier than all other starts together. Some engines ignore it. */
  majorityFor?: string;
}

export interface StructuralTag {
  type: 'structural_tag';
  format:
    | GrammarFormat
    | {
        type: 'or';
        elements: readonly { type: 'tag'; begin: string; content: GrammarFormat; end: string }[];
      };
}

/** EBNF with the start rule `root`. */
interface GrammarFormat {
  type: 'grammar';
  grammar: string;
}

export type TextDelta =
  /** `logProbability`: sum over the tokens since the last delta, as in `Usage`. Absent if the engine cannot tell. */
  | { type: 'text-delta'; text: string; logProbability?: number }
  | { type: 'server-wait'; seconds: number }
  | z.infer<typeof PromptProgress>
  | {
      type: 'finish';
      finishReason: AssistantMessage['finishReason'];
      errorMessage?: string;
      usage: Usage;
      prompt: string;
    };

export interface GenerateRequest {
  /** Oldest first. The engine applies the model's template. */
  messages: readonly PromptMessage[];
  constraint?: Constraint | undefined;
  sampling: Sampling;
  maxTokens: number;
  /** Makes repeating earlier parts of the reply less likely. Engines that cannot do this ignore it. */
  avoidsLoops?: boolean;
  onlyRead?: boolean;
  /** Only for models with native tool calls, whose prompt does not list tools. */
  tools?: { specs: readonly ToolSpec[]; choice: ToolChoice };
}

export interface LoadOptions {
  signal: AbortSignal;
  onProgress: (progress: LoadProgress) => void;
  /** Called if the engine fails after loading. The caller must then load it again. */
  onLost?: (fault: AppError) => void;
  /** True if the user stopped the reply. An engine that is too busy to receive the abort signal polls this function. */
  isStopped?: () => boolean;
}

export interface TextEngine {
  load(model: ModelSpec, options: LoadOptions): Promise<void>;
  /** Ends with exactly one `finish`, even if `signal` aborts. */
  generate(request: GenerateRequest, signal: AbortSignal): AsyncIterable<TextDelta>;
  readonly takesPictures?: boolean | undefined;
  /** The constraint language of the engine. Absent if the engine cannot constrain output. */
  readonly constraints?: 'grammar' | 'structural-tag' | 'json-schema';
  /** Context length of the loaded model, if only the engine knows it. */
  readonly contextTokens?: number | undefined;
  /** The text before a reply, if it differs from the model's template. */
  readonly replyHeader?: string | undefined;
  /** Resolves to the number of tokens of each message, including the model's template. */
  count(messages: readonly PromptMessage[]): Promise<number[]>;
}

const LoadTiming = z.object({
  /** Milliseconds since the epoch. Earlier than the request (`askedAt`) if the model was already loading. */
  startedAt: z.number(),
  ms: z.number(),
});
export type LoadTiming = z.infer<typeof LoadTiming>;

export const RoundRecord = z.object({
  askedAt: z.number(),
  context: z.optional(ContextUse),
  summingUpMs: z.optional(z.number()),
  loading: z.optional(LoadTiming),
  stages: z.catch(z.optional(z.array(StageName)), undefined),
});
export type RoundRecord = z.infer<typeof RoundRecord>;
