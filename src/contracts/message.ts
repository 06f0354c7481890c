/** What a conversation is made of. Every call in it is answered, so that it can always be continued. */
import { z } from './schema';
import { ToolFailure } from './tool-failure';

const TextPart = z.object({ type: z.literal('text'), text: z.string() });
export type TextPart = z.infer<typeof TextPart>;

const ImagePart = z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string() });
export type ImagePart = z.infer<typeof ImagePart>;

const ReasoningPart = z.object({ type: z.literal('reasoning'), text: z.string() });
export type ReasoningPart = z.infer<typeof ReasoningPart>;

export const ToolCall = z.object({
  type: z.literal('tool-call'),
  id: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  /** What had to be mended to read it, in words. */
  repairs: z.optional(z.array(z.string())),
});
export type ToolCall = z.infer<typeof ToolCall>;

/** Meant as a call, could not be read or names no offered tool. Never executed, always answered. */
export const InvalidToolCall = z.object({
  type: z.literal('invalid-tool-call'),
  id: z.string(),
  /** As far as it could be read: the second chance is constrained to this tool. */
  name: z.optional(z.string()),
  /** Where only the name was wrong. */
  arguments: z.optional(z.record(z.string(), z.unknown())),
  raw: z.string(),
  reason: z.string(),
});
export type InvalidToolCall = z.infer<typeof InvalidToolCall>;

/** `loop`: it said one thing over and over and was ended; what repeats is cut off. */
const FinishReason = z.enum(['stop', 'length', 'tool-calls', 'aborted', 'error', 'loop']);
export type FinishReason = z.infer<typeof FinishReason>;

const SystemMessage = z.object({ role: z.literal('system'), content: z.string() });

const UserMessage = z.object({
  role: z.literal('user'),
  content: z.array(z.discriminatedUnion('type', [TextPart, ImagePart])),
});
export type UserMessage = z.infer<typeof UserMessage>;

/** The `writer` of what the page itself said. */
export const pageWriter = 'page';

export const AssistantMessage = z.object({
  role: z.literal('assistant'),
  content: z.array(z.discriminatedUnion('type', [TextPart, ReasoningPart, ToolCall, InvalidToolCall])),
  /** Exactly what the engine produced; what goes back to it. */
  raw: z.optional(z.string()),
  /** Id of the model that wrote `raw`: to another one it is told in that one's own words. `pageWriter` where no model wrote it. */
  writer: z.optional(z.string()),
  /** Questions that the person can press, beneath the reply. */
  suggestions: z.optional(z.array(z.string())),
  /** What a model wrote, where the page answered in its place. For "Details" alone. */
  instead: z.optional(z.string()),
  finishReason: FinishReason,
  errorMessage: z.optional(z.string()),
});
export type AssistantMessage = z.infer<typeof AssistantMessage>;

export const ToolResult = z.object({
  toolCallId: z.string(),
  toolName: z.string(),
  /** As it was given to the model: what was too long is cut, with a note that says so. */
  content: z.array(z.discriminatedUnion('type', [TextPart, ImagePart])),
  isError: z.boolean(),
  /** Of a failed one: why, for the person. Missing in a chat of an older version, or one of a newer. */
  failure: z.catch(z.optional(ToolFailure), undefined),
  /** Hosts whose text this is: a result that has any is outside text. */
  sources: z.optional(z.array(z.string())),
  /** Milliseconds: since the epoch, and from the start of the call to its end. */
  timing: z.optional(z.object({ startedAt: z.number(), durationMs: z.number() })),
  /** Of a result that was kept from an earlier call: when it was brought. Milliseconds since the epoch. */
  cachedAt: z.optional(z.number()),
});
export type ToolResult = z.infer<typeof ToolResult>;

/** The results of all calls of one reply, in the order of the calls. */
export const ToolMessage = z.object({
  role: z.literal('tool'),
  /** Marks the results as outside text in the prompt. Stored, so that a rendered history never changes. */
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
