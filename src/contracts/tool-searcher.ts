/** Finds the tools that a request asks for. */
import type { JsonSchema } from './schema';
import type { ToolSpec } from './tool';

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
