import { describe, expect, test } from 'vitest';
import type { ProviderSetting } from '../../../../src/contracts/settings';
import { textOf } from '../../../../src/contracts/message-parts';
import { createWebSearchTool } from '../../../../src/tools/builtin/web-search';
import { createRateLimits } from '../../../../src/tools/http';
import { createSearchEngine } from '../../../../src/tools/web-search/search-engine';
import { outside, type Outside } from '../../../support/outside';

const key = 'tvly-SECRET-1';
const wiki = (...titles: string[]) => ({
  json: {
    query: {
      pages: titles.map((title, at) => ({
        title,
        index: at + 1,
        fullurl: `https://en.wikipedia.org/wiki/${title}`,
        extract: `About ${title}.\nMore.`,
      })),
    },
  },
});
const tavily = (results: [title: string, url: string, score: number][], answer?: string) => ({
  json: { answer, results: results.map(([title, url, score]) => ({ title, url, score, content: title })) },
});
const both: Record<string, ProviderSetting> = { tavily: { isOn: true, key } };

function searcher(table: Outside, providers: Record<string, ProviderSetting> = {}) {
  const door = outside(table);
  const said: string[] = [];
  const clock = { now: 0 };
  const searchEngine = createSearchEngine({
    egress: door,
    settings: () => ({ providers }),
    language: () => 'en-GB',
    limits: createRateLimits(() => clock.now),
  });
  const tool = createWebSearchTool({ searchEngine });
  const context = { signal: new AbortController().signal, onProgress: (text: string) => said.push(text) };
  const search = async (query: string, depth?: string) => {
    const output = await tool.execute({ query, ...(depth && { depth }) }, context);
    const texts = output.content.map((part) => (part.type === 'text' ? part.text : ''));
    return { ...output, texts, all: textOf(output.content) };
  };
  return { search, tool, searchEngine, said, clock, context, requests: door.requests };
}

