import type { Message, ToolResult } from './message';
import { JsonSchema, z } from './schema';

/** A tool: what the model is told of it, and what the loop runs. */

/** What the author of a tool says of it, in the terms of MCP. A hint of a tool that is not ours is not trusted. */
const ToolAnnotations = z.object({
  readOnlyHint: z.optional(z.boolean()),
  destructiveHint: z.optional(z.boolean()),
  /**
   * The same call again within minutes gives the same and changes nothing more, so it may be answered with what it gave before
   * (`tools/interceptors/call-cache.ts`, `agent/turn-guard.ts`). Missing: each call is made.
   */
  idempotentHint: z.optional(z.boolean()),
  openWorldHint: z.optional(z.boolean()),
});
export type ToolAnnotations = z.infer<typeof ToolAnnotations>;

/** Words by which a person may ask for a tool and that its description has not, by language: `{ en: ['sunny'], zh: ['下雨'] }`. */
export const ToolKeywords = z.record(z.string(), z.array(z.string()));
export type ToolKeywords = z.infer<typeof ToolKeywords>;

export const ToolSpec = z.object({
  /** As the model writes it; unique among the tools of a turn. */
  name: z.string(),
  /** As shown to a person. */
  title: z.string(),
  /** For the model: what it does, and when to call it. */
  description: z.string(),
  /** Of the arguments. */
  inputSchema: JsonSchema,
  /** Of the result, as JSON. Missing where the result is text. */
  outputSchema: z.optional(JsonSchema),
  annotations: z.optional(ToolAnnotations),
  /** Request → arguments, shown to small models. Missing where the tool brings none along. */
  examples: z.optional(
    z.array(z.object({ request: z.string(), arguments: z.record(z.string(), z.unknown()) })),
  ),
  /** Fields whose text is made from what was said. In all others a very small model may only copy what stands in the chat. */
  composedArguments: z.optional(z.array(z.string())),
  /** Only for finding it: no model is shown them. */
  keywords: z.optional(ToolKeywords),
  /** What the person calls the MCP server on which it runs. Missing for all other tools. */
  server: z.optional(z.string()),
  /** It asks for what a very small model cannot write, such as code: such a model is not offered it. */
  isForLargerModels: z.optional(z.boolean()),
  /** A very small model does not know it: the page calls it where a request plainly asks for it, and lists it only then. */
  isCalledByPage: z.optional(z.boolean()),
});
export type ToolSpec = z.infer<typeof ToolSpec>;

/** What running a call would touch. Only `side-effect` changes anything. */
export type ToolEffects =
  | { type: 'pure' }
  /** Reads exactly these addresses; one that cannot be read straight, through the host the person chose for that. */
  | { type: 'net-read'; urls: readonly string[]; via?: string }
  /** Sends a query to services the person has switched on. */
  | { type: 'search'; query: string; providers: readonly SearchTarget[] }
  /**
   * Asks a sub-agent, which touches nothing by itself: each of its own calls is decided about. The one model of the page answers it,
   * so such calls run one after the other, once the reply that made them is over. With `server`, the name of a model, and `host` a
   * server that is not on this device answers it, which is told what it is asked.
   */
  | { type: 'agent'; server?: string; host?: string }
  /** Reads what it likes from these hosts: a tool of the person's own. */
  | { type: 'net-hosts'; hosts: readonly string[] }
  /** Runs on somebody's server: what it does there nobody here can know. `server` is what the person calls it. */
  | { type: 'remote'; server: string; host: string }
  /** Changes something, on these hosts or, without any, on this device. */
  | {
      type: 'side-effect';
      hosts?: readonly string[];
      /** Of a call that keeps a note, its text. It is read again in other chats, so a person sees each before it is kept. */
      note?: string;
    };

/** Whether a call that touches this would send anything over the network. What a model on a server is asked goes a way of its own. */
export function reachesOutside(effects: ToolEffects): boolean {
  switch (effects.type) {
    case 'pure':
    case 'agent':
      return false;
    case 'net-read':
    case 'search':
    case 'net-hosts':
    case 'remote':
      return true;
    case 'side-effect':
      return (effects.hosts ?? []).length > 0;
  }
}

/** Where a search goes: `name` is shown to a person. */
export interface SearchTarget {
  /** Of the provider. */
  id: string;
  /** As shown to a person. */
  name: string;
  /** With a port where it is not 443. */
  host: string;
}

export type ToolOutput = Pick<
  ToolResult,
  | 'content'
  | 'isError'
  | 'failure'
  | 'sources'
  | 'permission'
  | 'cachedAt'
  | 'foundTools'
  | 'whole'
  | 'byAgent'
  | 'isTaken'
  | 'isEdited'
>;

export interface ToolContext {
  /** Aborts when the person stops the turn, or the call has taken too long. */
  signal: AbortSignal;
  /** Shown with the call while it runs; each text takes the place of the one before. The call is given its time anew. */
  onProgress: (text: string) => void;
  /** The call takes no time while this goes on: a person is asked something. Missing for a call that is made in no chat. */
  whileAsking?: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** Hosts whose text is in the chat, and may have led to this call. Missing for a call that is made in none. */
  sources?: readonly string[];
}

