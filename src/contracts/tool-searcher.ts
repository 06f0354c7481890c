/** Finds the tools that a request asks for. */
import { type JsonSchema, z } from './schema';
import type { ToolSpec } from './tool';

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
