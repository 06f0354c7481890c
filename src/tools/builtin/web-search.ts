/** Searches the web with the providers that the person has switched on. */
import { z } from '../../contracts/schema';
import type { Tool } from '../../contracts/tool';
import { defineTool } from '../define-tool';
import type { SearchEngine } from '../web-search/search-engine';
import { writeHits } from '../web-search/write-hits';

export interface WebSearchParts {
  searchEngine: Pick<SearchEngine, 'targets' | 'search'>;
}

export function createWebSearch({ searchEngine: { targets, search } }: WebSearchParts): Tool {
  return defineTool({
    name: 'web_search',
    title: 'Web search',
    description: 'Searches the web and gives titles, addresses and summaries.',
    keywords: {
      en: ['internet', 'google', 'look up', 'find out', 'online', 'news', 'research'],
      zh: ['上网', '搜索', '查资料', '网上', '新闻', '搜一下'],
    },
    input: z.strictObject({
      query: z.string().check(z.minLength(1), z.maxLength(400)),
      depth: z.optional(z.enum(['quick', 'deep'])),
    }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
    examples: [
      { request: 'Search for northern lights', arguments: { query: 'northern lights' } },
      { request: 'Research heat pumps thoroughly', arguments: { query: 'heat pumps', depth: 'deep' } },
    ],
    effects: ({ query }) => ({ type: 'search', query, providers: targets(query) }),
    async run({ query, depth = 'quick' }, context) {
      const found = await search(query, depth, context);
      // What went wrong beside it is not part of the answer.
      const [first, ...notes] = [writeHits(found), ...found.failures] as [string, ...string[]];
      return { texts: [first, ...notes], sources: found.sources };
    },
  });
}
