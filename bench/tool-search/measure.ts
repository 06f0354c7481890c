/** Measures what a searcher finds and how long it takes. */
import MiniSearch from 'minisearch';
import type { ToolSpec } from '../../src/contracts/tool';
import { splitPair, searchTerms } from '../../src/text/search-terms';
import { createLexicalSearcher } from '../../src/tools/tool-search/lexical';
import type { Question } from './corpus';

type Search = (query: string) => string[];

export interface Marks {
  questions: number;
  recall1: number;
  recall5: number;
  ndcg5: number;
  /** Milliseconds of one search. */
  p50: number;
  p99: number;
}

export function examine(search: Search, questions: readonly Question[], now: () => number): Marks {
  const times: number[] = [];
  let [first, five, gain] = [0, 0, 0];
  // One unmeasured pass first, so that compiling and initialising do not count.
  for (const { request } of questions) search(request);
  for (const { request, tool } of questions) {
    let least = Infinity;
    let found: string[] = [];
    // The shortest of three times, because other programs can only make one longer.
    for (let turn = 0; turn < 3; turn++) {
      const begun = now();
      found = search(request);
      least = Math.min(least, now() - begun);
    }
    times.push(least);
    const rank = found.slice(0, 5).indexOf(tool);
    if (rank === 0) first++;
    if (rank >= 0) {
      five++;
      gain += 1 / Math.log2(rank + 2);
    }
  }
  times.sort((one, other) => one - other);
  const share = (count: number) => count / questions.length;
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  return {
    questions: questions.length,
    recall1: share(first),
    recall5: share(five),
    ndcg5: share(gain),
    p50: at(0.5),
    p99: at(0.99),
  };
}

export function ours(tools: readonly ToolSpec[]): Search {
  const searcher = createLexicalSearcher();
  searcher.index(tools);
  return (query) => searcher.search(query, 5).map(({ name }) => name);
}

/** A search by MiniSearch with the same terms. `boost` is the weight of each field. Without it, all fields count the same. */
export function miniSearch(
  tools: readonly ToolSpec[],
  { boost = {}, isLoose = false, hasCharacters = false } = {},
): Search {
  const index = new MiniSearch({
    idField: 'name',
    fields: ['name', 'title', 'description', 'parameters', 'keywords', 'examples'],
    tokenize: hasCharacters ? termsAndCharacters : searchTerms,
    processTerm: (term) => term,
    searchOptions: { boost, ...(isLoose && { prefix: true, fuzzy: 0.2 }) },
  });
  index.addAll(
    tools.map(({ name, title, description, inputSchema, keywords = {}, examples = [] }) => ({
      name,
      title,
      description,
      parameters: Object.entries(inputSchema['properties'] as Record<string, { description?: string }>)
        .map(([key, { description: meaning = '' }]) => `${key} ${meaning}`)
        .join(' '),
      keywords: Object.values(keywords).flat().join(', '),
      examples: examples.map(({ request }) => request).join('\n'),
    })),
  );
  return (query) =>
    index
      .search(query)
      .map(({ id }) => String(id))
      .slice(0, 5);
}

const termsAndCharacters = (text: string) => searchTerms(text).flatMap((term) => [term, ...splitPair(term)]);

/** The best weights for MiniSearch on the tools for tuning. */
export const tunedBoost = { name: 2, title: 3, description: 2, parameters: 1, keywords: 3, examples: 1 };
