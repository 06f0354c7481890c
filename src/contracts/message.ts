/** The messages of a conversation. Every tool call gets a result, so any conversation can continue. */
import { addOrigins, doors } from './origin';
import { isRecord, z } from './schema';
import { ToolFailure } from './tool-failure';

export const Origin = z.object({
  door: z.enum(doors),
  name: z.optional(z.string()),
  serverId: z.optional(z.string()),
});

const TextPart = z.object({ type: z.literal('text'), text: z.string() });
export type TextPart = z.infer<typeof TextPart>;

export const ImagePart = z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string() });
export type ImagePart = z.infer<typeof ImagePart>;

/** A link in a tool result. Models and users see the address, but Hearth never fetches it. */
const LinkPart = z.object({
  type: z.literal('link'),
  uri: z.string(),
  title: z.string(),
  description: z.optional(z.string()),
});
export type LinkPart = z.infer<typeof LinkPart>;

/** The model's thinking, which the screen shows collapsed. Tools never get it. */
const ReasoningPart = z.object({ type: z.literal('reasoning'), text: z.string() });

export const ToolCall = z.object({
  type: z.literal('tool-call'),
  /** Unique in its chat. The call's result has the same id in `toolCallId`. */
  id: z.string(),
  name: z.string(),
  /** Exactly as the model wrote them. The tool validates them. */
  arguments: z.record(z.string(), z.unknown()),
  /** How Hearth repaired the call to parse it. Absent if the call needed no repair. */
  repairs: z.optional(z.array(z.string())),
  isEdited: z.optional(z.boolean()),
});
export type ToolCall = z.infer<typeof ToolCall>;
export const PlainCall = z.pick(ToolCall, { name: true, arguments: true });
export type PlainCall = z.infer<typeof PlainCall>;

/** A tool call that Hearth cannot parse, or whose tool was not offered. Hearth answers the call but never runs it. */
export const InvalidToolCall = z.object({
  type: z.literal('invalid-tool-call'),
  id: z.string(),
  /** The tool that the model meant to call. We make the model call this tool when it tries again. Absent if unknown. */
  name: z.optional(z.string()),
  /** Present if only the tool name is wrong. */
  arguments: z.optional(z.record(z.string(), z.unknown())),
  raw: z.string(),
  reason: z.string(),
});
export type InvalidToolCall = z.infer<typeof InvalidToolCall>;

/** Why a reply ended. `length`: token limit. `aborted`: by the user. `error`: engine failure. `loop`: it repeated itself. */
const FinishReason = z.enum(['stop', 'length', 'tool-calls', 'aborted', 'error', 'loop']);

const SystemMessage = z.object({ role: z.literal('system'), content: z.string() });

export const AttachedResource = z.object({ serverId: z.string(), uri: z.string(), title: z.string() });
export type AttachedResource = z.infer<typeof AttachedResource>;

/** A file that the user attached to a message. Its content is stored separately (`store/attachments.ts`). */
export const AttachedFile = z.object({
  fileId: z.string(),
  name: z.string(),
  /** How Hearth reads it. `table`: CSV. `page`: HTML. `document`: DOCX. `picture`: scaled down for the model. */
  kind: z.enum(['text', 'table', 'json', 'page', 'pdf', 'document', 'picture']),
  bytes: z.number(),
  pixels: z.optional(z.object({ width: z.number(), height: z.number() })),
});
export type AttachedFile = z.infer<typeof AttachedFile>;

export const AttachedItem = z.union([AttachedFile, AttachedResource]);
export type AttachedItem = z.infer<typeof AttachedItem>;

const UserMessage = z.object({
  role: z.literal('user'),
  content: z.array(z.discriminatedUnion('type', [TextPart, ImagePart])),
  /** Where its text comes from: `typed` alone if the user wrote all of it. */
  origins: z.array(Origin),
  attached: z.optional(z.array(AttachedItem)),
  /** Local day on which the user sent it, for example `2026-11-30 Monday`. Not stored: derived from the node's `createdAt`. */
  day: z.optional(z.string()),
});
export type UserMessage = z.infer<typeof UserMessage>;

/** The `writer` of replies that the page wrote itself. */
export const pageWriterId = 'page';

export const AmbiguousRequest = z.object({
  readings: z.array(z.object({ calls: z.array(PlainCall), votes: z.number() })),
  replies: z.number(),
  chosen: z.optional(z.number()),
  by: z.enum(['person', 'page']),
});
export type AmbiguousRequest = z.infer<typeof AmbiguousRequest>;

export const AssistantMessage = z.object({
  role: z.literal('assistant'),
  content: z.array(z.discriminatedUnion('type', [TextPart, ReasoningPart, ToolCall, InvalidToolCall])),
  /** The engine's exact output, which later prompts repeat. Absent if the page wrote the reply or the reply was interrupted. */
  raw: z.optional(z.string()),
  /** Id of the model that wrote `raw`, or `pageWriterId`. The prompt of any other model leaves `raw` out. Absent in older chats. */
  writer: z.optional(z.string()),
  suggestions: z.optional(z.array(z.string())),
  /** True if the page wrote the reply because the request is too hard for the very small model. */
  isBeyond: z.optional(z.boolean()),
  /** The model's own text, if the page replaced it. Shown in "Details". */
  instead: z.optional(z.string()),
  /** The readings of the request that the model hesitated between. Absent if the model was sure or its certainty is unknown. */
  doubt: z.catch(z.optional(AmbiguousRequest), undefined),
  finishReason: FinishReason,
  /** Texts of strangers that were in the prompt besides the messages, such as descriptions of a server's tools. Absent if there were none. */
  origins: z.optional(z.array(Origin)),
  /** The failure, as written by `writeError`. Present only if `finishReason` is `error`. */
  errorMessage: z.optional(z.string()),
});
export type AssistantMessage = z.infer<typeof AssistantMessage>;

