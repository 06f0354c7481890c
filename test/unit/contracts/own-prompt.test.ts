import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fillTemplate, templateOf, variablesOf } from '../../../src/contracts/own-prompt';

const filled = (text: string, values: Record<string, string> = {}) =>
  fillTemplate(text, new Map(Object.entries(values)));

describe('variablesOf', () => {
  test.for([
    { name: 'none', text: 'Say hello.', asked: [] },
    { name: 'each once, in their order', text: '{{b}} {{a}} {{b}}', asked: ['b=', 'a='] },
    { name: 'spaces around names and defaults', text: '{{ city | Oslo }}', asked: ['city=Oslo'] },
    { name: 'Chinese names', text: '用{{语言|中文}}说', asked: ['语言=中文'] },
    { name: 'names of several words', text: '{{the first name}}', asked: ['the first name='] },
    { name: 'the first default there is', text: '{{a}} {{a|1}} {{a|2}}', asked: ['a=1'] },
    { name: 'names that are words of JavaScript', text: '{{__proto__}}', asked: ['__proto__='] },
    { name: 'no empty name', text: '{{}} {{ }} {{|x}} {{ |x}}', asked: [] },
    { name: 'no name of two lines', text: '{{a\nb}}', asked: [] },
    { name: 'nothing behind a backslash', text: '\\{{a}}', asked: [] },
    { name: 'nothing of code', text: 'const a = {b: {c: 1}}; `${x}`', asked: [] },
    { name: 'the innermost of nested braces', text: '{{{a}}}', asked: ['a='] },
    { name: 'nothing with two bars', text: '{{a|b|c}}', asked: [] },
    { name: 'nothing that is open', text: '{{a} }} {{b', asked: [] },
  ])('it handles variables: $name', ({ text, asked }) => {
    expect(variablesOf(text).map(({ name, initial }) => `${name}=${initial}`)).toEqual(asked);
  });
});

describe('fillTemplate', () => {
  test.for([
    {
      name: 'puts in what was given',
      text: 'In {{a}}, {{ a }}.',
      values: { a: 'Oslo' },
      gives: 'In Oslo, Oslo.',
    },
    { name: 'takes the default where nothing was given', text: '{{a|x}}{{a}}', values: {}, gives: 'xx' },
    { name: 'takes the empty text where it was given', text: '[{{a|x}}]', values: { a: '' }, gives: '[]' },
    {
      name: 'looks not into what was given',
      text: '{{a}}',
      values: { a: '{{b}} $& \\{{' },
      gives: '{{b}} $& \\{{',
    },
    {
      name: 'gives the braces behind a backslash',
      text: '\\{{a}} {{b}}',
      values: { b: '1' },
      gives: '{{a}} 1',
    },
    {
      name: 'leaves what is no variable',
      text: '{{}} {{ |x}} {{a|b|c}}',
      values: {},
      gives: '{{}} {{ |x}} {{a|b|c}}',
    },
  ])('$name', ({ text, values, gives }) => {
    expect(filled(text, values)).toBe(gives);
  });

  test('it returns an escaped text unchanged', () => {
    const text = fc.string({ unit: fc.constantFrom('{', '}', '|', '\\', 'a', '\n', ' ') });
    fc.assert(
      fc.property(text, (written) => {
        expect(filled(templateOf(written))).toBe(written);
        expect(variablesOf(templateOf(written))).toEqual([]);
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});
