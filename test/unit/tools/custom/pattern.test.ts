import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPattern } from '../../../../src/tools/custom/pattern';

function matches(source: string, text: string): boolean {
  const pattern = readPattern(source);
  if (!pattern.ok) throw new Error(pattern.reason);
  return pattern.matches(text);
}

test.for([
  ['^[a-z0-9]+(-[a-z0-9]+)*$', 'my-first-post', 'My-first', 'a--b', ''],
  ['^\\d{4}-\\d{2}-\\d{2}$', '2026-11-21', '2026-1-21', ' 2026-11-21'],
  ['^(EUR|USD)$', 'EUR', 'EURO', 'GBP'],
  ['[^@\\s]+@[^@\\s]+\\.\\w{2,}', 'write to a.b@c.org now', 'a@b', 'a b@.c'],
  ['^.$', '💥', 'ab', '\n'],
  ['^\\u{1F4A5}\\x41\\u0042$', '💥AB', 'AB'],
  ['^(?:a|b){2,3}?$', 'abb', 'a', 'abab'],
  ['^[\\]\\-^]+$', ']-^', 'a'],
  ['', 'anything'],
] as const)('%s', ([source, ...texts]) => {
  for (const text of texts) expect(matches(source, text), text).toBe(new RegExp(source, 'u').test(text));
});

test.for([
  ['(?=a)', 'plain groups'],
  ['(?<x>a)', 'plain groups'],
  ['(a)\\1', '\\1 cannot be used, at character 5'],
  ['\\bword', '\\b cannot be used'],
  ['\\p{L}', '\\p cannot be used'],
  ['a**', '* stands where it means nothing'],
  ['^*', 'nothing to repeat'],
  ['(a', 'a ) is missing'],
  ['a)', 'not opened'],
  ['[a', 'a ] is missing'],
  ['[a-', 'a ] is missing'],
  ['[z-a]', 'range'],
  ['a{2,1}', 'wrong way round'],
  ['a{x}', '{ must be followed'],
  ['\\', 'cannot be used'],
  [`[${'a-b'.repeat(30)}]`, 'too many ranges'],
  ['(a{50}){50}', 'too long'],
  ['('.repeat(200) + ')'.repeat(200), 'too deep'],
] as const)('%s is refused, and it is said why', ([source, reason]) => {
  expect(readPattern(source)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
});

const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\d', '\\w', '\\.', '1', 'é', '💥');
const { source } = fc.letrec<{ source: string; part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3 },
    atom,
    fc.tuple(atom, fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{0,}', '*?')).map((pair) => pair.join('')),
    fc
      .tuple(tie('source'), fc.constantFrom('', '*', '+', '?', '{2}'))
      .map(([inner, count]) => `(${inner})${count}`),
  ),
  source: fc
    .tuple(fc.constantFrom('', '^'), fc.array(tie('part'), { maxLength: 4 }), fc.constantFrom('', '$', '|b'))
    .map(([begin, parts, end]) => begin + parts.join('') + end),
}));

test('agrees with the language on 3,000 patterns', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '1', '.', 'é', '💥', '\n'), { maxLength: 12 });
  let read = 0;
  fc.assert(
    fc.property(source, text, (source, letters) => {
      const pattern = readPattern(source);
      if (!pattern.ok) return;
      read++;
      expect(pattern.matches(letters.join(''))).toBe(new RegExp(source, 'u').test(letters.join('')));
    }),
    { seed: 2026, numRuns: 3000 },
  );
  expect(read).toBeGreaterThan(2500);
});

describe('what makes others go back for ever', () => {
  test.for([['^(a+)+$'], ['^(a|a)*$'], ['^(a?){50}a{50}$'], ['(.*){20}x'], ['^(\\w+\\s?)*$']] as const)(
    '%s ends',
    ([source]) => {
      expect(matches(source, `${'a'.repeat(3900)}!`)).toBe(false);
    },
  );

  test('a set of a hundred thousand letters is looked into, not gone through', () => {
    const letters = String.fromCodePoint(...Array.from({ length: 100_000 }, (_, n) => 0x20000 + n));
    expect(matches(`^[${letters}]{480}$`, 'a'.repeat(480))).toBe(false);
    expect(matches(`^[${letters}]+$`, letters.slice(-3000))).toBe(true);
  });
});
