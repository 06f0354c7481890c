/** Checks `en.json` and `zh.json`. */
import { describe, expect, test } from 'vitest';
import en from '../../../src/ember/en.json';
import { fillTemplate, patternOf, phrasesIn, wording, wordings } from '../../../src/ember/phrases';
import zh from '../../../src/ember/zh.json';

test('both languages have the same phrases', () => {
  const shapeOf = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shapeOf(part)]))
      : typeof value;
  expect(shapeOf(zh.says)).toEqual(shapeOf(en.says));
});

test('a template has the same parameters in both languages', () => {
  const namesIn = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();
  const { replies } = phrasesIn('en');
  for (const [intent, text] of Object.entries(phrasesIn('zh').replies)) {
    expect([intent, namesIn(text)]).toEqual([intent, namesIn(replies[intent as keyof typeof replies])]);
  }
});

test('every intent is worded in both languages', () => {
  expect(Object.keys(zh.talk).sort()).toEqual(Object.keys(en.talk).sort());
  expect(Object.keys(zh.beyond).sort()).toEqual(Object.keys(en.beyond).sort());
});

describe.for([
  ['en', en.patterns],
  ['zh', zh.patterns],
] as const)('the patterns in %s', ([language, patterns]) => {
  test.for(Object.entries(patterns))('the pattern %s compiles', ([name, written]) => {
    const compiled =
      typeof written === 'string'
        ? [wording(name as keyof typeof patterns, language)]
        : wordings(name as keyof typeof patterns);
    for (const pattern of compiled) expect(pattern.source).not.toMatch(/\{[a-z][a-z-]+\}/);
  });
});

test('a pattern is compiled only once', () => {
  expect(wording('asks-units')).toBe(wording('asks-units'));
  expect(patternOf('^{greetings}')).toBe(patternOf('^{greetings}'));
});

test('a value that looks like a template parameter is not replaced', () => {
  expect(fillTemplate('{model}: {query}', { model: '{query}', query: 'herons' })).toBe('{query}: herons');
});
