import { describe, expect, test } from 'vitest';
import { textOf } from '../../../../src/contracts/message-parts';
import type { Origin } from '../../../../src/contracts/origin';
import { createFetchPageTool } from '../../../../src/tools/builtin/fetch-page';
import { builtinParts, calm, type Outside } from '../../../support/outside';

const story = '<html><head><title>Ar</title></head><body><p>The light is 42 metres high.</p></body></html>';

const page = (name: string): Origin => ({ door: 'page', name });

async function fetched(table: Outside, url: string, proxyUrl = '') {
  const parts = builtinParts(table, { proxyUrl });
  const tool = createFetchPageTool(parts);
  const output = await tool.execute({ url }, calm);
  const texts = output.content.map((part) => (part.type === 'text' ? part.text : ''));
  return { ...output, texts, text: textOf(output.content), requests: parts.egress.requests };
}

describe('the tool fetch_page', () => {
  test('returns the title, the text and the source host', async () => {
    const { texts, isError, origins, requests } = await fetched(
      { 'a.org': { text: story } },
      'https://a.org/x',
    );
    expect({ texts, isError, origins }).toEqual({
      texts: ['title: Ar\nThe light is 42 metres high.'],
      isError: false,
      origins: [page('a.org')],
    });
    expect(requests).toMatchObject([
      {
        url: 'https://a.org/x',
        method: 'GET',
        headers: {},
        tool: 'fetch_page',
        maxBytes: 2e6,
        timeoutMs: 1e4,
      },
    ]);
  });

  test.for([
    { name: 'JSON', type: 'application/json', text: '{"a": 1}', given: ['{"a": 1}'] },
    { name: 'plain text', type: 'text/plain; charset=utf-8', text: ' One.\nTwo. ', given: ['One.\nTwo.'] },
    { name: 'a page without a title', type: 'text/html', text: '<p>Bare.</p>', given: ['Bare.'] },
  ])('returns $name unchanged', async ({ type, text, given }) => {
    expect((await fetched({ 'a.org': { type, text } }, 'https://a.org/')).texts).toEqual(given);
  });

  test('reports redirects, cut text and links after the text', async () => {
    const text = `<title>T</title><p>One <a href="/two">two</a> <a href="https://b.org/#c">three</a> <a href="mailto:x@y.z">mail</a></p>`;
    const { texts, origins } = await fetched(
      { 'a.org': { url: 'https://c.org/there', isCut: true, text } },
      'a.org/here#part',
    );
    expect(texts).toEqual([
      'title: T\nOne two three mail',
      'The page was found at https://c.org/there',
      'Only the first 2 MB of the page were read.',
      'Links on the page:\n- two: https://c.org/two\n- three: https://b.org/',
    ]);
    expect(origins).toEqual([page('a.org'), page('c.org')]);
  });

  test('returns a long page in full, without cutting it', async () => {
    const text = 'word '.repeat(10_000).trim();
    const { texts } = await fetched({ 'a.org': { type: 'text/plain', text } }, 'a.org');
    expect(texts[0]).toBe(text);
  });

  test.for([
    {
      name: 'a missing page',
      answer: { status: 404 },
      says: /^a\.org answered 404: there is no such page\./,
    },
    { name: 'a closed page', answer: { status: 403 }, says: /403: it does not allow this/ },
    { name: 'a status without a name', answer: { status: 418 }, says: /418: it refused the request/ },
    {
      name: 'a page without text',
      answer: { text: '<script>draw()</script>' },
      says: /holds no text; scripts/,
    },
    { name: 'an empty file', answer: { type: 'text/plain', text: ' ' }, says: /without any text/ },
    {
      name: 'CORS',
      answer: 'unreachable' as const,
      says: /\(CORS\)\. The person can open it in a tab and paste .* or set a proxy in Settings\.$/,
    },
    { name: 'no network', answer: 'offline' as const, says: /offline/ },
    { name: 'a file type that is not text', answer: 'wrong-type' as const, says: /wrong-type/ },
  ])('explains a failure in one line: $name', async ({ answer, says }) => {
    const { text, isError } = await fetched({ 'a.org': answer }, 'https://a.org/');
    expect(isError).toBe(true);
    expect(text).toMatch(says);
    expect(text).not.toContain('\n');
  });

  test.for(['', 'two words', 'ftp://a.org/', 'javascript:alert(1)', 'https://', 'mailto:a@b.org'])(
    'refuses the invalid address "%s" without a request',
    async (url) => {
      const { isError, requests } = await fetched({ 'a.org': { text: story } }, url);
      expect({ isError, requests }).toEqual({ isError: true, requests: [] });
      expect(createFetchPageTool(builtinParts()).effects({ url })).toEqual({ type: 'pure' });
    },
  );

  test.for([
    ['a.org/x', 'https://a.org/x'],
    ['//a.org', 'https://a.org/'],
    ['a.org:8443/x', 'https://a.org:8443/x'],
    ['http://192.168.1.5:8080/', 'http://192.168.1.5:8080/'],
    [' https://A.org/ä ', 'https://a.org/%C3%A4'],
  ] as const)('reads the address "%s" as %s', ([url, address]) => {
    const effects = createFetchPageTool(builtinParts()).effects({ url });
    expect(effects).toEqual({ type: 'net-read', urls: [address] });
  });

  test('retries a busy server', async () => {
    const { text, requests } = await fetched(
      { 'a.org': [{ status: 503, headers: { 'retry-after': '0' } }, { text: story }] },
      'a.org',
    );
    expect(text).toContain('42 metres');
    expect(requests).toHaveLength(2);
  });
});

describe("the user's proxy for pages", () => {
  const proxied: Outside = {
    'proxy.net': { text: story, url: 'https://proxy.net/other' },
    'a.org': 'unreachable',
  };

  test.for([
    ['https://proxy.net/', 'https://proxy.net/https://a.org/x?y=1'],
    ['https://proxy.net/?url=', 'https://proxy.net/?url=https%3A%2F%2Fa.org%2Fx%3Fy%3D1'],
    ['https://proxy.net/get/{url}/raw', 'https://proxy.net/get/https%3A%2F%2Fa.org%2Fx%3Fy%3D1/raw'],
  ] as const)('is used if the page cannot be read directly: %s requests %s', async ([proxyUrl, asked]) => {
    const { texts, origins, requests } = await fetched(proxied, 'https://a.org/x?y=1', proxyUrl);
    expect(requests.map(({ url }) => url)).toEqual(['https://a.org/x?y=1', asked]);
    expect(texts).toEqual([
      'title: Ar\nThe light is 42 metres high.',
      'The page was read through the proxy proxy.net.',
    ]);
    expect(origins).toEqual([page('a.org'), page('proxy.net')]);
  });

  test('is declared before the call runs, but used only when needed', async () => {
    const parts = builtinParts({ 'a.org': { text: story } }, { proxyUrl: 'https://proxy.net/?u=' });
    const tool = createFetchPageTool(parts);
    expect(tool.effects({ url: 'a.org' })).toEqual({
      type: 'net-read',
      urls: ['https://a.org/'],
      via: 'proxy.net',
    });
    await tool.execute({ url: 'a.org' }, calm);
    expect(parts.egress.requests).toHaveLength(1);
  });

  test('is ignored if it is not a valid address', async () => {
    const { text } = await fetched({ 'a.org': 'unreachable' }, 'a.org', 'my proxy');
    expect(text).toContain('set a proxy in Settings');
  });
});
