/** The policy, row by row: what runs, what is asked about and how, what is refused. */
import { describe, expect, test } from 'vitest';
import type { Grant } from '../../../../src/contracts/permission';
import type { ToolEffects } from '../../../../src/contracts/tool';
import { addressesIn, addressesTyped } from '../../../../src/tools/permissions/addresses';
import {
  type CallFacts,
  decide,
  type Decision,
  type PermissionState,
} from '../../../../src/tools/permissions/decide';

interface Situation {
  /** What the person wrote. */
  typed?: string;
  /** Outside text in the chat. */
  result?: string;
  sources?: string[];
  contacted?: string[];
  grants?: Partial<Grant>[];
  denials?: number;
  approved?: string[];
  tool?: string;
  revision?: string;
}

const grantOf = (grant: Partial<Grant>): Grant => ({
  id: 'g',
  tool: 'fetch_page',
  revision: '',
  target: 'example.com',
  chatId: null,
  createdAt: 0,
  ...grant,
});

function judge(effects: ToolEffects, situation: Situation = {}): Decision {
  const { typed = '', result = '', contacted = [], denials = 0, approved = [], grants = [] } = situation;
  const call: CallFacts = {
    tool: situation.tool ?? 'fetch_page',
    revision: situation.revision ?? '',
    effects,
  };
  const state: PermissionState = {
    chatId: 'chat',
    typed: addressesTyped(typed),
    copied: addressesIn(result),
    sources: situation.sources ?? (result === '' ? [] : ['outside.org']),
    contacted: new Set(contacted),
    grants: grants.map(grantOf),
    denials,
    approved: new Set(approved),
  };
  return decide(call, state);
}

/** `allow`, `deny`, or the reason with what is offered: `composed-url +chat+always`. */
function said(decision: Decision): string {
  if (decision.verdict !== 'ask') return decision.verdict;
  return [decision.reason, ...decision.offers.map((offer) => `+${offer}`)].join(' ');
}

const reads = (...urls: string[]): ToolEffects => ({ type: 'net-read', urls });
const both = '+chat +always';
const composed = `composed-url ${both}`;
const tainted = `composed-url-after-outside-text ${both}`;
const shown = 'composed-url-after-outside-text';
const newHost = `new-host ${both}`;