export interface Tool extends ToolSpec {
  /** Of the code of a custom tool: what was allowed to one is not allowed to another. Missing for a built-in tool. */
  revision?: string;
  /** From the arguments alone. The interceptors ask the person; a tool never does. */
  effects(input: unknown): ToolEffects;
  /** Validates `input` and runs. Rejects only when `signal` aborts. */
  execute(input: unknown, context: ToolContext): Promise<ToolOutput>;
}

/** What may go to a worker or into a prompt: a `Tool` without its functions, which cannot be cloned. */
export function specOf(tool: ToolSpec): ToolSpec {
  return ToolSpec.parse(tool);
}

/** Which of the tools that are on in a chat a model is shown, where showing it all of them would cost too much. */

/**
 * Why a tool is in the list. `pinned`: the person wants it there. `used`: it was called in this chat. `found`: the model found it in
 * this chat. `named`: the request says its name. `best`: it fits the request clearly better than any other. `close`: it fits the
 * request about as well as the best.
 */
export const ListReason = z.enum(['pinned', 'used', 'found', 'named', 'best', 'close']);
export type ListReason = z.infer<typeof ListReason>;

export const ListedTool = z.object({ name: z.string(), reason: ListReason });
export type ListedTool = z.infer<typeof ListedTool>;

export const ToolOffer = z.object({
  /** The model it was made for: another has other room, and another cache. */
  modelId: z.string(),
  /** Who finds the tools that are not listed: the model, by calling `find_tools`, or the page, by the words of the request. */
  finder: z.enum(['model', 'page']),
  /** In the order in which the prompt lists them. */
  listed: z.array(ListedTool),
  /** How many tools were on. */
  toolsOn: z.number(),
  /** How many of the oldest messages did not fit when it was made: once they are others, the prompt begins anew anyway. */
  droppedMessages: z.number(),
  /** What the list takes of the prompt, and what a list of all tools that are on would take. */
  tokens: z.number(),
  allTokens: z.number(),
});
export type ToolOffer = z.infer<typeof ToolOffer>;

/** Of a chat: when the model searches for tools instead of being shown them all. */
export const ToolSearchMode = z.enum(['always', 'when-needed', 'never']);
export type ToolSearchMode = z.infer<typeof ToolSearchMode>;

/** The name of the tool that finds tools. A person's own tool cannot have it (`tools/custom/check-definition.ts`). */
export const findToolsName = 'find_tools';

/** Names of the tools that results describe. */
export function foundToolsIn(messages: readonly Message[]): string[] {
  return messages.flatMap((message) =>
    message.role === 'tool' ? message.results.flatMap(({ foundTools = [] }) => foundTools) : [],
  );
}

/** Finds the tools that a request asks for. */

/** What a model that is on this device makes of texts: one vector a text, all of one length. Rejects with an `AppError`. */
export type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<readonly Float32Array[]>;

/** Tools as vectors, as they are stored. */
export const ToolVectors = z.object({
  /** Id of the model that made them: those of another cannot be compared. */
  model: z.string(),
  ids: z.array(z.string()),
  stamps: z.array(z.string()),
  /** One vector after another, each of length 1. */
  numbers: z.instanceof(Float32Array),
});
export type ToolVectors = z.infer<typeof ToolVectors>;

/** An index as it is stored: that of `text/lexical-index.ts`. */
export const ToolIndex = z.object({
  /** Of the terms: an index with other terms is of no use. */
  version: z.number(),
  ids: z.array(z.string()),
  stamps: z.array(z.string()),
  owners: z.instanceof(Uint32Array),
  terms: z.string(),
  starts: z.instanceof(Uint32Array),
  documents: z.instanceof(Uint32Array),
  weights: z.instanceof(Float32Array),
  /** Missing where tools are found by their words alone. */
  vectors: z.catch(z.optional(ToolVectors), undefined),
});
export type ToolIndex = z.infer<typeof ToolIndex>;

export interface FoundTool {
  name: string;
  /** Above 0; comparable only within one search. */
  score: number;
}

export interface ToolSearcher {
  /** What can be found from now on: exactly these. Those that it knows already, unchanged, cost next to nothing. */
  index: (tools: readonly ToolSpec[]) => void;
  /** Best first. */
  search: (query: string, limit: number, signal: AbortSignal) => FoundTool[] | Promise<FoundTool[]>;
  /** Of the arguments of a tool that is indexed. */
  schemaOf: (name: string) => JsonSchema | undefined;
}

/** What some words find on the screen. */
export interface FoundNames {
  /** Best first. */
  names: readonly string[];
  /** The same once what is near by meaning is among them; missing where it is not looked for. `failed`: words alone must do. */
  later?: Promise<readonly string[] | 'failed'>;
}

/** How one tool has fared so far, on this device. */

export const ToolStatistics = z.object({
  /** Of the tool. */
  name: z.string(),
  /** Calls that ran. */
  calls: z.number(),
  /** Calls whose result was an error. */
  failures: z.number(),
  /** Calls whose text had to be repaired before it could be read. */
  repairs: z.number(),
  /** Milliseconds, of all calls together. */
  totalMs: z.number(),
});
export type ToolStatistics = z.infer<typeof ToolStatistics>;
