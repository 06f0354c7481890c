/** Tools: how models see them, how the agent loop runs them, and how models find them. */
import type { Message, ToolResult } from './message';
import type { Origin } from './origin';
import { JsonSchema, z } from './schema';
import type { ToolFailure } from './tool-failure';

/** Hints as in MCP. Hearth does not trust hints of third-party tools. */
const ToolAnnotations = z.object({
  readOnlyHint: z.optional(z.boolean()),
  destructiveHint: z.optional(z.boolean()),
  /** If true, the same call within minutes may get the cached result. */
  idempotentHint: z.optional(z.boolean()),
  openWorldHint: z.optional(z.boolean()),
});

/** Search words in addition to the description, by language: `{ en: ['sunny'], zh: ['下雨'] }`. */
export const ToolKeywords = z.record(z.string(), z.array(z.string()));
export type ToolKeywords = z.infer<typeof ToolKeywords>;

export const ToolSpec = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  inputSchema: JsonSchema,
  outputSchema: z.optional(JsonSchema),
  annotations: z.optional(ToolAnnotations),
  /** Example requests with their arguments, shown to small models. */
  examples: z.optional(
    z.array(z.object({ request: z.string(), arguments: z.record(z.string(), z.unknown()) })),
  ),
  /** Arguments that the model may phrase freely. A very small model must copy all other arguments from the chat. */
  composedArguments: z.optional(z.array(z.string())),
  keywords: z.optional(ToolKeywords),
  server: z.optional(z.string()),
  /** True if the arguments are too hard for very small models. Hearth does not offer them the tool. */
  isForLargerModels: z.optional(z.boolean()),
  /** True if the page calls the tool for very small models. Their list of tools leaves it out, because they do not know it. */
  isCalledByPage: z.optional(z.boolean()),
});
export type ToolSpec = z.infer<typeof ToolSpec>;

/** The access that a call needs. Only `side-effect` changes data. */
export type ToolEffects =
  | { type: 'pure' }
  /** Reads only these URLs. If that fails, the request may go through the host `via`. */
  | { type: 'net-read'; urls: readonly string[]; via?: string }
  | { type: 'search'; query: string; providers: readonly SearchTarget[] }
  /** Asks a sub-agent, whose own calls are checked separately. If `server` and `host` are set, a remote model gets the request. */
  | { type: 'agent'; server?: string; host?: string }
  /** Reads any URL of these hosts. For custom tools. */
  | { type: 'net-hosts'; hosts: readonly string[] }
  /** Runs on an MCP server, so the effects are unknown. `server`: the user's name for the server. */
  | { type: 'remote'; server: string; serverId: string; host: string }
  /** Changes data on these hosts or, without hosts, on this device. */
  | {
      type: 'side-effect';
      hosts?: readonly string[];
      /** The text of a note to store. The user always reviews it, because other chats will read it. */
      note?: string;
    };

/** True if a call uses the network. False for sub-agents, even if their model is on a server: `decideAgent` checks those calls. */
export function reachesOutside(effects: ToolEffects): boolean {
  if (effects.type === 'side-effect') return (effects.hosts ?? []).length > 0;
  return effects.type !== 'pure' && effects.type !== 'agent';
}

export interface SearchTarget {
  id: string;
  name: string;
  host: string;
}

export type ToolOutput = Omit<ToolResult, 'toolCallId' | 'toolName' | 'timing'>;

/** The output of a sandbox, server or sub-agent, before its caller adds where the text comes from. */
export type UnmarkedOutput = Omit<ToolOutput, 'origins'>;

/** `text` is the error message for the model. */
export function createFailedOutput(failure: ToolFailure, text: string): ToolOutput {
  return { content: [{ type: 'text', text }], isError: true, failure, origins: [{ door: 'hearth' }] };
}

export interface ToolContext {
  /** Aborts when the user stops the turn or the call times out. */
  signal: AbortSignal;
  /** Shows a progress message in place of the last one. Restarts the call's timeout. */
  onProgress: (text: string) => void;
  /** Pauses the call's timeout while `work` asks the user. Absent outside chats. */
  whileAsking?: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** Strangers whose text is in the chat or the prompt and may have caused this call. Absent outside chats. */
  origins?: readonly Origin[];
}