describe('an address the person typed', () => {
  test.for<[name: string, typed: string, called: string, verdict?: string]>([
    ['as it stands', 'Read https://example.com/page', 'https://example.com/page'],
    ['at the end of a sentence', 'Read https://example.com/page.', 'https://example.com/page'],
    ['before an exclamation mark', 'Read https://example.com/page!', 'https://example.com/page'],
    ['before a question mark', 'What is on https://example.com/page?', 'https://example.com/page'],
    ['before a comma', 'https://example.com/page, please', 'https://example.com/page'],
    ['before a colon', 'https://example.com/page: what is it?', 'https://example.com/page'],
    ['before a semicolon', 'https://example.com/page; sum it up', 'https://example.com/page'],
    ['before three dots', 'https://example.com/page...', 'https://example.com/page'],
    ['before one sign for three dots', 'https://example.com/page…', 'https://example.com/page'],
    ['in brackets', '(https://example.com/page)', 'https://example.com/page'],
    ['in square brackets', '[https://example.com/page]', 'https://example.com/page'],
    ['in angle brackets', '<https://example.com/page>', 'https://example.com/page'],
    ['in straight quotes', '"https://example.com/page"', 'https://example.com/page'],
    ['in single quotes', "'https://example.com/page'", 'https://example.com/page'],
    ['in curly quotes', '“https://example.com/page”', 'https://example.com/page'],
    ['in backticks', '`https://example.com/page`', 'https://example.com/page'],
    ['in bold', '**https://example.com/page**', 'https://example.com/page'],
    ['in a Markdown link', '[it](https://example.com/page)', 'https://example.com/page'],
    ['in a Markdown link at the end', 'See [it](https://example.com/page).', 'https://example.com/page'],
    ['in a table', '| https://example.com/page |', 'https://example.com/page'],
    ['on a line of its own', 'Read:\nhttps://example.com/page\nand sum up', 'https://example.com/page'],
    ['with a bracket that is its own', 'https://example.com/a_(b)', 'https://example.com/a_(b)'],
    ['with its own bracket in brackets', '(https://example.com/a_(b))', 'https://example.com/a_(b)'],
    ['with a query', 'https://example.com/a?b=c&d=e', 'https://example.com/a?b=c&d=e'],
    ['with a fragment', 'https://example.com/a#b', 'https://example.com/a#b'],
    ['with an exclamation mark within', 'https://example.com/#!/a', 'https://example.com/#!/a'],
    ['with a port', 'https://example.com:8443/a', 'https://example.com:8443/a'],
    ['with the usual port', 'https://example.com:443/a', 'https://example.com/a'],
    ['whose call names the usual port', 'https://example.com/a', 'https://example.com:443/a'],
    ['in capitals', 'HTTPS://EXAMPLE.COM/Page', 'https://example.com/Page'],
    ['called in capitals', 'https://example.com/page', 'HTTPS://EXAMPLE.com/page'],
    ['without the slash of the root', 'https://example.com', 'https://example.com/'],
    ['called without the slash of the root', 'https://example.com/', 'https://example.com'],
    ['without a scheme', 'example.com/page', 'https://example.com/page'],
    ['without a scheme and path', 'What is on example.com?', 'https://example.com/'],
    ['without a scheme, at the end', 'Open example.com.', 'https://example.com'],
    ['without a scheme, in capitals', 'Open Example.COM/Page', 'https://example.com/Page'],
    ['without a scheme, with a port', 'example.com:8443/a', 'https://example.com:8443/a'],
    ['without a scheme, with a query', 'example.com/a?b=c', 'https://example.com/a?b=c'],
    ['without a scheme, with a query only', 'example.com?b=c', 'https://example.com/?b=c'],
    ['without a scheme, beginning with www', 'www.example.com', 'https://www.example.com/'],
    ['without a scheme, in brackets', '(example.com/page)', 'https://example.com/page'],
    ['without a scheme, called by http', '192.168.1.5:8080/a', 'http://192.168.1.5:8080/a'],
    ['as four numbers', '192.168.1.5', 'https://192.168.1.5/'],
    ['by http, called by https', 'http://example.com/page', 'https://example.com/page'],
    ['by http, called by http', 'http://example.com/page', 'http://example.com/page'],
    ['in Chinese without a space', '打开https://example.com/page看看', 'https://example.com/page'],
    ['in Chinese before a full stop', '请读https://example.com/page。谢谢', 'https://example.com/page'],
    ['in Chinese before a comma', '读https://example.com/page，谢谢', 'https://example.com/page'],
    ['in Chinese quotes', '读「https://example.com/page」', 'https://example.com/page'],
    ['in Chinese brackets', '（https://example.com/page）', 'https://example.com/page'],
    ['in Chinese without a scheme', '打开example.com/page看看', 'https://example.com/page'],
    ['in Chinese without scheme and path', '请问example.com是什么', 'https://example.com/'],
    [
      'with Chinese letters in its path',
      '读 https://zh.example.com/wiki/东京',
      'https://zh.example.com/wiki/东京',
    ],
    [
      'whose call writes them in percent',
      '读 https://zh.example.com/wiki/东京',
      'https://zh.example.com/wiki/%E4%B8%9C%E4%BA%AC',
    ],
    [
      'with them before a comma',
      'https://zh.example.com/wiki/东京，好吗',
      'https://zh.example.com/wiki/东京',
    ],
    ['in letters, called in punycode', 'https://bücher.example/a', 'https://xn--bcher-kva.example/a'],
    ['in letters, without a scheme', 'bücher.example/a', 'https://xn--bcher-kva.example/a'],
    ['in punycode, called in letters', 'https://xn--bcher-kva.example/a', 'https://bücher.example/a'],
    ['with a dot behind the host', 'https://example.com./a', 'https://example.com/a'],
    ['called with a dot behind the host', 'https://example.com/a', 'https://example.com./a'],
    ['the first of two', 'https://example.com/a,https://example.org/b', 'https://example.com/a'],
    ['the second of two', 'https://example.com/a,https://example.org/b', 'https://example.org/b'],
    ['that holds another', 'https://a.example.com/https://b.org/', 'https://a.example.com/https://b.org/'],
    ['with dots to be resolved', 'https://example.com/a/../b', 'https://example.com/b'],
    ['other in one letter of the path', 'https://example.com/page', 'https://example.com/pagf', composed],
    ['with a path it did not have', 'https://example.com/', 'https://example.com/page', composed],
    ['without the path it had', 'https://example.com/page', 'https://example.com/', composed],
    ['with a slash at its end', 'https://example.com/page', 'https://example.com/page/', composed],
    ['in other capitals of the path', 'https://example.com/Page', 'https://example.com/page', composed],
    ['with a query added', 'https://example.com/a', 'https://example.com/a?b=c', composed],
    ['with its query changed', 'https://example.com/a?b=c', 'https://example.com/a?b=d', composed],
    ['with a fragment added', 'https://example.com/a', 'https://example.com/a#secret', composed],
    ['with a host before it', 'https://example.com/a', 'https://secret.example.com/a', composed],
    ['with www added', 'https://example.com/a', 'https://www.example.com/a', composed],
    ['with a host behind it', 'https://example.com/a', 'https://example.com.evil.org/a', composed],
    ['with another port', 'https://example.com/a', 'https://example.com:8443/a', composed],
    ['by https, called by http', 'https://example.com/a', 'http://example.com/a', composed],
    ['that is a part of a longer word', 'myexample.com/a', 'https://example.com/a', composed],
    ['that is the domain of a mail address', 'bob@example.com', 'https://example.com/', composed],
    ['that is the name in a mail address', 'bob.smith@example.com', 'https://bob.smith/', composed],
    ['that only ends like it', 'https://example.com/x?u=example.org/a', 'https://example.org/a', composed],
    ['with a user name', 'https://bob@example.com/a', 'https://bob@example.com/a', 'deny'],
    ['with a user name added', 'https://example.com/a', 'https://bob@example.com/a', 'deny'],
    ['with user name and password added', 'https://example.com/a', 'https://a:b@example.com/a', 'deny'],
    ['that looks like the host of another', 'https://example.com', 'https://example.com@evil.org/', 'deny'],
    ['with a letter that looks the same', 'https://example.com/a', 'https://ехample.com/a', composed],
    ['with wide letters, which are the same', 'https://example.com/a', 'https://ｅxample.com/a'],
  ])('%s', ([, typed, called, verdict = 'allow']) => {
    expect(said(judge(reads(called), { typed }))).toBe(verdict);
  });

  test('runs also when outside text is in the chat', () => {
    const typed = 'Read https://example.com/page';
    expect(said(judge(reads('https://example.com/page'), { typed, result: 'Obey me.' }))).toBe('allow');
  });
});

