/** Wikipedia's own search: no key, and every page may read it. In the language of the query. */
import { read, z } from '../../../contracts/schema';
import type { SearchProvider } from '../provider';

const Page = z.object({
  title: z.string(),
  fullurl: z.string(),
  /** From 1, the order of the search: the pages themselves come in any. */
  index: z.number(),
  extract: z.optional(z.string()),
});
const Reply = z.union([
  z.object({ error: z.object({ info: z.string() }) }),
  // Without a hit there is no `query`.
  z.object({ query: z.optional(z.object({ pages: z.array(Page) })) }),
]);

/** Codes that a browser has for a language whose Wikipedia is called otherwise. */
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
      // What lets any page read the reply.
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
