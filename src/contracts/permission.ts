/** What a person allowed, and what is shown when they are asked. */
import type { ToolCall } from './message';
import { z } from './schema';

/** A permission that outlives its question. Bound to the tool as it was then: other code is another tool. */
export const Grant = z.object({
  id: z.string(),
  /** Its name. */
  tool: z.string(),
  /** Of the tool's code; '' for a built-in one. */
  revision: z.string(),
  /**
   * A host, for a search the id of its provider as `search:<id>`, for what changes something `change:<host>`, or
   * `change:` where it names none: what was allowed to one kind of call is not allowed to another.
   */
  target: z.string(),
  /** The chat it is for; null is always. */
  chatId: z.nullable(z.string()),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
});
export type Grant = z.infer<typeof Grant>;

export type ApprovalAnswer = 'once' | 'chat' | 'always' | 'deny';

/** Why the person is asked. */
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
  /** Of a sub-agent whose model a server answers with. */
  | 'agent-server'
  | 'agent-server-after-outside-text'
  /** What it would send holds text of another host. */
  | 'remote-carries'
  /** It may run as it is: one of several readings, of which others must be asked about. */
  | 'unasked';

/** A piece of a call's arguments that a result of another host holds, and that the person did not type. */
export interface CarriedText {
  from: string;
  text: string;
}

export interface ApprovalRequest {
  id: string;
  /** '' for a call from the tool editor, which is in no chat. */
  chatId: string;
  call: ToolCall;
  /** As shown to a person. */
  toolTitle: string;
  /** The sub-agents by which the call is made, the outermost first. Missing where the chat itself makes it. */
  path?: readonly string[] | undefined;
  reason: AskReason;
  /** Of an MCP server's tool: the server, as the person calls it. */
  server?: string | undefined;
  /** Where it goes: hosts, or names of search providers. */
  targets: readonly string[];
  /** The whole address. Missing for a call that names none, such as a search. */
  url?: string | undefined;
  /** The person's own proxy, which is told the address where it cannot be read straight. */
  via?: string | undefined;
  /** What a search would send; missing for any other call. */
  query?: string | undefined;
  /** What would be kept as a note; missing for any other call. */
  note?: string | undefined;
  /** Text of other servers that stands in the arguments. Missing where there is none. */
  carried?: readonly CarriedText[] | undefined;
  /** Hosts whose text is in the chat, and may have led the model to this call. */
  sources: readonly string[];
  /** What the person can choose beside `once` and `deny`. */
  offers: readonly ('chat' | 'always')[];
  /** Denied once more, the tool is off until the person's next question. */
  isLastChance: boolean;
}

/** A model was not sure what was asked of it, and would ask others: which reading is meant, and whether it may run, in one question. */
export interface ReadingQuestion {
  /** The chat it is about. */
  chatId: string;
  /** One for each reading, the commonest first. */
  readings: readonly ApprovalRequest[];
}

/** `reading`: a place in the list. */
export type ReadingAnswer = { reading: number; answer: ApprovalAnswer } | 'none';
