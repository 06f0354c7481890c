import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/contracts/message';
import { findLinks } from '../../../src/state/found-links';

const you = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const called = (url: string): Message => ({
  role: 'assistant',
  content: [{ type: 'tool-call', id: 'c', name: 'fetch_page', arguments: { url } }],
  finishReason: 'tool-calls',
});
const got = (text: string, sources: string[] = ['news.example']): Message => ({
  role: 'tool',
  results: [
    {
      toolCallId: 'c',
      toolName: 'fetch_page',
      content: [{ type: 'text', text }],
      isError: false,
      sources,
      timing: { startedAt: 0, durationMs: 1 },
    },
  ],
});

test('URLs are not checked in a chat without outside text', () => {
  expect(findLinks([])).toBeUndefined();
  expect(findLinks([you('Hi'), got('https://a.example/', [])])).toBeUndefined();
});

describe('a URL that counts as found', () => {
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
  ])('it is the URL %s if a result contains: %s', ([href, text]) => {
    expect(findLinks([you('Hi'), got(text!)])?.(href!)).toBe(true);
  });

  test.for(['Read a.example/b please', 'https://a.example/b', 'What is on a.example/b?'])(
    'it was typed by the user: %s',
    (text) => {
      expect(findLinks([you(text), got('News')])?.('https://a.example/b')).toBe(true);
    },
  );

  test('it was in a result before the model used it in a call', () => {
    const messages = [got('https://a.example/b'), called('https://a.example/b'), got('B')];
    expect(findLinks(messages)?.('https://a.example/b')).toBe(true);
  });
});

describe('a URL that does not count as found', () => {
  test('it is in a note that the model recalled', () => {
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
  ])('it is the URL %s if the only result is: %s', ([href, text]) => {
    expect(findLinks([you('Hi'), got(text!)])?.(href!)).toBe(false);
  });

  test.for(['not-a.example/b', 'me@a.example', 'sub.a.example/b'])(
    'it is only a part of a longer typed word: %s',
    (text) => {
      expect(findLinks([you(text), got('News')])?.('https://a.example/b')).toBe(false);
    },
  );

  test('it is in a result that may repeat a URL made up by the model', () => {
    for (const url of ['https://a.example/secret', 'HTTPS://A.example/secret', 'a.example/secret']) {
      const messages = [got('News'), called(url), got('Not found: https://a.example/secret')];
      expect(findLinks(messages)?.('https://a.example/secret')).toBe(false);
    }
  });

  test('it is in the result of a tool that contacted nobody', () => {
    expect(findLinks([got('News'), got('https://a.example/b', [])])?.('https://a.example/b')).toBe(false);
  });
});