/** A result that was cut: where its full text is, and which parts of it the model received. */
export const CutResult = z.object({
  handle: z.string(),
  id: z.optional(z.string()),
  /** Why the full text is not stored. `full`: no room for more results. `too-long`: over the limit for one result. */
  lost: z.optional(z.enum(['full', 'too-long'])),
  toolName: z.string(),
  characters: z.number(),
  /** The parts of the full text that the model received, as [start, end), in order. */
  given: z.array(z.tuple([z.number(), z.number()])),
});
export type CutResult = z.infer<typeof CutResult>;

export const CallPermission = z.object({
  /** `person`: the user was asked. `kept`: a stored permission applied. `rule`: the call needed no permission. */
  by: z.enum(['person', 'kept', 'rule']),
  answer: z.optional(z.enum(['once', 'chat', 'always', 'deny'])),
  /** Milliseconds until the user answered. Includes the time that the user needed for earlier questions in the queue. */
  waitedMs: z.optional(z.number()),
});
export type CallPermission = z.infer<typeof CallPermission>;

const CurrentToolResult = z.object({
  toolCallId: z.string(),
  toolName: z.string(),
  /** The text that the model received. Hearth cuts long text and adds a note about it. */
  content: z.array(z.discriminatedUnion('type', [TextPart, ImagePart, LinkPart])),
  isError: z.boolean(),
  failure: z.catch(z.optional(ToolFailure), undefined),
  /** Where its text comes from, for example the hosts that the call contacted. */
  origins: z.array(Origin),
  /** In milliseconds; `startedAt` since the epoch. Absent if the tab was closed during the call. */
  timing: z.optional(z.object({ startedAt: z.number(), durationMs: z.number() })),
  permission: z.catch(z.optional(CallPermission), undefined),
  /** Time when the cached result was fetched, in milliseconds since the epoch. Absent if it is not from the cache. */
  cachedAt: z.optional(z.number()),
  /** Names of tools that the text describes. The model can call them from now on. */
  foundTools: z.optional(z.array(z.string())),
  /** Whether a sub-agent gave the result. `origins` then includes those of everything that the sub-agent read. */
  byAgent: z.optional(z.boolean()),
  /** Whether a replay copied the recorded result instead of repeating the call. */
  isTaken: z.optional(z.boolean()),
  /** Whether the same call was made earlier in the turn. The call did not run again: this is its earlier result. */
  isRepeated: z.optional(z.boolean()),
  /** Whether the user edited the text in a replay. `origins` stays as recorded. */
  isEdited: z.optional(z.boolean()),
  whole: z.optional(CutResult),
});
/** Reads results of earlier versions too. */
export const ToolResult = z.pipe(
  z.transform((row) => addOrigins(row, 'hearth')),
  CurrentToolResult,
);
export type ToolResult = z.infer<typeof ToolResult>;

export const ToolMessage = z.object({
  role: z.literal('tool'),
  /** Random text that marks where outside text starts and ends. Servers cannot guess it. Stored so that prompts stay the same. */
  nonce: z.optional(z.string()),
  results: z.array(ToolResult),
});
export type ToolMessage = z.infer<typeof ToolMessage>;

/** Reads messages of earlier versions too. */
export const Message = z.pipe(
  z.transform((row) => (isRecord(row) && row['role'] === 'user' ? addOrigins(row, 'typed') : row)),
  z.discriminatedUnion('role', [SystemMessage, UserMessage, AssistantMessage, ToolMessage]),
);
export type Message = z.infer<typeof Message>;

/** Replaces the beginning of a long chat in the prompt. The chat itself does not change. */
const CurrentSummary = z.object({
  text: z.string(),
  /** `rule`: the page made the summary from quotes, without a model. */
  by: z.enum(['model', 'rule']),
  /** Name of the model that wrote the summary or an earlier part of it. Absent if the page wrote all of it. */
  model: z.optional(z.string()),
  /** Where the summarized text comes from. */
  origins: z.array(Origin),
  /** Random text that marks where the summary starts and ends, so it cannot fake its end. Stored so that prompts stay the same. */
  nonce: z.string(),
});
/** Reads summaries of earlier versions too. */
const toSummary = z.transform((row) => addOrigins(row, 'summary'));
export const Summary = z.pipe(toSummary, CurrentSummary);
export type Summary = z.infer<typeof Summary>;

/** `messages`: how many of the oldest messages the summary replaces, not counting system messages. */
export const BranchSummary = z.pipe(toSummary, z.extend(CurrentSummary, { messages: z.number() }));
export type BranchSummary = z.infer<typeof BranchSummary>;

/** The model counts as sure of a reply if the log probability (see `Usage`) is at least this threshold. */
export interface CertaintyThresholds {
  /** Threshold for a reply without tool calls, which shows how sure the model is that no call is needed. */
  words: number;
  byTool: Readonly<Record<string, number>>;
  others: number;
}