describe('an address that stands in outside text', () => {
  test.for<[name: string, result: string, called: string, contacted: string[], verdict: string]>([
    ['runs on a host of this turn', 'https://a.com/x', 'https://a.com/x', ['a.com'], 'allow'],
    ['asks on any other host', 'https://a.com/x', 'https://a.com/x', [], newHost],
    ['asks where only a host below it was asked', 'https://a.com/x', 'https://a.com/x', ['b.a.com'], newHost],
    [
      'asks where only the host above was asked',
      'https://b.a.com/x',
      'https://b.a.com/x',
      ['a.com'],
      newHost,
    ],
    ['asks on another port', 'https://a.com:8443/x', 'https://a.com:8443/x', ['a.com'], newHost],
    ['runs from a Markdown link', '[x](https://a.com/x "t")', 'https://a.com/x', ['a.com'], 'allow'],
    [
      'runs from a line of a search',
      '1. T\nhttps://a.com/x\nscore: 1',
      'https://a.com/x',
      ['a.com'],
      'allow',
    ],
    ['runs from JSON', '{"u":"https://a.com/x"}', 'https://a.com/x', ['a.com'], 'allow'],
    ['runs before a full stop', 'See https://a.com/x.', 'https://a.com/x', ['a.com'], 'allow'],
    ['runs with its query', 'https://a.com/x?y=z', 'https://a.com/x?y=z', ['a.com'], 'allow'],
    ['runs with a dot behind the host', 'https://a.com/x', 'https://a.com./x', ['a.com'], 'allow'],
    ['is another with a query added', 'https://a.com/x', 'https://a.com/x?y=secret', ['a.com'], tainted],
    ['is another with a fragment added', 'https://a.com/x', 'https://a.com/x#secret', ['a.com'], tainted],
    [
      'is another with the query filled in',
      'https://a.com/x?y=',
      'https://a.com/x?y=secret',
      ['a.com'],
      tainted,
    ],
    ['is another with a longer path', 'https://a.com/x', 'https://a.com/x/secret', ['a.com'], tainted],
    ['is another with a host before it', 'https://a.com/x', 'https://secret.a.com/x', ['a.com'], tainted],
    ['is another by http', 'https://a.com/x', 'http://a.com/x', ['a.com'], tainted],
    ['is another by https', 'http://a.com/x', 'https://a.com/x', ['a.com'], tainted],
    ['does not count without a scheme', 'a.com/x', 'https://a.com/x', ['a.com'], tainted],
    ['does not count split in two', 'https://a.com/ x', 'https://a.com/x', ['a.com'], tainted],
    ['does not count with a hidden letter', 'https://a.com/​x', 'https://a.com/x', ['a.com'], tainted],
    ['does not count with a backslash', 'https:\\/\\/a.com\\/x', 'https://a.com/x', ['a.com'], tainted],
    ['does not count with a user name', 'https://u@a.com/x', 'https://a.com/x', ['a.com'], tainted],
    ['does not count by another scheme', 'ftp://a.com/x', 'https://a.com/x', ['a.com'], tainted],
  ])('%s', ([, result, called, contacted, verdict]) => {
    expect(said(judge(reads(called), { result, contacted }))).toBe(verdict);
  });

  test.for<[name: string, grant: Partial<Grant>, verdict: string]>([
    ['runs on a host that is always allowed', { target: 'a.com' }, 'allow'],
    ['runs on a host allowed in this chat', { target: 'a.com', chatId: 'chat' }, 'allow'],
    ['asks on a host allowed in another chat', { target: 'a.com', chatId: 'other' }, newHost],
    ['asks on a host allowed to another tool', { target: 'a.com', tool: 'other' }, newHost],
    ['asks on a host allowed to an older tool', { target: 'a.com', revision: 'old' }, newHost],
    ['asks where a host above it is allowed', { target: 'com' }, newHost],
    ['asks where a host below it is allowed', { target: 'b.a.com' }, newHost],
    ['asks where changes are allowed there', { target: 'change:a.com' }, newHost],
    ['asks where a search of that name is allowed', { target: 'search:a.com' }, newHost],
    ['asks where the name is in capitals', { target: 'A.com' }, newHost],
  ])('%s', ([, grant, verdict]) => {
    expect(said(judge(reads('https://a.com/x'), { result: 'https://a.com/x', grants: [grant] }))).toBe(
      verdict,
    );
  });
});

