/** The network for tests of tools: an egress that responds from a table and records its requests, plus other things that tools need. */
import {
  type Egress,
  EgressError,
  type EgressFailure,
  type EgressRequest,
  type EgressResponse,
} from '../../src/contracts/egress';
import type { SandboxResult, SandboxRun } from '../../src/contracts/sandbox';
import { Settings } from '../../src/contracts/settings';
import { calculate } from '../../src/tools/builtin/calculator/calculate';
import { readHtml } from '../../src/tools/builtin/fetch-page/read-html';
import { createRateLimits } from '../../src/tools/http';
import { createSearchEngine } from '../../src/tools/web-search/search-engine';
import { answerAsOpenMeteo } from './open-meteo';
import { createMemoryStore } from '../../src/store/open-store';

type Answer = EgressFailure | (Partial<EgressResponse> & { type?: string; json?: unknown });
/** Responses by host or by the start of an address. A list gives one response after another, and repeats the last. */
export type Outside = Record<
  string,
  Answer | Answer[] | ((request: EgressRequest, signal: AbortSignal) => Promise<Answer>)
>;

export function outside(table: Outside): Egress & { requests: EgressRequest[] } {
  const requests: EgressRequest[] = [];
  const given = new Map<string, number>();
  return {
    requests,
    async send(request, signal) {
      if (signal.aborted) throw new EgressError('stopped', 'The request was stopped.');
      requests.push(request);
      const { host } = new URL(request.url);
      const key = Object.keys(table).find((known) => known === host || request.url.startsWith(known));
      const entry = key === undefined ? 'unreachable' : table[key]!;
      const turn = given.get(key ?? '') ?? 0;
      given.set(key ?? '', turn + 1);
      const answer =
        typeof entry === 'function'
          ? await entry(request, signal)
          : Array.isArray(entry)
            ? entry[Math.min(turn, entry.length - 1)]!
            : entry;
      if (typeof answer === 'string')
        throw new EgressError(
          answer,
          answer === 'offline' ? 'This device is offline.' : `${host}: ${answer}`,
        );
      const { type, json, ...response } = answer;
      const contentType = type ?? (json === undefined ? 'text/html; charset=utf-8' : 'application/json');
      return {
        url: request.url,
        status: 200,
        text: json === undefined ? '' : JSON.stringify(json),
        isCut: false,
        ...response,
        headers: { 'content-type': contentType, ...response.headers },
      };
    },
  };
}

export const calm = { signal: new AbortController().signal, onProgress: () => undefined };

/** Options for `createBuiltinTools`, with real parts and this fake network. */
export function builtinParts(table: Outside = everywhere, changed: Partial<Settings> = {}) {
  const egress = outside(table);
  const settings = () => ({ ...Settings.parse({}), ...changed });
  const limits = createRateLimits(() => 0);
  return {
    egress,
    settings,
    searchEngine: createSearchEngine({ egress, settings, limits, language: () => 'en-US' }),
    readPage: async (html: string, url: string) => readHtml(html, url),
    language: () => 'en-GB',
    calculate: (expression: string) => {
      const answer = calculate(expression);
      return answer.ok ? Promise.resolve(answer.value) : Promise.reject(new Error(answer.reason));
    },
    notes: createMemoryStore().notes,
    newId: () => crypto.randomUUID(),
    date: () => 0,
    // Node has no frames, so run the test's code directly.
    sandbox: {
      async run({ code, args }: SandboxRun): Promise<SandboxResult> {
        const value = await new AsyncFunction('args', code)(args);
        return { ok: true, json: JSON.stringify(value), logs: [], ms: 0 };
      },
    },
  };
}

const AsyncFunction = (async () => Promise.resolve()).constructor as new (
  ...text: string[]
) => (args: unknown) => Promise<unknown>;

const everywhere: Outside = {
  'geocoding-api.open-meteo.com': async ({ url }) => answerAsOpenMeteo(url),
  'api.open-meteo.com': async ({ url }) => answerAsOpenMeteo(url),
  'https://en.wikipedia.org/': {
    json: {
      query: {
        pages: [
          { index: 1, title: 'Heron', fullurl: 'https://en.wikipedia.org/wiki/Heron', extract: 'A bird.' },
        ],
      },
    },
  },
  'https://': { text: '<title>A page</title><p>What it says.</p>' },
};
