import { describe, expect, test } from 'vitest';
import type { Grant } from '../../../../src/contracts/permission';
import { both, judge, reads, said, type Situation } from '../../../support/judge';

const composed = `composed-url ${both}`;
const tainted = `composed-url-after-outside-text ${both}`;
const shown = 'composed-url-after-outside-text';
const newHost = `new-host ${both}`;

describe('a call with an address from outside text', () => {
  test.for<[name: string, result: string, called: string, contacted: string[], verdict: string]>([
    ['runs if its host was contacted in this turn', 'https://a.com/x', 'https://a.com/x', ['a.com'], 'allow'],
    ['asks on any other host', 'https://a.com/x', 'https://a.com/x', [], newHost],
    ['asks if only a subdomain was contacted', 'https://a.com/x', 'https://a.com/x', ['b.a.com'], newHost],
    [
      'asks if only the parent domain was contacted',
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
    ['runs with a trailing dot after the host', 'https://a.com/x', 'https://a.com./x', ['a.com'], 'allow'],
    [
      'counts as made up with a query added',
      'https://a.com/x',
      'https://a.com/x?y=secret',
      ['a.com'],
      tainted,
    ],
    [
      'counts as made up with a fragment added',
      'https://a.com/x',
      'https://a.com/x#secret',
      ['a.com'],
      tainted,
    ],
    [
      'counts as made up with the query filled in',
      'https://a.com/x?y=',
      'https://a.com/x?y=secret',
      ['a.com'],
      tainted,
    ],
    ['counts as made up with a longer path', 'https://a.com/x', 'https://a.com/x/secret', ['a.com'], tainted],
    ['counts as made up on a subdomain', 'https://a.com/x', 'https://secret.a.com/x', ['a.com'], tainted],
    ['counts as made up with http for https', 'https://a.com/x', 'http://a.com/x', ['a.com'], tainted],
    ['counts as made up with https for http', 'http://a.com/x', 'https://a.com/x', ['a.com'], tainted],
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
    ['asks if only the parent domain is allowed', { target: 'com' }, newHost],
    ['asks if only a subdomain is allowed', { target: 'b.a.com' }, newHost],
    ['asks if only changes are allowed there', { target: 'change:a.com' }, newHost],
    ['asks if only a search of that name is allowed', { target: 'search:a.com' }, newHost],
    ['asks if the grant has the name in capitals', { target: 'A.com' }, newHost],
  ])('%s', ([, grant, verdict]) => {
    expect(said(judge(reads('https://a.com/x'), { result: 'https://a.com/x', grants: [grant] }))).toBe(
      verdict,
    );
  });
});

const tail = (length: number) => `https://example.com/${'a'.repeat(length - 1)}`;
const queryTail = (length: number) => `https://example.com/?${'a'.repeat(length - 2)}`;

describe('a call with an address that the model made up', () => {
  const always = [{}];
  const inChat = [{ chatId: 'chat' }];
  test.for<[name: string, called: string, situation: Situation, verdict: string]>([
    ['asks the user first', 'https://example.com/', {}, composed],
    ['asks if it has a path', 'https://example.com/a/b', {}, composed],
    ['asks if it has a query', 'https://example.com/?q=1', {}, composed],
    ['asks even if it is very long', tail(2000), {}, composed],
    [
      'asks even if the host was contacted in this turn',
      'https://example.com/a',
      { contacted: ['example.com'] },
      composed,
    ],
    ['runs on a host that is always allowed', 'https://example.com/a', { grants: always }, 'allow'],
    ['runs on a host allowed in this chat', 'https://example.com/a', { grants: inChat }, 'allow'],
    ['runs there with a query', 'https://example.com/?q=1', { grants: always }, 'allow'],
    ['runs there with the host in capitals', 'https://EXAMPLE.com/', { grants: always }, 'allow'],
    ['runs there with a trailing dot after the host', 'https://example.com./', { grants: always }, 'allow'],
    ['runs there with the default port', 'https://example.com:443/', { grants: always }, 'allow'],
    ['asks there on another port', 'https://example.com:8443/', { grants: always }, composed],
    ['asks there on a subdomain', 'https://a.example.com/', { grants: always }, composed],
    [
      'asks there on another host that begins with its name',
      'https://example.com.evil.org/',
      { grants: always },
      composed,
    ],
    ['asks there with a letter that looks the same', 'https://ехample.com/', { grants: always }, composed],
    [
      'runs if its letters are allowed in punycode',
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
    ['asks in a chat with outside text', 'https://example.com/', { result: 'Hi' }, tainted],
    [
      'asks in a chat with outside text though always allowed',
      'https://example.com/a',
      { result: 'Hi', grants: always },
      tainted,
    ],
    [
      'asks in a chat with outside text even if allowed in this chat',
      'https://example.com/a',
      { result: 'Hi', grants: inChat },
      tainted,
    ],
    [
      'asks in a chat with outside text though the host was asked',
      'https://example.com/a',
      { result: 'Hi', contacted: ['example.com'] },
      tainted,
    ],
    [
      'asks in a chat with a source that gave no text',
      'https://example.com/',
      { origins: [{ door: 'page', name: 'a.com' }] },
      tainted,
    ],
    ['can be allowed permanently up to 128 characters', tail(128), { result: 'Hi' }, tainted],
    ['cannot be allowed permanently beyond that', tail(129), { result: 'Hi' }, shown],
    [
      'can be allowed permanently up to 128 characters with its query',
      queryTail(128),
      { result: 'Hi' },
      tainted,
    ],
    ['cannot be allowed permanently beyond that with its query', queryTail(129), { result: 'Hi' }, shown],
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

describe('a call with an invalid address', () => {
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
  ])('is refused with a reason: "%s"', (url) => {
    expect(judge(reads(url), { grants: [{}] })).toMatchObject({
      verdict: 'deny',
      reason: expect.stringContaining('https://'),
    });
  });
});

describe('a call with several addresses', () => {
  const typed = 'https://example.com/a https://example.org/b';
  test.for<[name: string, urls: string[], verdict: string, url?: string]>([
    ['runs if each address may be requested', ['https://example.com/a', 'https://example.org/b'], 'allow'],
    [
      'asks about the address that may not be requested',
      ['https://example.com/a', 'https://x.org/'],
      composed,
      'https://x.org/',
    ],
    [
      'asks about the first of two that may not be requested',
      ['https://x.org/', 'https://y.org/'],
      composed,
      'https://x.org/',
    ],
    ['is refused if one is not an address', ['https://x.org/', 'nonsense'], 'deny'],
    ['runs without any address', [], 'allow'],
  ])('%s', ([, urls, verdict, url]) => {
    const decision = judge(reads(...urls), { typed });
    expect(said(decision)).toBe(verdict);
    expect(decision.verdict === 'ask' ? decision.url : undefined).toBe(url);
  });

  test('reports all its hosts if it is allowed', () => {
    expect(judge(reads('https://example.com/a', 'https://example.org/b'), { typed })).toMatchObject({
      verdict: 'allow',
      hosts: ['example.com', 'example.org'],
    });
  });
});
