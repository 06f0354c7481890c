/** Finds tools by their words. */
import type { FoundTool, ToolSearcher, ToolSpec } from '../../contracts/tool';
import { type IndexField, LexicalIndex, type StoredIndex } from '../../text/lexical-index';
import { meaningsOf } from './same-meaning';
import { stampOfText } from './stamp-of-text';

export interface LexicalSearcher extends ToolSearcher {
  /** As `ToolSearcher`; says whether anything changed, and should be stored again. */
  index: (tools: readonly ToolSpec[]) => boolean;
  /** Nothing for a query that has no term in common with any tool. */
  search: (query: string, limit: number) => FoundTool[];
  toStored: () => StoredIndex;
}

/** Found with `bench/tool-search/tune.ts` on tools that are not in its exam. */
export const tuned = {
  name: 4,
  title: 3,
  description: 2,
  parameters: 1,
  keywords: 2,
  saturation: 4,
  lengthShare: 0.2,
  lineLengthShare: 0.1,
  lineWeight: 0.75,
  lineShare: 0.5,
  nearShare: 0.2,
  meaningShare: 0.5,
  characterShare: 0.35,
};

interface SearcherOptions {
  /** An index of an earlier visit, which saves reading again what has not changed since. */
  stored?: StoredIndex | undefined;
  tuning?: typeof tuned;
}

export function createLexicalSearcher({ stored, tuning = tuned }: SearcherOptions = {}): LexicalSearcher {
  const index = new LexicalIndex({ ranking: tuning, stored, meaningsOf });
  let byName = new Map<string, ToolSpec>();
  return {
    index(tools) {
      byName = new Map(tools.map((tool) => [tool.name, tool]));
      return index.update(
        [...byName.values()].map((tool) => ({
          id: tool.name,
          stamp: stampOf(tool),
          read: () => ({
            fields: fieldsOf(tool, tuning),
            lines: (tool.examples ?? []).map(({ request }) => request),
          }),
        })),
      );
    },
    search: (query, limit) => index.search(query, limit).map(({ id, score }) => ({ name: id, score })),
    schemaOf: (name) => byName.get(name)?.inputSchema,
    toStored: () => index.toStored(),
  };
}

/** Usual numbers of terms: what is longer says less with each of them. */
function fieldsOf(
  { name, title, description, inputSchema, keywords = {} }: ToolSpec,
  weights: typeof tuned,
): IndexField[] {
  return [
    { text: name, weight: weights.name, usual: 3 },
    { text: title, weight: weights.title, usual: 3 },
    { text: description, weight: weights.description, usual: 10 },
    { text: wordsOf(inputSchema, 0).join(' '), weight: weights.parameters, usual: 10 },
    ...Object.values(keywords).map((words) => ({
      text: words.join(', '),
      weight: weights.keywords,
      usual: 6,
    })),
  ];
}

/** Names and descriptions of parameters, and what they may be chosen from; of nested ones too. */
function wordsOf(schema: unknown, depth: number): string[] {
  if (typeof schema !== 'object' || schema === null || depth > 4) return [];
  const { properties, items, description, enum: choices } = schema as Record<string, unknown>;
  return [
    ...(typeof description === 'string' ? [description] : []),
    ...(Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'string') : []),
    ...(typeof properties === 'object' && properties !== null
      ? Object.entries(properties).flatMap(([name, inner]) => [name, ...wordsOf(inner, depth + 1)])
      : []),
    ...wordsOf(items, depth + 1),
  ];
}

/** Of all that is indexed of a tool. */
function stampOf({ name, title, description, inputSchema, keywords, examples }: ToolSpec): string {
  const requests = examples?.map(({ request }) => request);
  return stampOfText(JSON.stringify([name, title, description, inputSchema, keywords, requests]));
}