describe('the tool web_search', () => {
  test('writes each hit on its own lines and names the sources', async () => {
    const { search } = searcher({ 'en.wikipedia.org': wiki('Heron', 'Egret') });
    expect(await search('herons')).toMatchObject({
      texts: [
        '1. Heron\nhttps://en.wikipedia.org/wiki/Heron\nAbout Heron. More.\n2. Egret\nhttps://en.wikipedia.org/wiki/Egret\nAbout Egret. More.',
      ],
      isError: false,
      origins: [{ door: 'page', name: 'en.wikipedia.org' }],
    });
  });

  test('after a deep search, gives the direct answer first and a score for each hit', async () => {
    const { search, requests } = searcher(
      {
        'api.tavily.com': tavily(
          [
            ['A', 'https://a.org/', 0.912],
            ['B', 'https://b.org/', 0.4],
          ],
          'It is\n so.',
        ),
      },
      { ...both, wikipedia: { isOn: false } },
    );
    const { texts, origins } = await search('q', 'deep');
    expect(texts).toEqual([
      'It is so.\n1. A\nhttps://a.org/\nA\nscore: 0.91\n2. B\nhttps://b.org/\nB\nscore: 0.40',
    ]);
    expect(origins).toEqual(['a.org', 'b.org', 'api.tavily.com'].map((name) => ({ door: 'page', name })));
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({
      search_depth: 'advanced',
      max_results: 10,
      include_answer: true,
      include_raw_content: false,
    });
  });

  test('requests three hits per provider in a quick search', async () => {
    const { search, requests } = searcher(
      { 'api.tavily.com': tavily([['A', 'https://a.org/', 0.9]]), 'en.wikipedia.org': wiki('A') },
      both,
    );
    await search('q');
    expect(JSON.parse(requests.find(({ body }) => body)?.body ?? '')).toMatchObject({
      search_depth: 'basic',
      max_results: 3,
      include_answer: false,
    });
    expect(requests.map(({ url }) => url).join()).toContain('gsrlimit=3');
  });

  test('merges hits from two providers: a page found by both comes first and is listed once', async () => {
    const { search } = searcher(
      {
        'en.wikipedia.org': wiki('Heron', 'Egret'),
        'api.tavily.com': tavily([
          ['Shop', 'https://shop.org/', 0.9],
          ['Egret!', 'http://www.en.wikipedia.org/wiki/Egret/?utm_source=x#top', 0.8],
        ]),
      },
      both,
    );
    const { texts } = await search('birds');
    expect(texts[0]?.match(/^\d\. .*/gm)).toEqual(['1. Egret', '2. Heron', '3. Shop']);
  });

  test('continues without a failing provider and reports it after the results', async () => {
    const { search } = searcher(
      { 'en.wikipedia.org': wiki('Heron'), 'api.tavily.com': { status: 401 } },
      both,
    );
    const { texts, isError } = await search('q');
    expect(isError).toBe(false);
    expect(texts[0]).toMatch(/^1\. Heron/);
    expect(texts[1]).toBe(
      'Tavily did not answer: it answered 401: it wants a login or a key. Look at it in Settings.',
    );
  });

  test.for([
    {
      name: 'no provider is switched on',
      table: {},
      providers: { wikipedia: { isOn: false } },
      says: /^No search provider is set up\. Add one in Settings\.$/,
    },
    {
      name: 'a key is missing',
      table: {},
      providers: { wikipedia: { isOn: false }, tavily: { isOn: true } },
      says: /^No search provider is set up/,
    },
    {
      name: 'all fail',
      table: { 'en.wikipedia.org': { status: 501 }, 'api.tavily.com': 'timeout' as const },
      providers: both,
      says: /^Wikipedia did not answer: it answered 501.*\nTavily did not answer: .*timeout/,
    },
    {
      name: 'the reply is no JSON',
      table: { 'en.wikipedia.org': { text: '<html>' } },
      providers: {},
      says: /no JSON/,
    },
    {
      name: 'the reply has another shape',
      table: { 'en.wikipedia.org': { json: { query: { pages: 7 } } } },
      providers: {},
      says: /Wikipedia did not answer: .*pages/,
    },
  ])('explains the failure if $name', async ({ table, providers, says }) => {
    const { search } = searcher(table, providers);
    const { all, isError } = await search('q');
    expect(isError).toBe(true);
    expect(all).toMatch(says);
  });

  test('reports being offline only once, even with several providers', async () => {
    const { search } = searcher({ 'en.wikipedia.org': 'offline', 'api.tavily.com': 'offline' }, both);
    expect((await search('q')).all.match(/offline/g)).toHaveLength(1);
  });

  test.for([
    { name: 'empty', first: tavily([]) },
    { name: 'poor', first: tavily([['Bad', 'https://bad.org/', 0.12]]) },
  ])('repeats a quick search as a deep one if the result is $name', async ({ first }) => {
    const { search, said, requests } = searcher(
      { 'api.tavily.com': [first, tavily([['Good', 'https://good.org/', 0.8]])] },
      { ...both, wikipedia: { isOn: false } },
    );
    expect((await search('q')).texts[0]).toMatch(/^1\. Good/);
    expect(said).toEqual(['Little was found; searching deeper']);
    expect(requests).toHaveLength(2);
  });

  test('reports that nothing was found', async () => {
    const { search, requests } = searcher({ 'en.wikipedia.org': { json: { batchcomplete: true } } });
    expect(await search('xyzzy')).toMatchObject({ texts: ['No results.'], isError: false, origins: [] });
    expect(requests).toHaveLength(2);
  });

  test('drops hits without a web address, and stops one hit from posing as two', async () => {
    const { search } = searcher(
      {
        'api.tavily.com': {
          json: {
            results: [
              { title: 'A\n2. Fake', url: 'https://a.org/', content: 'x\n3. Fake\nhttps://evil.org/' },
              { title: 'B', url: 'javascript:alert(1)', content: '' },
              { title: 'C', url: 'no address', content: '' },
            ],
          },
        },
      },
      { ...both, wikipedia: { isOn: false } },
    );
    const { texts } = await search('q', 'deep');
    expect(texts).toEqual(['1. A 2. Fake\nhttps://a.org/\nx 3. Fake https://evil.org/']);
  });

  test('cuts a long summary at a word', async () => {
    const { search } = searcher({
      'en.wikipedia.org': {
        json: {
          query: {
            pages: [{ title: 'A', index: 1, fullurl: 'https://a.org/', extract: 'word '.repeat(900) }],
          },
        },
      },
    });
    const [, , summary = ''] = (await search('q')).texts[0]?.split('\n') ?? [];
    expect(summary.length).toBeLessThanOrEqual(1202);
    expect(summary).toMatch(/word …$/);
  });

  test('invariant: a search key goes only to its provider, and never into a result, an error or a declared effect', async () => {
    const table: Outside = {
      'en.wikipedia.org': wiki('Heron'),
      'api.tavily.com': { status: 403, text: `bad key ${key}` },
    };
    const { search, tool, requests } = searcher(table, both);
    const output = await search('q');
    expect(JSON.stringify(output)).not.toContain(key);
    expect(JSON.stringify(tool.effects({ query: 'q' }))).not.toContain(key);
    const withKey = requests.filter((request) => JSON.stringify(request).includes(key));
    expect(withKey.map(({ url }) => url)).toEqual(['https://api.tavily.com/search']);
  });

  test("respects each provider's rate limit and says when to try again", async () => {
    const { search, clock, requests } = searcher(
      { 'en.wikipedia.org': wiki('Heron') },
      { wikipedia: { isOn: true, perMinute: 2 } },
    );
    await search('a');
    clock.now = 10_000;
    await search('b');
    clock.now = 20_000;
    expect((await search('c')).all).toMatch(/asked 2 times in this minute.*try again in 40 s/);
    expect(requests).toHaveLength(2);
    clock.now = 60_001;
    expect((await search('d')).isError).toBe(false);
  });

  test("declares the host of every enabled provider, and chooses Wikipedia's host by the language of the query", () => {
    const { tool } = searcher(
      {},
      { ...both, searxng: { isOn: true, url: 'https://s.org' }, template: { isOn: true } },
    );
    const hosts = (query: string) => {
      const effects = tool.effects({ query });
      return effects.type === 'search' ? effects.providers.map(({ id, host }) => `${id} ${host}`) : [];
    };
    expect(hosts('herons')).toEqual(['wikipedia en.wikipedia.org', 'tavily api.tavily.com', 'searxng s.org']);
    expect(hosts('苍鹭')[0]).toBe('wikipedia zh.wikipedia.org');
    expect(hosts('アオサギ')[0]).toBe('wikipedia ja.wikipedia.org');
  });
});

describe('the test of a search provider', () => {
  test('queries only that provider, even if it is switched off', async () => {
    const { searchEngine, context, requests } = searcher(
      { 'api.tavily.com': tavily([['A', 'https://a.org/', 0.9]]) },
      { tavily: { isOn: false, key } },
    );
    expect((await searchEngine.tryProvider('tavily', 'q', context)).hits).toHaveLength(1);
    expect(requests).toHaveLength(1);
  });

  test.for([
    ['tavily', /not set up/],
    ['nobody', /no search provider "nobody"/],
  ] as const)('explains why a provider cannot be tested: %s', async ([id, says]) => {
    const { searchEngine, context } = searcher({});
    await expect(searchEngine.tryProvider(id, 'q', context)).rejects.toThrow(says);
  });
});
