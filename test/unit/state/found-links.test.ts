import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/contracts/message';
import type { Origin } from '../../../src/contracts/origin';
import { findLinks } from '../../../src/state/found-links';

const you = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origins: [{ door: 'typed' }],
});
const called = (url: string): Message => ({
  role: 'assistant',
  content: [{ type: 'tool-call', id: 'c', name: 'fetch_page', arguments: { url } }],
  finishReason: 'tool-calls',
});
const got = (text: string, origin: Origin = { door: 'page', name: 'news.example' }): Message => ({
  role: 'tool',
  results: [
    {
      toolCallId: 'c',
      toolName: 'fetch_page',
      content: [{ type: 'text', text }],
      isError: false,
      origins: [origin],
      timing: { startedAt: 0, durationMs: 1 },
    },
  ],
});

test('URLs in replies are not checked if the chat contains no text from outside', () => {
  expect(findLinks([])).toBeUndefined();
  expect(findLinks([you('Hi'), got('https://a.example/', { door: 'hearth' })])).toBeUndefined();
});

describe('a URL in a reply counts as known', () => {
  test.for([
    ['https://a.example/b?c#d', 'See https://a.example/b?c#d'],
    ['https://a.example/b', 'See https://a.example/b.'],
    ['https://a.example/b', '[b](https://a.example/b), and more'],
    ['https://a.example/b', '"https://a.example/b"'],
    ['https://a.example/b', '看https://a.example/b。'],
    ['https://a.example/', 'https://a.example'],
    ['https://a.example/%C3%A4', 'https://a.example/ä'],
    ['https://a.example/b', 'https://a.example/bc and https://a.example/b'],
    ['mailto:a@b.example', 'Write to mailto:a@b.example'],
  ])('if it is %s and a tool result contains: %s', ([href, text]) => {
    expect(findLinks([you('Hi'), got(text!)])?.(href!)).toBe(true);
  });

  test.for(['Read a.example/b please', 'https://a.example/b', 'What is on a.example/b?'])(
    'if the user typed it: %s',
    (text) => {
      expect(findLinks([you(text), got('News')])?.('https://a.example/b')).toBe(true);
    },
  );

  test('if a tool result contained it before the model used it in a call', () => {
    const messages = [got('https://a.example/b'), called('https://a.example/b'), got('B')];
    expect(findLinks(messages)?.('https://a.example/b')).toBe(true);
  });
});

describe('a URL in a reply does not count as known', () => {
  test('if it comes only from a note that the model recalled', () => {
    const noted = got('Note of 2026-11-24: see https://a.example/b');
    if (noted.role === 'tool') noted.results[0]!.toolName = 'recall';
    expect(findLinks([you('Hi'), noted])?.('https://a.example/b')).toBe(false);
  });

  test.for([
    ['https://a.example/b', 'News'],
    ['https://a.example/b', 'https://a.example/bc'],
    ['https://a.example/b', 'https://a.example/b/c'],
    ['https://a.example/b', 'https://a.example/b?c'],
    ['https://a.example/', 'https://a.example.evil.example/'],
    ['https://a.example/', 'a.example'],
    ['https://long.secret.a.example/', 'https://a.example/'],
    ['https://a.example/b', 'http://a.example/b'],
  ])('if it is %s and the only tool result is: %s', ([href, text]) => {
    expect(findLinks([you('Hi'), got(text!)])?.(href!)).toBe(false);
  });

  test.for(['not-a.example/b', 'me@a.example', 'sub.a.example/b'])(
    'if the user typed it only as part of a longer word: %s',
    (text) => {
      expect(findLinks([you(text), got('News')])?.('https://a.example/b')).toBe(false);
    },
  );

  test('if the model first used it in a call and a tool result then repeated it', () => {
    for (const url of ['https://a.example/secret', 'HTTPS://A.example/secret', 'a.example/secret']) {
      const messages = [got('News'), called(url), got('Not found: https://a.example/secret')];
      expect(findLinks(messages)?.('https://a.example/secret')).toBe(false);
    }
  });

  test('if it comes from a tool that contacted no host', () => {
    expect(
      findLinks([got('News'), got('https://a.example/b', { door: 'hearth' })])?.('https://a.example/b'),
    ).toBe(false);
  });
});
