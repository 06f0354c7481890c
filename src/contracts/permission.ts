/** Permissions that the user granted, and the questions that Hearth asks to get them. */
import type { ToolCall } from './message';
import type { Origin } from './origin';
import { z } from './schema';

/** A stored permission for one revision of a tool. Changed code needs a new permission. */
export const Grant = z.object({
  id: z.string(),
  tool: z.string(),
  /** Hash of the tool's code. '' for built-in tools. */
  revision: z.string(),
  /** A host, `search:<provider id>`, `change:<host>`, or `change:` for changes on this device. None implies another. */
  target: z.string(),
  /** The chat it applies to. Null means all chats. */
  chatId: z.nullable(z.string()),
  createdAt: z.number(),
});
export type Grant = z.infer<typeof Grant>;

export type ApprovalAnswer = 'once' | 'chat' | 'always' | 'deny';

export type AskReason =
  | 'first-search'
  | 'search-after-outside-text'
  | 'new-host'
  | 'many-addresses'
  | 'composed-url'
  | 'composed-url-after-outside-text'
  | 'built-in-hosts'
  | 'tool-hosts'
  | 'tool-hosts-after-outside-text'
  | 'composed-text'
  | 'side-effect'
  | 'note'
  | 'note-after-outside-text'
  | 'remote'
  | 'remote-after-outside-text'
  | 'agent-server'
  | 'agent-server-after-outside-text'
  /** The call would send this host text that came from another host. */
  | 'remote-carries'
  /** This call needs no permission, but another reading of the same request does. */
  | 'unasked';

/** Text that came from elsewhere and is now in a call's arguments. The user did not type it. */
export interface CopiedText {
  from: Origin;
  text: string;
}

export interface ApprovalRequest {
  id: string;
  /** '' if the call comes from the tool editor. */
  chatId: string;
  call: ToolCall;
  toolTitle: string;
  /** The sub-agents that make the call, outermost first. Absent if the chat's own model makes the call. */
  path?: readonly string[] | undefined;
  reason: AskReason;
  server?: string | undefined;
  targets: readonly string[];
  url?: string | undefined;
  /** The user's proxy, which would see the address if the page cannot be fetched directly. */
  via?: string | undefined;
  query?: string | undefined;
  note?: string | undefined;
  carried?: readonly CopiedText[] | undefined;
  /** Strangers whose text is in the chat or the prompt and may have caused this call. */
  origins: readonly Origin[];
  /** Answers offered in addition to `once` and `deny`. */
  offers: readonly ('chat' | 'always')[];
  /** True if one more denial switches the tool off until the user's next message. */
  isLastChance: boolean;
}

/** Asks the user two things at once: which reading (interpretation) of a request is right, and whether its call may run. */
export interface ReadingQuestion {
  chatId: string;
  readings: readonly ApprovalRequest[];
}

export type ReadingAnswer = { reading: number; answer: ApprovalAnswer } | 'none';