export interface Tool extends ToolSpec {
  /** Who wrote the description, if a stranger did. Absent if Hearth or the user wrote it. */
  origin?: Origin;
  /** Hash of a custom tool's code. Permissions apply to one hash. Absent for built-in tools. */
  revision?: string;
  /** Derives the effects from the arguments, without asking the user. */
  effects(input: unknown): ToolEffects;
  /** Validates `input` and runs the tool. Rejects only if `signal` aborts. */
  execute(input: unknown, context: ToolContext): Promise<ToolOutput>;
}

/** Returns the tool without its functions, because workers and prompts need plain data. */
export function specOf(tool: ToolSpec): ToolSpec {
  return ToolSpec.parse(tool);
}

/** Why the prompt lists a tool. `found`: the model searched for it. `named`: the request names it. `close`: nearly the `best` match. */
export const ListingReason = z.enum(['pinned', 'used', 'found', 'named', 'best', 'close']);
export type ListingReason = z.infer<typeof ListingReason>;

export const ListedTool = z.object({ name: z.string(), reason: ListingReason });
export type ListedTool = z.infer<typeof ListedTool>;

/** The tools that a model sees when a list of all tools would take too much of its context. */
export const ToolOffer = z.object({
  /** The model that the list is for. Another model has another context size and cache. */
  modelId: z.string(),
  /** Who finds tools that are not listed: the model by calling `find_tools`, or the page by searching for the words of the request. */
  finder: z.enum(['model', 'page']),
  listed: z.array(ListedTool),
  toolsOn: z.number(),
  /** How many of the oldest messages the prompt leaves out. If the number changes, the cached prompt is useless, so the tools may change too. */
  droppedMessages: z.number(),
  /** Tokens of this list. `allTokens`: tokens of a list of all tools that are on. */
  tokens: z.number(),
  allTokens: z.number(),
});
export type ToolOffer = z.infer<typeof ToolOffer>;

export const ToolSearchMode = z.enum(['always', 'when-needed', 'never']);
export type ToolSearchMode = z.infer<typeof ToolSearchMode>;

export function foundToolsIn(messages: readonly Message[]): string[] {
  return messages.flatMap((message) =>
    message.role === 'tool' ? message.results.flatMap(({ foundTools = [] }) => foundTools) : [],
  );
}

/** Computes one embedding per text, all of the same length. Rejects with an `AppError`. */
export type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<readonly Float32Array[]>;

export const ToolVectors = z.object({
  /** Id of the embedding model. Vectors of different models are not comparable. */
  model: z.string(),
  ids: z.array(z.string()),
  stamps: z.array(z.string()),
  /** All vectors in one array, each normalized to length 1. */
  numbers: z.instanceof(Float32Array),
});
export type ToolVectors = z.infer<typeof ToolVectors>;

export const ToolIndex = z.object({
  /** Version of the code that extracted the terms. If Hearth now has another version of this code, it rebuilds the index. */
  version: z.number(),
  ids: z.array(z.string()),
  stamps: z.array(z.string()),
  owners: z.instanceof(Uint32Array),
  terms: z.string(),
  starts: z.instanceof(Uint32Array),
  documents: z.instanceof(Uint32Array),
  weights: z.instanceof(Float32Array),
  vectors: z.catch(z.optional(ToolVectors), undefined),
});
export type ToolIndex = z.infer<typeof ToolIndex>;

export interface FoundTool {
  name: string;
  /** Above 0. Scores are only comparable within one search. */
  score: number;
}

export interface FoundToolNames {
  names: readonly string[];
  /** Resolves to `names` plus tools with a meaning similar to the query, or `failed`. Absent if the user chose no embedding model. */
  later?: Promise<readonly string[] | 'failed'>;
}

export const ToolStatistics = z.object({
  name: z.string(),
  calls: z.number(),
  failures: z.number(),
  repairs: z.number(),
  totalMs: z.number(),
});
export type ToolStatistics = z.infer<typeof ToolStatistics>;