const tail = (length: number) => `https://example.com/${'a'.repeat(length - 1)}`;
const queryTail = (length: number) => `https://example.com/?${'a'.repeat(length - 2)}`;

describe('an address the model made up', () => {
  const always = [{}];
  const inChat = [{ chatId: 'chat' }];
  test.for<[name: string, called: string, situation: Situation, verdict: string]>([
    ['asks', 'https://example.com/', {}, composed],
    ['asks for a path', 'https://example.com/a/b', {}, composed],
    ['asks for a query', 'https://example.com/?q=1', {}, composed],
    ['asks however long it is', tail(2000), {}, composed],
    [
      'asks though the host was asked in this turn',
      'https://example.com/a',
      { contacted: ['example.com'] },
      composed,
    ],
    ['runs on a host that is always allowed', 'https://example.com/a', { grants: always }, 'allow'],
    ['runs on a host allowed in this chat', 'https://example.com/a', { grants: inChat }, 'allow'],
    ['runs there with a query', 'https://example.com/?q=1', { grants: always }, 'allow'],
    ['runs there in capitals', 'https://EXAMPLE.com/', { grants: always }, 'allow'],
    ['runs there with a dot behind the host', 'https://example.com./', { grants: always }, 'allow'],
    ['runs there with the usual port', 'https://example.com:443/', { grants: always }, 'allow'],
    ['asks there on another port', 'https://example.com:8443/', { grants: always }, composed],
    ['asks there on a host before it', 'https://a.example.com/', { grants: always }, composed],
    ['asks there on a host behind it', 'https://example.com.evil.org/', { grants: always }, composed],
    ['asks there with a letter that looks the same', 'https://ехample.com/', { grants: always }, composed],
    [
      'runs where its letters are allowed in punycode',
      'https://bücher.de/',
      { grants: [{ target: 'xn--bcher-kva.de' }] },
      'allow',
    ],
    [
      'asks in another chat than it was allowed in',
      'https://example.com/',
      { grants: [{ chatId: 'b' }] },
      composed,
    ],
    ['asks with another tool', 'https://example.com/', { grants: always, tool: 'other' }, composed],
    [
      'asks with another code of the tool',
      'https://example.com/',
      { grants: always, revision: 'new' },
      composed,
    ],
    [
      'runs with the code it was allowed to',
      'https://example.com/',
      { grants: [{ revision: 'new' }], revision: 'new' },
      'allow',
    ],
    [
      'asks with an older code than it was allowed to',
      'https://example.com/',
      { grants: [{ revision: 'new' }] },
      composed,
    ],
    ['asks beside outside text', 'https://example.com/', { result: 'Hi' }, tainted],
    [
      'asks beside outside text though always allowed',
      'https://example.com/a',
      { result: 'Hi', grants: always },
      tainted,
    ],
    [
      'asks beside outside text though allowed in this chat',
      'https://example.com/a',
      { result: 'Hi', grants: inChat },
      tainted,
    ],
    [
      'asks beside outside text though the host was asked',
      'https://example.com/a',
      { result: 'Hi', contacted: ['example.com'] },
      tainted,
    ],
    ['asks beside a source without a text', 'https://example.com/', { sources: ['a.com'] }, tainted],
    ['can be allowed for good up to 128 characters', tail(128), { result: 'Hi' }, tainted],
    ['cannot be allowed for good beyond', tail(129), { result: 'Hi' }, shown],
    ['can be allowed for good up to 128 with its query', queryTail(128), { result: 'Hi' }, tainted],
    ['cannot be allowed for good beyond with its query', queryTail(129), { result: 'Hi' }, shown],
    [
      'cannot be allowed for good with a long fragment',
      `https://example.com/#${'a'.repeat(127)}`,
      { result: 'Hi' },
      shown,
    ],
    [
      'counts as the wire has it: letters in percent',
      `https://example.com/${'é'.repeat(22)}`,
      { result: 'Hi' },
      shown,
    ],
    [
      'runs once it was allowed for this call',
      'https://example.com/a',
      { result: 'Hi', approved: ['https://example.com/a'] },
      'allow',
    ],
    [
      'asks if another was allowed for this call',
      'https://example.com/b',
      { result: 'Hi', approved: ['https://example.com/a'] },
      tainted,
    ],
  ])('%s', ([, called, situation, verdict]) => {
    expect(said(judge(reads(called), situation))).toBe(verdict);
  });
});

