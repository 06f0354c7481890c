import { read, z } from '../../../contracts/schema';
import type { SearchProvider } from '../provider';

const Page = z.object({
  title: z.string(),
  fullurl: z.string(),
  /** Rank of the hit, from 1; the pages arrive in no particular order. */
  index: z.number(),
  extract: z.optional(z.string()),
});
const Reply = z.union([
  z.object({ error: z.object({ info: z.string() }) }),
  z.object({ query: z.optional(z.object({ pages: z.array(Page) })) }),
]);

const editions: Readonly<Record<string, string>> = { nb: 'no', fil: 'tl', iw: 'he', in: 'id' };

export const wikipedia: SearchProvider = {
  id: 'wikipedia',
  name: 'Wikipedia',
  fields: {},
  isOnByDefault: true,

  request({ query, depth, count, language }) {
    const url = new URL(`https://${editions[language] ?? language}.wikipedia.org/w/api.php`);
    url.search = new URLSearchParams({
      action: 'query',
      format: 'json',
      formatversion: '2',
      // Makes Wikipedia send CORS headers.
      origin: '*',
      generator: 'search',
      gsrsearch: query,
      gsrlimit: `${count}`,
      prop: 'extracts|info',
      inprop: 'url',
      exintro: '1',
      explaintext: '1',
      exlimit: 'max',
      exchars: depth === 'quick' ? '700' : '1200',
    }).toString();
    return { url: url.href, method: 'GET', headers: {} };
  },

  read(reply) {
    const parsed = read(Reply, reply);
    if (!parsed.ok) throw new Error(parsed.reason);
    if ('error' in parsed.value) throw new Error(parsed.value.error.info);
    const pages = [...(parsed.value.query?.pages ?? [])].sort((a, b) => a.index - b.index);
    return {
      hits: pages.map(({ title, fullurl, extract = '' }) => ({ title, url: fullurl, content: extract })),
    };
  },
};
