import { z } from './schema';
import { ToolFailure } from './tool-failure';

/** What a conversation is made of. Every call in it is answered, so that it can always be continued. */

const TextPart = z.object({ type: z.literal('text'), text: z.string() });
export type TextPart = z.infer<typeof TextPart>;

/** `data` is base64. */
export const ImagePart = z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string() });
export type ImagePart = z.infer<typeof ImagePart>;

/** Where a server says more is to be found. Nothing is fetched for it; models and people see where it leads. */
const LinkPart = z.object({
  type: z.literal('link'),
  uri: z.string(),
  title: z.string(),
  description: z.optional(z.string()),
});
export type LinkPart = z.infer<typeof LinkPart>;

/** What the model thought aloud; shown folded, and never given to a tool. */
const ReasoningPart = z.object({ type: z.literal('reasoning'), text: z.string() });
export type ReasoningPart = z.infer<typeof ReasoningPart>;

export const ToolCall = z.object({
  type: z.literal('tool-call'),
  /** Unique in its chat; the result names it. */
  id: z.string(),
  /** Of the tool. */
  name: z.string(),
  /** As the model wrote them; the tool checks them. */
  arguments: z.record(z.string(), z.unknown()),
  /** What had to be repaired to read the call, in words. Missing where nothing had to. */
  repairs: z.optional(z.array(z.string())),
  /** The person changed its arguments when they ran the turn once more. Missing where they did not. */
  isEdited: z.optional(z.boolean()),
});
export type ToolCall = z.infer<typeof ToolCall>;

/** Meant as a call, could not be read or names no offered tool. Never executed, always answered. */
export const InvalidToolCall = z.object({
  type: z.literal('invalid-tool-call'),
  /** Unique in its chat; the result names it. */
  id: z.string(),
  /** The tool that was meant: the second chance is constrained to it. Missing where it could not be made out. */
  name: z.optional(z.string()),
  /** Missing where they could not be read; there where only the name was wrong. */
  arguments: z.optional(z.record(z.string(), z.unknown())),
  /** What the model wrote, markers of the format included. */
  raw: z.string(),
  /** A sentence for the model: why the call could not be read, and what to write instead. */
  reason: z.string(),
});
export type InvalidToolCall = z.infer<typeof InvalidToolCall>;

/**
 * Why a reply is over. `length`: its limit of tokens was reached. `aborted`: the person stopped it. `error`: the engine failed.
 * `loop`: it said one thing over and over and was ended; what repeats is cut off.
 */
const FinishReason = z.enum(['stop', 'length', 'tool-calls', 'aborted', 'error', 'loop']);
export type FinishReason = z.infer<typeof FinishReason>;

const SystemMessage = z.object({ role: z.literal('system'), content: z.string() });

/** Something on a server that a person has chosen to be read with their message. */
export const AttachedResource = z.object({
  serverId: z.string(),
  uri: z.string(),
  title: z.string(),
});
export type AttachedResource = z.infer<typeof AttachedResource>;

/** A file that goes with a message; what was read of it is kept apart (`store/attachments.ts`). */
export const AttachedFile = z.object({
  fileId: z.string(),
  name: z.string(),
  kind: z.enum(['text', 'table', 'json', 'page', 'pdf', 'document', 'picture']),
  /** Of what is kept of it. */
  bytes: z.number(),
  /** Of a picture, as it is kept. Missing for all else. */
  pixels: z.optional(z.object({ width: z.number(), height: z.number() })),
});
export type AttachedFile = z.infer<typeof AttachedFile>;

export const Attached = z.union([AttachedFile, AttachedResource]);
export type Attached = z.infer<typeof Attached>;

const UserMessage = z.object({
  role: z.literal('user'),
  content: z.array(z.discriminatedUnion('type', [TextPart, ImagePart])),
  /** Hosts whose text stands in it: a prompt of a server that the person chose and sent. Missing where all of it was typed. */
  sources: z.optional(z.array(z.string())),
  /** Read by the page before the model answers. Missing where nothing is. */
  attached: z.optional(z.array(Attached)),
});
export type UserMessage = z.infer<typeof UserMessage>;

/** Stands in `writer` for the page itself. */
export const pageWriter = 'page';

/** What a model was not sure of, and what was made of it. */
export const Doubt = z.object({
  /** The commonest first. */
  readings: z.array(
    z.object({
      calls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })),
      /** So many of the replies that were drawn read it so. */
      votes: z.number(),
    }),
  ),
  /** Replies that were drawn, those that read it in no way among them. */
  replies: z.number(),
  /** The reading that was gone on with: its place in the list. Missing where it was none of them. */
  chosen: z.optional(z.number()),
  /** Who chose. */
  by: z.enum(['person', 'page']),
});
export type Doubt = z.infer<typeof Doubt>;

export const AssistantMessage = z.object({
  role: z.literal('assistant'),
  /** In the order in which it was written. */
  content: z.array(z.discriminatedUnion('type', [TextPart, ReasoningPart, ToolCall, InvalidToolCall])),
  /** Exactly what the engine produced; what goes back to it. Missing where the page wrote the reply, or it was broken off. */
  raw: z.optional(z.string()),
  /**
   * Id of the model that wrote `raw`: to another model the reply is told in that one's own dialect. `pageWriter` where no model
   * wrote it. Missing in chats of an older version.
   */
  writer: z.optional(z.string()),
  /** Questions that the person can press, beneath the reply. Missing where there are none. */
  suggestions: z.optional(z.array(z.string())),
  /** The page wrote it: what was asked is more than its very small model can do, and a larger one may. Missing everywhere else. */
  isBeyond: z.optional(z.boolean()),
  /** What a model wrote, where the page answered in its place. For "Details" alone; missing everywhere else. */
  instead: z.optional(z.string()),
  /** What the model was not sure of. Missing where it was sure, where it cannot tell, and where a newer version wrote it otherwise. */
  doubt: z.catch(z.optional(Doubt), undefined),
  finishReason: FinishReason,
  /** `writeError` of what went wrong, with the finish reason `error`; missing with all others. */
  errorMessage: z.optional(z.string()),
});
export type AssistantMessage = z.infer<typeof AssistantMessage>;