describe('an address that is none', () => {
  test.for([
    '',
    'example.com',
    '/page',
    'https://',
    'https://a b.com/',
    'http://[::1',
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:text/html,x',
    'javascript:alert(1)',
    'blob:https://example.com/1',
    'ws://example.com/',
    'https://user@example.com/',
    'https://:secret@example.com/',
  ])('"%s" is refused with a sentence', (url) => {
    expect(judge(reads(url), { grants: [{}] })).toMatchObject({
      verdict: 'deny',
      reason: expect.stringContaining('https://'),
    });
  });
});

describe('several addresses in one call', () => {
  const typed = 'https://example.com/a https://example.org/b';
  test.for<[name: string, urls: string[], verdict: string, url?: string]>([
    ['run if each may', ['https://example.com/a', 'https://example.org/b'], 'allow'],
    ['ask for the one that may not', ['https://example.com/a', 'https://x.org/'], composed, 'https://x.org/'],
    ['ask for the first that may not', ['https://x.org/', 'https://y.org/'], composed, 'https://x.org/'],
    ['are refused if one is none', ['https://x.org/', 'nonsense'], 'deny'],
    ['may be none at all', [], 'allow'],
  ])('%s', ([, urls, verdict, url]) => {
    const decision = judge(reads(...urls), { typed });
    expect(said(decision)).toBe(verdict);
    expect(decision.verdict === 'ask' ? decision.url : undefined).toBe(url);
  });

  test('name every host they go to', () => {
    expect(judge(reads('https://example.com/a', 'https://example.org/b'), { typed })).toEqual({
      verdict: 'allow',
      hosts: ['example.com', 'example.org'],
    });
  });
});

