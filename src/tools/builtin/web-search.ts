import { z } from '../../contracts/schema';
import type { Tool } from '../../contracts/tool';
import { defineTool } from '../define-tool';
import type { SearchEngine } from '../web-search/search-engine';
import type { SearchHit, SearchReply } from '../web-search/providers';

export interface WebSearchOptions {
  searchEngine: Pick<SearchEngine, 'targets' | 'search'>;
}

export function createWebSearchTool({ searchEngine }: WebSearchOptions): Tool {
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
    effects: ({ query }) => ({ type: 'search', query, providers: searchEngine.targets(query) }),
    async run({ query, depth = 'quick' }, context) {
      const found = await searchEngine.search(query, depth, context);
      // Failures are separate texts: they are not part of the answer.
      return {
        texts: [writeHits(found), ...found.failures],
        origins: found.sources.map((name) => ({ door: 'page', name })),
      };
    },
  });
}

/** Maximum characters of one hit. Ten hits then fill the usual result limit. */
const maxSummaryCharacters = 1_200;

/** Writes each field on one line, so a hit cannot look like two. Models are trained on exactly this format. */
function writeHits({ answer = '', hits }: SearchReply): string {
  const lines = answer.trim() === '' ? [] : [toOneLine(answer)];
  if (hits.length === 0) lines.push('No results.');
  return [...lines, ...hits.map(writeHit)].join('\n');
}

function writeHit({ title, url, content, score }: SearchHit, index: number): string {
  const summary = toOneLine(content);
  const lines = [`${index + 1}. ${toOneLine(title) || new URL(url).host}`, url];
  if (summary !== '') lines.push(clipText(summary));
  if (score !== undefined) lines.push(`score: ${score.toFixed(2)}`);
  return lines.join('\n');
}

function toOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function clipText(text: string): string {
  if (text.length <= maxSummaryCharacters) return text;
  const start = text.slice(0, maxSummaryCharacters).replace(/[\uD800-\uDBFF]$/, '');
  const space = start.lastIndexOf(' ');
  return `${space > maxSummaryCharacters / 2 ? start.slice(0, space) : start} …`;
}
