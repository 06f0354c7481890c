/** Queries every enabled search provider and merges the replies. Lists failures instead of throwing. */
import { type Egress, EgressError } from '../../contracts/egress';
import { parseJson } from '../../contracts/schema';
import { defaultSearchesPerMinute, type ProviderSetting, type Settings } from '../../contracts/settings';
import type { SearchTarget, ToolContext } from '../../contracts/tool';
import { ToolError } from '../../contracts/tool-failure';
import { originOf } from '../../egress/gate';
import { failureOf } from '../define-tool';
import { type RateLimits, explainStatus, sendWithRetries } from '../http';
import {
  type SearchHit,
  providers as all,
  type WebSearch,
  type SearchProvider,
  type SearchReply,
  settingOf,
} from './providers';

interface SearchResult extends SearchReply {
  sources: string[];
  failures: string[];
}

export type SearchEngine = ReturnType<typeof createSearchEngine>;

type ReadyProvider = { provider: SearchProvider; setting: ProviderSetting };

const hitCountByDepth = { quick: 3, deep: 10 };
const replyTimeoutMs = 10_000;
const maxReplyBytes = 1_000_000;

export function createSearchEngine(parts: {
  egress: Egress;
  settings: () => Pick<Settings, 'providers'>;
  language: () => string;
  limits: RateLimits;
  providers?: readonly SearchProvider[];
}) {
  const { egress, settings, language, limits, providers = all } = parts;
  const searchFor = (query: string, depth: WebSearch['depth']): WebSearch => ({
    query,
    depth,
    count: hitCountByDepth[depth],
    language: detectLanguage(query, language()),
  });
  const ready = (): ReadyProvider[] =>
    providers
      .map((provider) => ({ provider, setting: settingOf(provider, settings()) }))
      .filter(({ provider, setting }) => setting.isOn && isSetUp(provider, setting));

  async function ask({ provider, setting }: ReadyProvider, search: WebSearch, context: ToolContext) {
    const { perMinute = defaultSearchesPerMinute } = setting;
    const waitMs = limits.take(provider.id, perMinute);
    if (waitMs > 0) {
      throw new Error(
        `it was asked ${perMinute} times in this minute, which is its limit here; try again in ${Math.ceil(waitMs / 1000)} s`,
      );
    }
    const response = await sendWithRetries(
      egress,
      {
        ...provider.request(search, setting),
        tool: 'web_search',
        accept: ['application/json', 'text/*'],
        maxBytes: maxReplyBytes,
        timeoutMs: replyTimeoutMs,
        // The user allowed the query only for this provider, so follow no redirect.
        redirect: 'never',
        secrets: setting.key?.trim() ? [{ name: 'key', value: setting.key.trim() }] : [],
      },
      context,
    );
    if (response.status >= 400)
      throw new ToolError('status', `it answered ${explainStatus(response.status)}`);
    const reply = parseJson(response.text);
    if (reply === undefined) throw new Error('it answered something that is no JSON');
    const { answer, hits } = provider.read(reply, setting);
    return { answer, hits: hits.filter(({ url }) => originOf(url) !== undefined).slice(0, search.count) };
  }

  async function askAll(asked: readonly ReadyProvider[], search: WebSearch, context: ToolContext) {
    const replies = await Promise.allSettled(asked.map((one) => ask(one, search, context)));
    context.signal.throwIfAborted();
    const answered: SearchReply[] = [];
    const errors: unknown[] = [];
    // A set, because every provider reports the same message when offline.
    const failures = new Set<string>();
    for (const [at, { provider }] of asked.entries()) {
      const reply = replies[at];
      if (reply?.status === 'fulfilled') answered.push(reply.value);
      else {
        errors.push(reply?.reason);
        failures.add(describeFailure(provider.name, reply?.reason));
      }
    }
    if (answered.length === 0) throw new ToolError(failureOf(errors[0], 'failed'), [...failures].join('\n'));
    const lists = answered.map((reply) => reply.hits);
    const hits = mergeHits(lists, search.count);
    const answer = answered.find((reply) => reply.answer?.trim())?.answer;
    const sources = new Set(hits.map(({ url }) => new URL(url).host));
    if (answer !== undefined) for (const one of asked) sources.add(hostOf(one, search));
    return { answer, hits, failures: [...failures], sources: [...sources] };
  }

  return {
    targets: (query: string): SearchTarget[] =>
      ready().map((one) => {
        const { id, name } = one.provider;
        return { id, name, host: hostOf(one, searchFor(query, 'quick')) };
      }),

    /** Rejects with a readable message if every provider fails. */
    search: async (query: string, depth: WebSearch['depth'], context: ToolContext): Promise<SearchResult> => {
      const asked = ready();
      if (asked.length === 0)
        throw new ToolError('no-provider', 'No search provider is set up. Add one in Settings.');
      const found = await askAll(asked, searchFor(query, depth), context);
      if (depth === 'deep' || !areHitsPoor(found.hits)) return found;
      context.onProgress('Little was found; searching deeper');
      try {
        const deeper = await askAll(asked, searchFor(query, 'deep'), context);
        return deeper.hits.length > 0 ? deeper : found;
      } catch {
        context.signal.throwIfAborted();
        return found;
      }
    },

    tryProvider: async (id: string, query: string, context: ToolContext): Promise<SearchResult> => {
      const provider = providers.find((known) => known.id === id);
      if (!provider) throw new Error(`There is no search provider "${id}".`);
      const setting = settingOf(provider, settings());
      if (!isSetUp(provider, setting))
        throw new Error(`${provider.name} is not set up: something is left empty.`);
      return askAll([{ provider, setting }], searchFor(query, 'quick'), context);
    },
  };
}

