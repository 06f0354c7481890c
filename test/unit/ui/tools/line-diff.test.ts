import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines, collapseUnchangedLines } from '../../../../src/ui/parts/diff';

const marks = { same: ' ', added: '+', removed: '-' };
const show = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => marks[kind] + text);

test.for([
  { name: 'no difference', before: 'a\nb', after: 'a\nb', lines: [' a', ' b'] },
  {
    name: 'a changed line in the middle',
    before: 'a\nb\nc',
    after: 'a\nx\nc',
    lines: [' a', '-b', '+x', ' c'],
  },
  { name: 'an added line', before: 'a\nc', after: 'a\nb\nc', lines: [' a', '+b', ' c'] },
  { name: 'a removed duplicate', before: 'a\na', after: 'a', lines: [' a', '-a'] },
])('two texts are compared line by line: $name', ({ before, after, lines }) => {
  expect(show(before, after)).toEqual(lines);
});

test('both texts can be rebuilt from their difference', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      const lines = diffLines(one.join('\n'), other.join('\n'));
      const without = (kind: string) => lines.filter((line) => line.kind !== kind).map((line) => line.text);
      expect(without('added')).toEqual(one);
      expect(without('removed')).toEqual(other);
    }),
  );
});

test.for([
  { before: 'abcdefghij', after: 'abcdeXghij', shown: ' … c d e-f+X g h i …' },
  { before: 'abcdefghij', after: 'Xbcdefghij', shown: '-a+X b c d …' },
  { before: 'abcdefghij', after: 'Xbcdefghiy', shown: '-a+X b c d … g h i-j+y' },
  { before: 'ab', after: 'ab', shown: ' …' },
])('only the lines near a difference are shown: $before and $after', ({ before, after, shown }) => {
  const lines = diffLines(before.split('').join('\n'), after.split('').join('\n'));
  expect(
    collapseUnchangedLines(lines)
      .map(({ kind, text }) => marks[kind] + text)
      .join(''),
  ).toBe(shown);
});

test('two texts that are too long to compare are shown as completely removed and added', () => {
  const long = (mark: string) => Array.from({ length: 1200 }, (_, at) => `${mark}${at}`).join('\n');
  expect(diffLines(long('a'), long('b'))).toHaveLength(2400);
});
