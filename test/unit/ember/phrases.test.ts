/** Checks `en.json` and `zh.json`. */
import { describe, expect, test } from 'vitest';
import en from '../../../src/ember/en.json';
import { fillTemplate, expandPattern, phrasesIn, patternOf } from '../../../src/ember/phrases';
import zh from '../../../src/ember/zh.json';

test('English and Chinese have the same phrases', () => {
  const shapeOf = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shapeOf(part)]))
      : typeof value;
  expect(shapeOf(zh.says)).toEqual(shapeOf(en.says));
});

test('a phrase has the same parameters in English and Chinese', () => {
  const namesIn = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();
  const { replies } = phrasesIn('en');
  for (const [intent, text] of Object.entries(phrasesIn('zh').replies)) {
    expect([intent, namesIn(text)]).toEqual([intent, namesIn(replies[intent as keyof typeof replies])]);
  }
});

/** If a message fits several intents, the first one wins. For example, `crisis` must come before everything else. */
const talkInOrder =
  'crisis secret privacy how-are-you greeting thanks good-night goodbye identity maker nature ability insult praise apology laugh noted ' +
  'birthday sadness bored languages cost doubt again offline unclear told memory';
const beyondInOrder =
  'joke translation code summary rewriting picture action recipe plan story writing chat view';

test('the English and the Chinese phrases list the intents of a message in the same order', () => {
  for (const { talk, beyond } of [en, zh]) {
    expect(Object.keys(talk)).toEqual(talkInOrder.split(' '));
    expect(Object.keys(beyond)).toEqual(beyondInOrder.split(' '));
  }
});

describe.for([
  ['en', en.patterns],
  ['zh', zh.patterns],
] as const)('text patterns in the language %s', ([language, patterns]) => {
  test.for(Object.keys(patterns))('the pattern %s compiles', (name) => {
    const pattern = patternOf(name as keyof typeof patterns, language);
    expect(pattern.source).not.toMatch(/\{[a-z][a-z-]+\}/);
  });
});

test('a text pattern is compiled only once', () => {
  expect(patternOf('asks-units')).toBe(patternOf('asks-units'));
  expect(expandPattern('^{greetings}')).toBe(expandPattern('^{greetings}'));
});

test('a value inserted into a phrase is not treated as a template', () => {
  expect(fillTemplate('{model}: {query}', { model: '{query}', query: 'herons' })).toBe('{query}: herons');
});
