/** Tavily, a search API made for models. Needs the user's own key. */
import { read, z } from '../../../contracts/schema';
import type { SearchProvider } from '../provider';

const Reply = z.object({
  answer: z.optional(z.nullable(z.string())),
  results: z.array(
    z.object({
      title: z.string(),
      url: z.string(),
      content: z.string(),
      score: z.optional(z.number()),
    }),
  ),
});

export const tavily: SearchProvider = {
  id: 'tavily',
  name: 'Tavily',
  fields: { key: 'needed' },
  isOnByDefault: false,

  request({ query, depth, count }, { key = '' }) {
    const isDeep = depth === 'deep';
    return {
      url: 'https://api.tavily.com/search',
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        query,
        search_depth: isDeep ? 'advanced' : 'basic',
        max_results: count,
        include_answer: isDeep,
        include_raw_content: false,
        include_images: false,
      }),
    };
  },

  read(reply) {
    const parsed = read(Reply, reply);
    if (!parsed.ok) throw new Error(parsed.reason);
    return { answer: parsed.value.answer ?? undefined, hits: parsed.value.results };
  },
};
