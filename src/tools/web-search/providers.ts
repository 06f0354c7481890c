/** Search providers build requests and read replies. The search engine handles rate limits, retries and errors. */
import type { EgressRequest } from '../../contracts/egress';
import { read, z } from '../../contracts/schema';
import {
  defaultResultPaths,
  type ProviderInfo,
  type ProviderSetting,
  type Settings,
} from '../../contracts/settings';

export interface SearchHit {
  title: string;
  url: string;
  content: string;
  /** The provider's measure of relevance, usually 0 to 1. */
  score?: number | undefined;
}

export interface SearchReply {
  answer?: string | undefined;
  hits: SearchHit[];
}

export interface WebSearch {
  query: string;
  /** `quick`: few hits at low cost. `deep`: the best search, with a direct answer if the provider has one. */
  depth: 'quick' | 'deep';
  count: number;
  /** ISO 639 code of the query's language. */
  language: string;
}

export interface SearchProvider extends ProviderInfo {
  /** Must put the key into a header or the body, never into the address. Throws if the setting has no valid address. */
  request: (
    search: WebSearch,
    setting: ProviderSetting,
  ) => Pick<EgressRequest, 'url' | 'method' | 'headers' | 'body'>;
  /** `reply` is untrusted JSON. Throws an `Error` with a readable message if its shape is wrong. */
  read: (reply: unknown, setting: ProviderSetting) => SearchReply;
}

const WikipediaPage = z.object({
  title: z.string(),
  fullurl: z.string(),
  /** Rank of the hit, starting at 1. We sort by it, because Wikipedia returns the pages in no particular order. */
  index: z.number(),
  extract: z.optional(z.string()),
});
const WikipediaReply = z.union([
  z.object({ error: z.object({ info: z.string() }) }),
  z.object({ query: z.optional(z.object({ pages: z.array(WikipediaPage) })) }),
]);

const wikipediaEditions: Readonly<Record<string, string>> = { nb: 'no', fil: 'tl', iw: 'he', in: 'id' };

function parseReply<Schema extends z.ZodMiniType>(schema: Schema, reply: unknown): z.infer<Schema> {
  const parsed = read(schema, reply);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

const wikipedia: SearchProvider = {
  id: 'wikipedia',
  name: 'Wikipedia',
  fields: {},
  isOnByDefault: true,

  request({ query, depth, count, language }) {
    const url = new URL(`https://${wikipediaEditions[language] ?? language}.wikipedia.org/w/api.php`);
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
    const value = parseReply(WikipediaReply, reply);
    if ('error' in value) throw new Error(value.error.info);
    const pages = [...(value.query?.pages ?? [])].sort((a, b) => a.index - b.index);
    const hits = pages.map(({ title, fullurl: url, extract = '' }) => ({ title, url, content: extract }));
    return { hits };
  },
};

const TavilyReply = z.object({
  answer: z.optional(z.nullable(z.string())),
  results: z.array(
    z.object({ title: z.string(), url: z.string(), content: z.string(), score: z.optional(z.number()) }),
  ),
});

const tavily: SearchProvider = {
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
    const { answer, results } = parseReply(TavilyReply, reply);
    return { answer: answer ?? undefined, hits: results };
  },
};

const SearxngReply = z.object({
  // Strings in SearXNG until 2024, objects since.
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

/** SearXNG, a self-hosted search engine. The server must enable the `json` format and CORS. */
const searxng: SearchProvider = {
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
    const { answers: [first] = [], results } = parseReply(SearxngReply, reply);
    const hits = results.map(({ title, url, content, score }) => {
      return { title, url, content: content ?? '', score: score ?? undefined };
    });
    return { answer: typeof first === 'string' ? first : first?.answer, hits };
  },
};

/** Any search API with JSON replies. The user enters an address with placeholders, and the paths to the hits. */
const customProvider: SearchProvider = {
  id: 'template',
  name: 'Custom',
  fields: { url: 'needed', key: 'optional', paths: 'needed' },
  isOnByDefault: false,

  request({ query, count, language }, { url = '', key = '' }) {
    const places: Readonly<Record<string, string>> = { query, count: `${count}`, language };
    const filled = url.replace(/\{(\w+)\}/g, (place, name: string) => {
      const value = Object.hasOwn(places, name) ? places[name] : undefined;
      return value === undefined ? place : encodeURIComponent(value);
    });
    return {
      url: new URL(filled).href,
      method: 'GET',
      headers: { accept: 'application/json', ...(key !== '' && { authorization: `Bearer ${key}` }) },
    };
  },

  read(reply, setting) {
    const paths = resultPathsOf(setting);
    const list = findValue(reply, paths.list);
    if (!Array.isArray(list)) throw new Error(`there is no list at "${paths.list}"`);
    const hits = list.flatMap((item: unknown): SearchHit[] => {
      const url = findValue(item, paths.url);
      const [title, content] = [paths.title, paths.content].map((path) => toText(findValue(item, path)));
      return typeof url === 'string' ? [{ title: title || url, url, content: content ?? '' }] : [];
    });
    if (list.length > 0 && hits.length === 0) throw new Error(`no result has an address at "${paths.url}"`);
    return { hits };
  },
};

function resultPathsOf({ paths = {} }: ProviderSetting): typeof defaultResultPaths {
  const filled = Object.fromEntries(Object.entries(paths).filter(([, path]) => path.trim() !== ''));
  return { ...defaultResultPaths, ...filled };
}

/** Returns the value at a path, for example `web.results`. The path '' returns `value` itself. */
function findValue(value: unknown, path: string): unknown {
  const steps = path.split('.').filter((name) => name !== '');
  return steps.reduce<unknown>((found, step) => {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    return (found as Readonly<Record<string, unknown>>)[step];
  }, value);
}

function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The Settings screen and searches use this order. */
export const providers: readonly SearchProvider[] = [wikipedia, tavily, searxng, customProvider];

export const providerInfos: readonly ProviderInfo[] = providers.map(
  ({ id, name, fields, isOnByDefault }) => ({ id, name, fields, isOnByDefault }),
);

export function settingOf(provider: SearchProvider, settings: Pick<Settings, 'providers'>): ProviderSetting {
  return settings.providers[provider.id] ?? { isOn: provider.isOnByDefault };
}
