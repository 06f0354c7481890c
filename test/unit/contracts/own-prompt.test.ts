import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fillTemplate, escapeTemplate, variablesOf } from '../../../src/contracts/own-prompt';

const filled = (text: string, values: Record<string, string> = {}) =>
  fillTemplate(text, new Map(Object.entries(values)));

describe('the variables found in a saved prompt', () => {
  test.for([
    { name: 'none in plain text', text: 'Say hello.', asked: [] },
    { name: 'each one once, in order of appearance', text: '{{b}} {{a}} {{b}}', asked: ['b=', 'a='] },
    { name: 'spaces around names and defaults', text: '{{ city | Oslo }}', asked: ['city=Oslo'] },
    { name: 'Chinese names', text: '用{{语言|中文}}说', asked: ['语言=中文'] },
    { name: 'names of several words', text: '{{the first name}}', asked: ['the first name='] },
    { name: 'the first default of a name', text: '{{a}} {{a|1}} {{a|2}}', asked: ['a=1'] },
    { name: 'names of built-in properties', text: '{{__proto__}}', asked: ['__proto__='] },
    { name: 'none with an empty name', text: '{{}} {{ }} {{|x}} {{ |x}}', asked: [] },
    { name: 'none with a line break in the name', text: '{{a\nb}}', asked: [] },
    { name: 'none after a backslash', text: '\\{{a}}', asked: [] },
    { name: 'none in code', text: 'const a = {b: {c: 1}}; `${x}`', asked: [] },
    { name: 'the innermost one of nested braces', text: '{{{a}}}', asked: ['a='] },
    { name: 'none with two bars', text: '{{a|b|c}}', asked: [] },
    { name: 'none without closing braces', text: '{{a} }} {{b', asked: [] },
  ])('$name', ({ text, asked }) => {
    expect(variablesOf(text).map(({ name, initial }) => `${name}=${initial}`)).toEqual(asked);
  });
});

describe('filling in the variables of a saved prompt', () => {
  test.for([
    {
      name: 'inserts the given values',
      text: 'In {{a}}, {{ a }}.',
      values: { a: 'Oslo' },
      gives: 'In Oslo, Oslo.',
    },
    { name: 'uses the default if no value was given', text: '{{a|x}}{{a}}', values: {}, gives: 'xx' },
    { name: 'inserts empty text if it was given', text: '[{{a|x}}]', values: { a: '' }, gives: '[]' },
    {
      name: 'does not expand variables in values',
      text: '{{a}}',
      values: { a: '{{b}} $& \\{{' },
      gives: '{{b}} $& \\{{',
    },
    {
      name: 'turns escaped braces into plain braces',
      text: '\\{{a}} {{b}}',
      values: { b: '1' },
      gives: '{{a}} 1',
    },
    {
      name: 'leaves text that is not a variable',
      text: '{{}} {{ |x}} {{a|b|c}}',
      values: {},
      gives: '{{}} {{ |x}} {{a|b|c}}',
    },
  ])('$name', ({ text, values, gives }) => {
    expect(filled(text, values)).toBe(gives);
  });

  test('restores any escaped text exactly', () => {
    const text = fc.string({ unit: fc.constantFrom('{', '}', '|', '\\', 'a', '\n', ' ') });
    fc.assert(
      fc.property(text, (written) => {
        expect(filled(escapeTemplate(written))).toBe(written);
        expect(variablesOf(escapeTemplate(written))).toEqual([]);
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});