export function isSetUp(provider: SearchProvider, setting: ProviderSetting): boolean {
  const { fields } = provider;
  if (fields.key === 'needed' && !setting.key?.trim()) return false;
  return hostOf({ provider, setting }, { query: 'a', depth: 'quick', count: 1, language: 'en' }) !== '';
}

function hostOf({ provider, setting }: ReadyProvider, search: WebSearch): string {
  try {
    return new URL(provider.request(search, setting).url).host;
  } catch {
    return '';
  }
}

function areHitsPoor(hits: readonly SearchHit[]): boolean {
  return hits.every(({ score }) => score !== undefined && score < 0.3);
}

/** Never includes the request, which may contain a key. */
function describeFailure(name: string, reason: unknown): string {
  const text = reason instanceof Error ? reason.message : String(reason);
  if (reason instanceof EgressError && reason.failure === 'offline') return text;
  const line = text.replace(/\s+/g, ' ').slice(0, 240);
  return `${name} did not answer: ${line}${/[.!?]$/.test(line) ? '' : '.'} Look at it in Settings.`;
}

/** Detects the query's language by its script. If the script leaves it open, assumes the app's language. */
function detectLanguage(query: string, appLanguage: string): string {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(query)) return 'ja';
  if (/\p{Script=Han}/u.test(query)) return 'zh';
  if (/\p{Script=Hangul}/u.test(query)) return 'ko';
  const [code = ''] = appLanguage.toLowerCase().split(/[-_]/);
  const isLatin = !/\p{L}/u.test(query.replace(/\p{Script=Latin}/gu, ''));
  if (!/^[a-z]{2,3}$/.test(code)) return 'en';
  return isLatin && ['zh', 'ja', 'ko'].includes(code) ? 'en' : code;
}

/** Constant of reciprocal rank fusion. With 60, a page that two providers list beats the first page of a single provider. */
const rankSmoothing = 60;

/** Merges hits by reciprocal rank fusion, each page once. `lists` are sorted best first. On a tie, the earlier list wins. */
function mergeHits(lists: readonly (readonly SearchHit[])[], count: number): SearchHit[] {
  const merged = new Map<string, { hit: SearchHit; weight: number }>();
  for (const list of lists) {
    const seen = new Set<string>();
    list.forEach((hit, rank) => {
      const key = toPageKey(hit.url);
      if (seen.has(key)) return;
      seen.add(key);
      const known = merged.get(key);
      const weight = (known?.weight ?? 0) + 1 / (rankSmoothing + rank + 1);
      merged.set(key, { hit: known ? mergeHit(known.hit, hit) : hit, weight });
    });
  }
  return [...merged.values()]
    .sort((a, b) => b.weight - a.weight)
    .slice(0, count)
    .map(({ hit }) => hit);
}

function mergeHit(first: SearchHit, second: SearchHit): SearchHit {
  const scores = [first.score, second.score].filter((score) => score !== undefined);
  const content = second.content.length > first.content.length ? second.content : first.content;
  return { ...first, content, score: scores.length > 0 ? Math.max(...scores) : undefined };
}

const trackingParameterPattern = /^(?:utm_\w+|gclid|fbclid|msclkid|mc_[ce]id|igshid|ref|ref_src|source)$/i;

function toPageKey(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname, searchParams } = new URL(url);
  const params = [...searchParams].filter(([name]) => !trackingParameterPattern.test(name));
  const query = new URLSearchParams(params.sort(([a], [b]) => a.localeCompare(b))).toString();
  return `${host.replace(/^www\./, '')}${pathname.replace(/\/+$/, '')}?${query}`;
}