/** Of a result that was cut: where all of it is, and which part of it a model was given. */
export const WholeResult = z.object({
  /** How a model names it: `r3`, the third result of its chat. */
  handle: z.string(),
  /** Of its row in the store; missing where it could not be kept. */
  id: z.optional(z.string()),
  /** Why it could not be kept: `full`, no room is left for results; `too-long`, longer than any that is kept. Missing where it was. */
  lost: z.optional(z.enum(['full', 'too-long'])),
  /** Name of the tool that gave it. */
  toolName: z.string(),
  /** Of all of it. */
  characters: z.number(),
  /** Which of its characters the text holds: from, and up to but without, in order. */
  given: z.array(z.tuple([z.number(), z.number()])),
});
export type WholeResult = z.infer<typeof WholeResult>;

/** Who let a call run, or kept it from running. */
export const CallPermission = z.object({
  /** `person`: they were asked. `kept`: they had allowed it before, for the chat or for good. `rule`: nobody had to be asked. */
  by: z.enum(['person', 'kept', 'rule']),
  /** What they answered last. Missing where they were not asked. */
  answer: z.optional(z.enum(['once', 'chat', 'always', 'deny'])),
  /** Milliseconds that the call waited for the person, other questions before it among them. Missing where it did not. */
  waitedMs: z.optional(z.number()),
});
export type CallPermission = z.infer<typeof CallPermission>;

export const ToolResult = z.object({
  /** Of the call that it answers. */
  toolCallId: z.string(),
  /** As the call named it; `unknown` where the call named none. */
  toolName: z.string(),
  /** As it was given to the model: what was too long is cut, with a note that says so. */
  content: z.array(z.discriminatedUnion('type', [TextPart, ImagePart, LinkPart])),
  /** The text says what went wrong, and not what was asked for. */
  isError: z.boolean(),
  /** Of a failed one: why, for the person. Missing in a chat of an older version, or where a newer version wrote another code. */
  failure: z.catch(z.optional(ToolFailure), undefined),
  /** Hosts whose text this is: a result that has any is outside text. Missing where the call was let out to nobody. */
  sources: z.optional(z.array(z.string())),
  /** Milliseconds: since the epoch, and from the start of the call to its end. Missing for a call that a closed tab left behind. */
  timing: z.optional(z.object({ startedAt: z.number(), durationMs: z.number() })),
  /** Missing for a call that came to no such decision, and in chats of an older version; so where a newer one wrote it otherwise. */
  permission: z.catch(z.optional(CallPermission), undefined),
  /** When the result was brought, if it was kept from an earlier call. Milliseconds since the epoch. */
  cachedAt: z.optional(z.number()),
  /** Names of the tools that the text describes, in the model's dialect: written by the page, and callable from here on. */
  foundTools: z.optional(z.array(z.string())),
  /** A sub-agent gave it: `sources` are the hosts that its own calls went to, and it was told to nobody by this call. */
  byAgent: z.optional(z.boolean()),
  /** Taken from the record of the turn that this one runs once more: the call was not made again. Missing where it was made. */
  isTaken: z.optional(z.boolean()),
  /** The person changed the text when they ran the turn once more; whose text it is stays as it was. Missing where they did not. */
  isEdited: z.optional(z.boolean()),
  /** Of a text that was cut. Missing where the model was given all of it, and in chats of an older version. */
  whole: z.optional(WholeResult),
});
export type ToolResult = z.infer<typeof ToolResult>;

/** The results of all calls of one reply, in the order of the calls. */
export const ToolMessage = z.object({
  role: z.literal('tool'),
  /**
   * Marks the results as outside text in the prompt, so that no server can guess the mark. Stored, so that a rendered history
   * never changes. Missing in chats of an older version.
   */
  nonce: z.optional(z.string()),
  results: z.array(ToolResult),
});
export type ToolMessage = z.infer<typeof ToolMessage>;

export const Message = z.discriminatedUnion('role', [
  SystemMessage,
  UserMessage,
  AssistantMessage,
  ToolMessage,
]);
export type Message = z.infer<typeof Message>;

/** What stands in a prompt for the beginning of a chat that has outgrown its model. The chat itself stays as it is. */

export const Summary = z.object({
  text: z.string(),
  /** `rule`: the page put it together from what was said, word for word. */
  by: z.enum(['model', 'rule']),
  /** Name of the model that wrote it, or the older part of it, as shown to a person. Missing where the page wrote all of it. */
  model: z.optional(z.string()),
  /** Hosts whose text is in what it sums up: then it is outside text itself. Missing where there are none. */
  sources: z.optional(z.array(z.string())),
  /** Marks it in the prompt, so that no text in it can seem to end it. Stored, so that a rendered history never changes. */
  nonce: z.string(),
});
export type Summary = z.infer<typeof Summary>;

/** Of one branch. */
export const BranchSummary = z.extend(Summary, {
  /** For how many of the oldest messages it stands; system messages are not counted. */
  messages: z.number(),
});
export type BranchSummary = z.infer<typeof BranchSummary>;

/** From which log probability on, as in `Usage`, a reply counts as sure. */
export interface Thresholds {
  /** Of a reply in words: that no call was meant. */
  words: number;
  /** By the name of a tool that the model was trained on. */
  byTool: Readonly<Record<string, number>>;
  /** Of every other tool. */
  others: number;
}
