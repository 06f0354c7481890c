/** SearXNG, a self-hosted search engine. The server must enable the `json` format and CORS. */
import { read, z } from '../../../contracts/schema';
import type { SearchProvider } from '../provider';

const Reply = z.object({
  // Strings until 2024, objects since.
  answers: z.optional(z.array(z.union([z.string(), z.object({ answer: z.optional(z.string()) })]))),
  results: z.array(
    z.object({
      title: z.string(),
      url: z.string(),
      content: z.optional(z.nullable(z.string())),
      score: z.optional(z.nullable(z.number())),
    }),
  ),
});

export const searxng: SearchProvider = {
  id: 'searxng',
  name: 'SearXNG',
  fields: { url: 'needed' },
  isOnByDefault: false,

  request({ query, language }, { url: base = '' }) {
    const url = new URL(base.replace(/\/*(?:search\/?)?$/, '/search'));
    url.searchParams.set('q', query);
    url.searchParams.set('format', 'json');
    url.searchParams.set('language', language);
    return { url: url.href, method: 'GET', headers: {} };
  },

  read(reply) {
    const parsed = read(Reply, reply);
    if (!parsed.ok) throw new Error(parsed.reason);
    const [first] = parsed.value.answers ?? [];
    return {
      answer: typeof first === 'string' ? first : first?.answer,
      hits: parsed.value.results.map(({ title, url, content, score }) => ({
        title,
        url,
        content: content ?? '',
        score: score ?? undefined,
      })),
    };
  },
};
