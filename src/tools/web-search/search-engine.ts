/** Asks every search provider that is on, and makes one reply of theirs. A provider that fails is left out, and said to be. */
import { EgressError, type Egress } from '../../contracts/egress';
import { defaultPerMinute, type ProviderSetting, type Settings } from '../../contracts/settings';
import type { SearchTarget, ToolContext } from '../../contracts/tool';
import { ToolError } from '../../contracts/tool-failure';
import { failureOf } from '../failure-of';
import { readStatus } from '../read-status';
import { sendPatiently } from '../send-patiently';
import { languageOf } from './language-of';
import { mergeHits } from './merge-hits';
import type { Hit, Search, SearchProvider, SearchReply } from './provider';
import { providers as all, settingOf } from './providers/registry';
import type { RateLimits } from './rate-limits';

export interface SearchParts {
  egress: Egress;
  settings: () => Pick<Settings, 'providers'>;
  /** BCP 47, of the person's screen. */
  language: () => string;
  limits: RateLimits;
  providers?: readonly SearchProvider[];
}

export interface Found extends SearchReply {
  /** Hosts whose text it is. */
  sources: string[];
  /** Of each provider that did not answer, a sentence. */
  failures: string[];
}

export interface SearchEngine {
  /** Where a search goes: every provider that is on and set up. */
  targets: (query: string) => SearchTarget[];
  /** Rejects with a sentence where no provider answered. */
  search: (query: string, depth: Search['depth'], context: ToolContext) => Promise<Found>;
  /** One provider alone, also one that is off. */
  tryProvider: (id: string, query: string, context: ToolContext) => Promise<Found>;
}

interface Ready {
  provider: SearchProvider;
  setting: ProviderSetting;
}

const counts = { quick: 3, deep: 10 };
const timeoutMs = 10_000;
const maxBytes = 1_000_000;

export function createSearchEngine(parts: SearchParts): SearchEngine {
  const { egress, settings, language, limits, providers = all } = parts;
  const searchFor = (query: string, depth: Search['depth']): Search => ({
    query,
    depth,
    count: counts[depth],
    language: languageOf(query, language()),
  });
  const ready = (): Ready[] =>
    providers
      .map((provider) => ({ provider, setting: settingOf(provider, settings()) }))
      .filter(({ provider, setting }) => setting.isOn && isSetUp(provider, setting));

  async function ask(
    { provider, setting }: Ready,
    search: Search,
    context: ToolContext,
  ): Promise<SearchReply> {
    const { perMinute = defaultPerMinute } = setting;
    const waitMs = limits.take(provider.id, perMinute);
    if (waitMs > 0) {
      throw new Error(
        `it was asked ${perMinute} times in this minute, which is its limit here; try again in ${Math.ceil(waitMs / 1000)} s`,
      );
    }
    const request = provider.request(search, setting);
    const response = await sendPatiently(
      egress,
      {
        ...{ ...request, tool: 'web_search', accept: ['application/json', 'text/*'], maxBytes, timeoutMs },
        // The words were allowed for this provider.
        redirect: 'never',
      },
      context,
    );
    if (response.status >= 400) throw new ToolError('status', `it answered ${readStatus(response.status)}`);
    const { answer, hits } = provider.read(parse(response.text), setting);
    return { answer, hits: hits.filter(({ url }) => isPage(url)).slice(0, search.count) };
  }

  async function askAll(asked: readonly Ready[], search: Search, context: ToolContext): Promise<Found> {
    const replies = await Promise.allSettled(asked.map((one) => ask(one, search, context)));
    context.signal.throwIfAborted();
    // Offline they all say the same.
    const failures = new Set<string>();
    replies.forEach((reply, index) => {
      if (reply.status === 'rejected')
        failures.add(sentenceOn(asked[index]?.provider.name ?? '', reply.reason));
    });
    const answered = replies.flatMap((reply) => (reply.status === 'fulfilled' ? [reply.value] : []));
    if (answered.length === 0) {
      const [first] = replies.flatMap((reply) =>
        reply.status === 'rejected' ? [reply.reason as unknown] : [],
      );
      throw new ToolError(failureOf(first, 'failed'), [...failures].join('\n'));
    }
    const hits = mergeHits(
      answered.map((reply) => reply.hits),
      search.count,
    );
    const answer = answered.find((reply) => reply.answer?.trim())?.answer;
    return {
      answer,
      hits,
      failures: [...failures],
      sources: sourcesOf(hits, asked, search, answer !== undefined),
    };
  }

  return {
    targets: (query) =>
      ready().map((one) => ({
        id: one.provider.id,
        name: one.provider.name,
        host: hostOf(one, searchFor(query, 'quick')),
      })),

    async search(query, depth, context) {
      const asked = ready();
      if (asked.length === 0)
        throw new ToolError('no-provider', 'No search provider is set up. Add one in Settings.');
      const found = await askAll(asked, searchFor(query, depth), context);
      if (depth === 'deep' || !isPoor(found.hits)) return found;
      context.onProgress('Little was found; searching deeper');
      try {
        const deeper = await askAll(asked, searchFor(query, 'deep'), context);
        return deeper.hits.length > 0 ? deeper : found;
      } catch {
        context.signal.throwIfAborted();
        return found;
      }
    },

    async tryProvider(id, query, context) {
      const provider = providers.find((known) => known.id === id);
      if (!provider) throw new Error(`There is no search provider "${id}".`);
      const setting = settingOf(provider, settings());
      if (!isSetUp(provider, setting))
        throw new Error(`${provider.name} is not set up: something is left empty.`);
      return askAll([{ provider, setting }], searchFor(query, 'quick'), context);
    },
  };
}

/** All it needs is filled in, and makes an address. */
export function isSetUp(provider: SearchProvider, setting: ProviderSetting): boolean {
  const { fields } = provider;
  if (fields.key === 'needed' && !setting.key?.trim()) return false;
  return hostOf({ provider, setting }, { query: 'a', depth: 'quick', count: 1, language: 'en' }) !== '';
}

/** '' where there is none yet. */
function hostOf({ provider, setting }: Ready, search: Search): string {
  try {
    return new URL(provider.request(search, setting).url).host;
  } catch {
    return '';
  }
}

/** Nothing, or nothing that the providers themselves think much of. */
function isPoor(hits: readonly Hit[]): boolean {
  return hits.every(({ score }) => score !== undefined && score < 0.3);
}

function isPage(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function sourcesOf(
  hits: readonly Hit[],
  asked: readonly Ready[],
  search: Search,
  hasAnswer: boolean,
): string[] {
  const hosts = hits.map(({ url }) => new URL(url).host);
  if (hasAnswer) hosts.push(...asked.map((one) => hostOf(one, search)));
  return [...new Set(hosts)];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('it answered something that is no JSON');
  }
}

/** Never what was sent: a key may be in it. */
function sentenceOn(name: string, reason: unknown): string {
  const text = reason instanceof Error ? reason.message : String(reason);
  if (reason instanceof EgressError && reason.failure === 'offline') return text;
  const line = text.replace(/\s+/g, ' ').slice(0, 240);
  return `${name} did not answer: ${line}${/[.!?]$/.test(line) ? '' : '.'} Look at it in Settings.`;
}