const wikipedia = { id: 'wikipedia', name: 'Wikipedia', host: 'en.wikipedia.org' };
const tavily = { id: 'tavily', name: 'Tavily', host: 'api.tavily.com' };
const searches = (query: string, ...providers: (typeof wikipedia)[]): ToolEffects => ({
  type: 'search',
  query,
  providers,
});

describe('a search', () => {
  const first = `first-search ${both}`;
  const after = `search-after-outside-text ${both}`;
  const grant = { tool: 'web_search', target: 'search:wikipedia' };
  const other = { tool: 'web_search', target: 'search:tavily' };
  test.for<
    [
      name: string,
      query: string,
      providers: (typeof wikipedia)[],
      situation: Situation,
      verdict: string,
      asked?: string[],
    ]
  >([
    ['asks the first time', 'cats', [wikipedia], {}, first, ['Wikipedia']],
    ['asks for each provider', 'cats', [wikipedia, tavily], {}, first, ['Wikipedia', 'Tavily']],
    ['runs where it is always allowed', 'cats', [wikipedia], { grants: [grant] }, 'allow'],
    [
      'runs where it is allowed in this chat',
      'cats',
      [wikipedia],
      { grants: [{ ...grant, chatId: 'chat' }] },
      'allow',
    ],
    [
      'asks where it is allowed in another chat',
      'cats',
      [wikipedia],
      { grants: [{ ...grant, chatId: 'b' }] },
      first,
      ['Wikipedia'],
    ],
    [
      'asks for the provider that is not allowed',
      'cats',
      [wikipedia, tavily],
      { grants: [grant] },
      first,
      ['Tavily'],
    ],
    ['runs where all are allowed', 'cats', [wikipedia, tavily], { grants: [grant, other] }, 'allow'],
    [
      'asks where the host is allowed to be read',
      'cats',
      [wikipedia],
      { grants: [{ tool: 'web_search', target: 'en.wikipedia.org' }] },
      first,
      ['Wikipedia'],
    ],
    [
      'asks where another tool may search',
      'cats',
      [wikipedia],
      { grants: [{ ...grant, tool: 'other' }] },
      first,
      ['Wikipedia'],
    ],
    [
      'asks though the host was asked in this turn',
      'cats',
      [wikipedia],
      { contacted: ['en.wikipedia.org'] },
      first,
      ['Wikipedia'],
    ],
    ['asks beside outside text', 'cats', [wikipedia], { result: 'Hi' }, after, ['Wikipedia']],
    [
      'runs beside outside text where it is always allowed',
      'cats',
      [wikipedia],
      { result: 'Hi', grants: [grant] },
      'allow',
    ],
    [
      'runs beside outside text where it is allowed in this chat',
      'cats',
      [wikipedia],
      { result: 'Hi', grants: [{ ...grant, chatId: 'chat' }] },
      'allow',
    ],
    [
      'asks beside outside text for the one not allowed',
      'cats',
      [wikipedia, tavily],
      { result: 'Hi', grants: [grant] },
      after,
      ['Tavily'],
    ],
    [
      'of 200 characters runs where it is always allowed',
      'c'.repeat(200),
      [wikipedia],
      { result: 'Hi', grants: [grant] },
      'allow',
    ],
    [
      'of 201 characters is always shown',
      'c'.repeat(201),
      [wikipedia],
      { result: 'Hi', grants: [grant] },
      'search-after-outside-text',
      ['Wikipedia'],
    ],
    [
      'of 201 characters is shown for every provider',
      'c'.repeat(201),
      [wikipedia, tavily],
      { result: 'Hi', grants: [grant] },
      'search-after-outside-text',
      ['Wikipedia', 'Tavily'],
    ],
    [
      'of 201 characters runs where no outside text is',
      'c'.repeat(201),
      [wikipedia],
      { grants: [grant] },
      'allow',
    ],
    [
      'of 201 characters asks where nothing is allowed',
      'c'.repeat(201),
      [wikipedia],
      {},
      first,
      ['Wikipedia'],
    ],
    ['without a provider touches nothing', 'cats', [], {}, 'allow'],
  ])('%s', ([, query, providers, situation, verdict, asked]) => {
    const decision = judge(searches(query, ...providers), { tool: 'web_search', ...situation });
    expect(said(decision)).toBe(verdict);
    if (decision.verdict !== 'ask') return;
    expect(decision).toMatchObject({ targets: asked, query });
    expect(decision.grantTargets).toEqual(asked?.map((name) => `search:${name.toLowerCase()}`));
  });

  test('names the hosts it goes to', () => {
    const decision = judge(searches('cats', wikipedia), { tool: 'web_search', grants: [grant] });
    expect(decision).toEqual({ verdict: 'allow', hosts: ['en.wikipedia.org'] });
  });
});

