/** Finds the tools that a request asks for. */
import { type JsonSchema, z } from './schema';
import type { ToolSpec } from './tool';

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
  /** Best first. Nothing for a query that has no term in common with any tool. */
  search: (query: string, limit: number) => FoundTool[];
  /** Of the arguments of a tool that is indexed. */
  schemaOf: (name: string) => JsonSchema | undefined;
}
