/** Checks the rules for search providers on every registered provider. The responses imitate real ones. */
import { describe, expect, test } from 'vitest';
import type { ProviderSetting } from '../../src/contracts/settings';
import { type SearchHit, providers } from '../../src/tools/web-search/providers';
import { isSetUp } from '../../src/tools/web-search/search-engine';
import { languages } from '../../src/ui/i18n/registry';
import searxng from '../fixtures/search/searxng.json';
import tavily from '../fixtures/search/tavily.json';
import template from '../fixtures/search/template.json';
import wikipedia from '../fixtures/search/wikipedia.json';

interface Case {
  setting: ProviderSetting;
  reply: unknown;
  /** A response without hits. */
  none: unknown;
  answer?: string;
  first: SearchHit;
  count: number;
}

const key = 'tvly-SECRET-0123456789';
const cases: Record<string, Case> = {
  wikipedia: {
    setting: { isOn: true },
    reply: wikipedia,
    none: { batchcomplete: true },
    first: {
      title: 'Grey heron',
      url: 'https://en.wikipedia.org/wiki/Grey_heron',
      content: 'The grey heron (Ardea cinerea) is a long-legged wading bird of the heron family, Ardeidae.',
    },
    count: 3,
  },
  tavily: {
    setting: { isOn: true, key },
    reply: tavily,
    none: { query: 'x', answer: null, images: [], results: [], response_time: 0.4 },
    answer: 'Grey herons eat mostly fish.',
    first: {
      title: 'What do herons eat?',
      url: 'https://birds.example.org/heron/food',
      content: 'Herons eat fish, frogs and small mammals.',
      score: 0.91234,
    },
    count: 2,
  },
  searxng: {
    setting: { isOn: true, url: 'https://search.example.org' },
    reply: searxng,
    none: { query: 'x', number_of_results: 0, results: [], answers: [], infoboxes: [], suggestions: [] },
    answer: '42 metres',
    first: {
      title: 'Heron – Birds',
      url: 'https://birds.example.org/heron',
      content: 'All about herons.',
      score: 4,
    },
    count: 3,
  },
  template: {
    setting: {
      isOn: true,
      url: 'https://find.example.org/v1?q={query}&n={count}&l={language}',
      key,
      paths: { list: 'web.results', title: 'name', url: 'link.href', content: 'snippet' },
    },
    reply: template,
    none: { web: { results: [] } },
    first: { title: 'Herons', url: 'https://birds.example.org/', content: 'Long-legged birds.' },
    count: 2,
  },
};

const search = { query: 'grey heron & co', depth: 'quick', count: 3, language: 'en' } as const;

describe.for(providers)('the search provider $id', (provider) => {
  const { setting, reply, none, answer, first, count } = cases[provider.id]!;

  test('has a name and is ready once its required fields are filled in', () => {
    expect(provider.id).toMatch(/^[a-z][a-z0-9-]*$/);
    expect(provider.name.length).toBeGreaterThan(2);
    expect(isSetUp(provider, setting)).toBe(true);
    for (const [field, need] of Object.entries(provider.fields)) {
      if (field !== 'paths' && need === 'needed') {
        expect(isSetUp(provider, { ...setting, [field]: '' })).toBe(false);
      }
    }
    expect(isSetUp(provider, { isOn: true })).toBe(provider.isOnByDefault);
  });

  test('sends the whole query, and sends the API key only in a header', () => {
    const { url, method, headers, body = '' } = provider.request(search, setting);
    const asked = new URL(url);
    expect(asked.protocol).toBe('https:');
    const sent = `${JSON.stringify([...asked.searchParams])}${body}`;
    expect(sent).toContain('grey heron & co');
    expect(asked.href).not.toContain(key);
    expect(body).not.toContain(key);
    if (setting.key !== undefined) expect(JSON.stringify(headers)).toContain(key);
    expect(method).toBe(body === '' ? 'GET' : 'POST');
  });

  test('a deep search requests more results', () => {
    const quick = provider.request(search, setting);
    const deep = provider.request({ ...search, depth: 'deep', count: 10 }, setting);
    if (provider.id !== 'searxng') expect(deep).not.toEqual(quick);
    expect(new URL(deep.url).host).toBe(new URL(quick.url).host);
  });

  test("returns the hits in order, together with the provider's own answer", () => {
    const found = provider.read(reply, setting);
    expect(found.hits[0]).toEqual(first);
    expect(found.hits).toHaveLength(count);
    expect(found.answer).toBe(answer);
  });

  test('accepts a response without hits', () => {
    expect(provider.read(none, setting).hits).toEqual([]);
  });

  test.for([[null], ['text'], [[]], [{}], [{ results: 'none', web: 7 }], [{ results: [{ title: 4 }] }]])(
    'reports an error or finds nothing if the response is malformed: %j',
    ([nonsense]) => {
      let hits: unknown;
      try {
        ({ hits } = provider.read(nonsense, setting));
      } catch (error) {
        expect((error as Error).message.length).toBeGreaterThan(10);
        expect((error as Error).message).not.toContain(key);
        return;
      }
      expect(hits).toEqual([]);
    },
  );
});

test("the Wikipedia provider searches in the language of the query and reports Wikipedia's errors", () => {
  const wiki = providers.find(({ id }) => id === 'wikipedia')!;
  expect(() => wiki.read({ error: { code: 'x', info: 'The search is down.' } }, { isOn: true })).toThrow(
    'The search is down.',
  );
  expect(wiki.request({ ...search, language: 'zh' }, { isOn: true }).url).toMatch(
    /^https:\/\/zh\.wikipedia\.org\/w\/api\.php\?.*origin=\*/,
  );
});

test("a SearXNG server's address can be entered in every common form", () => {
  const searx = providers.find(({ id }) => id === 'searxng')!;
  const typed = [
    'https://s.example',
    'https://s.example/',
    'https://s.example/search',
    'https://s.example/search/',
  ];
  for (const url of typed) {
    expect(searx.request(search, { isOn: true, url }).url).toMatch(/^https:\/\/s\.example\/search\?q=grey/);
  }
  expect(searx.request(search, { isOn: true, url: 'https://a.org/sx/' }).url).toMatch(
    /^https:\/\/a\.org\/sx\/search\?/,
  );
});

describe.for(languages)('Settings in the language $name', ({ loadRest }) => {
  test.for(providers)('explains how to set up the search provider: $id', async ({ id }) => {
    expect((await loadRest()).settings.search.hints[id], 'settings.search.hints of the words').toBeTruthy();
  });
});

test('every search provider has a unique id', () => {
  expect(new Set(providers.map(({ id }) => id)).size).toBe(providers.length);
});