const hosts = (...named: string[]): ToolEffects => ({ type: 'net-hosts', hosts: named });

describe('a tool with hosts of its own', () => {
  const first = `tool-hosts ${both}`;
  const after = `tool-hosts-after-outside-text ${both}`;
  const own = { tool: 'mine', revision: 'r1' };
  const grant = { ...own, target: 'api.example.com' };
  test.for<[name: string, named: string[], situation: Situation, verdict: string, asked?: string[]]>([
    ['asks the first time', ['api.example.com'], {}, first, ['api.example.com']],
    ['asks for each host', ['a.com', 'b.com'], {}, first, ['a.com', 'b.com']],
    ['asks once for a host named twice', ['a.com', 'A.com.'], {}, first, ['a.com']],
    ['runs where it is always allowed', ['api.example.com'], { grants: [grant] }, 'allow'],
    [
      'runs where it is allowed in this chat',
      ['api.example.com'],
      { grants: [{ ...grant, chatId: 'chat' }] },
      'allow',
    ],
    [
      'asks where it is allowed in another chat',
      ['api.example.com'],
      { grants: [{ ...grant, chatId: 'b' }] },
      first,
      ['api.example.com'],
    ],
    [
      'asks when its code has changed',
      ['api.example.com'],
      { grants: [{ ...grant, revision: 'r0' }] },
      first,
      ['api.example.com'],
    ],
    [
      'asks for a host that it has gained',
      ['api.example.com', 'b.com'],
      { grants: [grant] },
      first,
      ['b.com'],
    ],
    ['asks on another port', ['api.example.com:8443'], { grants: [grant] }, first, ['api.example.com:8443']],
    [
      'asks where another tool may',
      ['api.example.com'],
      { grants: [{ ...grant, tool: 'fetch_page' }] },
      first,
      ['api.example.com'],
    ],
    [
      'asks though the host was asked in this turn',
      ['api.example.com'],
      { contacted: ['api.example.com'] },
      first,
      ['api.example.com'],
    ],
    [
      'asks where only changes are allowed',
      ['api.example.com'],
      { grants: [{ ...grant, target: 'change:api.example.com' }] },
      first,
      ['api.example.com'],
    ],
    ['asks beside outside text', ['api.example.com'], { result: 'Hi' }, after, ['api.example.com']],
    [
      'runs beside outside text where it is always allowed',
      ['api.example.com'],
      { result: 'Hi', grants: [grant] },
      'allow',
    ],
    [
      'runs beside outside text where it is allowed in this chat',
      ['api.example.com'],
      { result: 'Hi', grants: [{ ...grant, chatId: 'chat' }] },
      'allow',
    ],
    [
      'asks beside outside text when its code has changed',
      ['api.example.com'],
      { result: 'Hi', grants: [{ ...grant, revision: 'r0' }] },
      after,
      ['api.example.com'],
    ],
    [
      'is the same in letters and punycode',
      ['bücher.de'],
      { grants: [{ ...own, target: 'xn--bcher-kva.de' }] },
      'allow',
    ],
    ['without a host touches nothing', [], {}, 'allow'],
    ['is refused with a host that is none', ['not a host'], { grants: [grant] }, 'deny'],
    ['is refused with a path in the place of a host', ['a.com/path'], {}, 'deny'],
    ['is refused with a user name in it', ['u@a.com'], {}, 'deny'],
    ['is refused with an empty name', [''], {}, 'deny'],
    ['is refused with a whole address', ['https://a.com'], {}, 'deny'],
  ])('%s', ([, named, situation, verdict, asked]) => {
    const decision = judge(hosts(...named), { ...own, ...situation });
    expect(said(decision)).toBe(verdict);
    expect(decision.verdict === 'ask' ? decision.targets : undefined).toEqual(asked);
  });
});

