/** Tools: what models see, what the agent loop runs, which tools a prompt lists, and how tools are found. */
import type { Message, ToolResult } from './message';
import { JsonSchema, z } from './schema';
import type { ToolFailure } from './tool-failure';

/** Hints in MCP terms. Hints of third-party tools are not trusted. */
const ToolAnnotations = z.object({
  readOnlyHint: z.optional(z.boolean()),
  destructiveHint: z.optional(z.boolean()),
  /** Whether a call repeated within minutes may get the cached result (`tools/interceptors.ts`, `agent/turn-guard.ts`). */
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
  /** Whether very small models cannot write the arguments, such as code. They are not offered the tool. */
  isForLargerModels: z.optional(z.boolean()),
  /** Whether only the page calls the tool for very small models, which do not know it. A very small model sees the tool only for a call by the page. */
  isCalledByPage: z.optional(z.boolean()),
});
export type ToolSpec = z.infer<typeof ToolSpec>;

/** The access that a call needs. Only `side-effect` changes anything. */
export type ToolEffects =
  | { type: 'pure' }
  /** Reads exactly these URLs. If that fails, the request may go through the host `via`. */
  | { type: 'net-read'; urls: readonly string[]; via?: string }
  /** Sends a query to search providers that the user enabled. */
  | { type: 'search'; query: string; providers: readonly SearchTarget[] }
  /** Asks a sub-agent, whose calls are checked separately. With `server` (a model's name) and `host`, a remote server receives the request. */
  | { type: 'agent'; server?: string; host?: string }
  /** Reads anything from these hosts. For custom tools. */
  | { type: 'net-hosts'; hosts: readonly string[] }
  /** Runs on an MCP server, where its effects are unknown. `server` is the user's name for it. */
  | { type: 'remote'; server: string; host: string }
  /** Changes something on these hosts or, without hosts, on this device. */
  | {
      type: 'side-effect';
      hosts?: readonly string[];
      /** The text of a note to store. Other chats will read it, so the user always reviews it. */
      note?: string;
    };

/** Whether a call with these effects uses the network. Sub-agents on a server are checked separately. */
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

/** `text` is the error message for the model. */
export function failedOutput(failure: ToolFailure, text: string): ToolOutput {
  return { content: [{ type: 'text', text }], isError: true, failure };
}

export interface ToolContext {
  /** Aborts when the user stops the turn or the call times out. */
  signal: AbortSignal;
  /** Shows a progress message in place of the last one, and restarts the call's timeout. */
  onProgress: (text: string) => void;
  /** Stops the call's timeout while `work` asks the user something. Absent outside chats. */
  whileAsking?: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** Hosts whose text is in the chat and may have caused this call. Absent outside chats. */
  sources?: readonly string[];
}

export interface Tool extends ToolSpec {
  /** Hash of a custom tool's code, which permissions are bound to. Absent for built-in tools. */
  revision?: string;
  /** Derives the effects from the arguments. Only interceptors ask the user for permission. */
  effects(input: unknown): ToolEffects;
  /** Validates `input` and runs the tool. Rejects only if `signal` aborts. */
  execute(input: unknown, context: ToolContext): Promise<ToolOutput>;
}

/** Returns the tool without its functions, which cannot be cloned. For workers and prompts. */
export function specOf(tool: ToolSpec): ToolSpec {
  return ToolSpec.parse(tool);
}

/** Why the prompt lists a tool. `used`: called in this chat. `found`: by the model. `named`: in the request. `close`: nearly the `best` match. */
export const ListingReason = z.enum(['pinned', 'used', 'found', 'named', 'best', 'close']);
export type ListingReason = z.infer<typeof ListingReason>;

export const ListedTool = z.object({ name: z.string(), reason: ListingReason });
export type ListedTool = z.infer<typeof ListedTool>;

/** The tools that a model is shown when listing all of them would take too much of its context. */
export const ToolOffer = z.object({
  /** The model that the list was made for. Another model has a different context and cache. */
  modelId: z.string(),
  /** Who finds the other tools: the model by calling `find_tools`, or the page by the words of the request. */
  finder: z.enum(['model', 'page']),
  listed: z.array(ListedTool),
  toolsOn: z.number(),
  /** How many of the oldest messages did not fit. If this number changes, the prompt is read from the start anyway. */
  droppedMessages: z.number(),
  /** Token counts of this list, and of a list of all tools that are on. */
  tokens: z.number(),
  allTokens: z.number(),
});
export type ToolOffer = z.infer<typeof ToolOffer>;

/** When the model searches for tools instead of seeing all of them. */
export const ToolSearchMode = z.enum(['always', 'when-needed', 'never']);
export type ToolSearchMode = z.infer<typeof ToolSearchMode>;

/** The tool that finds tools. Custom tools cannot use this name (`tools/custom/check-definition.ts`). */
export const findToolsName = 'find_tools';

export function foundToolsIn(messages: readonly Message[]): string[] {
  return messages.flatMap((message) =>
    message.role === 'tool' ? message.results.flatMap(({ foundTools = [] }) => foundTools) : [],
  );
}

/** Makes one embedding per text, all of the same length. Rejects with an `AppError`. */
export type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<readonly Float32Array[]>;

export const ToolVectors = z.object({
  /** Id of the embedding model. Vectors of different models cannot be compared. */
  model: z.string(),
  ids: z.array(z.string()),
  stamps: z.array(z.string()),
  /** All vectors in one array, each normalized to length 1. */
  numbers: z.instanceof(Float32Array),
});
export type ToolVectors = z.infer<typeof ToolVectors>;

export const ToolIndex = z.object({
  /** Version of the term extraction. An index of another version is rebuilt. */
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
  /** The names including matches by meaning. Absent if there is no embedding model. `failed`: only matches by words are available. */
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