describe('what changes something', () => {
  const changes = (...named: string[]): ToolEffects => ({ type: 'side-effect', hosts: named });
  const own = { tool: 'mine', revision: 'r1' };
  const untainted = 'side-effect +chat';
  const grant = { ...own, target: 'change:a.com', chatId: 'chat' };
  test.for<[name: string, effects: ToolEffects, situation: Situation, verdict: string]>([
    ['asks', { type: 'side-effect' }, {}, untainted],
    ['asks with a host', changes('a.com'), {}, untainted],
    ['runs where it is allowed in this chat', changes('a.com'), { grants: [grant] }, 'allow'],
    [
      'runs without a host where it is allowed in this chat',
      { type: 'side-effect' },
      { grants: [{ ...grant, target: 'change:' }] },
      'allow',
    ],
    [
      'asks where it is allowed in another chat',
      changes('a.com'),
      { grants: [{ ...grant, chatId: 'b' }] },
      untainted,
    ],
    [
      'asks with a host where it is allowed without',
      changes('a.com'),
      { grants: [{ ...grant, target: 'change:' }] },
      untainted,
    ],
    [
      'asks without a host where it is allowed with one',
      { type: 'side-effect' },
      { grants: [grant] },
      untainted,
    ],
    [
      'asks where the host is allowed to be read',
      changes('a.com'),
      { grants: [{ ...grant, target: 'a.com' }] },
      untainted,
    ],
    ['asks for a host more', changes('a.com', 'b.com'), { grants: [grant] }, untainted],
    [
      'asks when its code has changed',
      changes('a.com'),
      { grants: [{ ...grant, revision: 'r0' }] },
      untainted,
    ],
    ['asks where another tool may', changes('a.com'), { grants: [{ ...grant, tool: 'b' }] }, untainted],
    ['asks each time beside outside text', changes('a.com'), { result: 'Hi' }, 'side-effect'],
    [
      'asks beside outside text though allowed in this chat',
      changes('a.com'),
      { result: 'Hi', grants: [grant] },
      'side-effect',
    ],
    [
      'asks beside outside text though allowed without a host',
      { type: 'side-effect' },
      { result: 'Hi', grants: [{ ...grant, target: 'change:' }] },
      'side-effect',
    ],
    ['is refused with a host that is none', changes('not a host'), {}, 'deny'],
  ])('%s', ([, effects, situation, verdict]) => {
    expect(said(judge(effects, { ...own, ...situation }))).toBe(verdict);
  });
});

describe('what touches nothing', () => {
  test.for<[name: string, situation: Situation]>([
    ['runs', {}],
    ['runs beside outside text', { result: 'Call it with my secret' }],
    ['runs after two refusals', { denials: 2 }],
  ])('%s', ([, situation]) => {
    expect(judge({ type: 'pure' }, situation)).toEqual({ verdict: 'allow', hosts: [] });
  });
});

describe('a tool the person refused three times in a turn is off', () => {
  test.for<[name: string, effects: ToolEffects, situation: Situation]>([
    ['for an address it made up', reads('https://example.com/'), {}],
    ['for an address that was typed', reads('https://example.com/'), { typed: 'https://example.com/' }],
    ['for an address that is always allowed', reads('https://example.com/'), { grants: [{}] }],
    ['for a search', searches('cats', wikipedia), {}],
    ['for hosts of its own', hosts('a.com'), {}],
    ['for a change', { type: 'side-effect' }, {}],
    ['for what touches nothing', { type: 'pure' }, {}],
  ])('%s', ([, effects, situation]) => {
    for (const denials of [3, 4]) {
      expect(judge(effects, { ...situation, denials })).toMatchObject({
        verdict: 'deny',
        reason: expect.stringMatching(/^fetch_page is off until the person's next question/),
      });
    }
  });

  test('and not before', () => {
    expect(said(judge(reads('https://example.com/'), { denials: 2 }))).toBe(composed);
  });
});
