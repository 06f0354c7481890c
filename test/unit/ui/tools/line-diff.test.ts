import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hintFor } from '../../../../src/ui/tools/describe-hint';
import { diffLines, nearDifferences } from '../../../../src/ui/tools/line-diff';

const marks = { same: ' ', added: '+', removed: '-' };
const show = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => marks[kind] + text);

test.for([
  { name: 'nothing', before: 'a\nb', after: 'a\nb', lines: [' a', ' b'] },
  { name: 'a line in the middle', before: 'a\nb\nc', after: 'a\nx\nc', lines: [' a', '-b', '+x', ' c'] },
  { name: 'a line more', before: 'a\nc', after: 'a\nb\nc', lines: [' a', '+b', ' c'] },
  { name: 'the same line twice', before: 'a\na', after: 'a', lines: [' a', '-a'] },
])('$name differs', ({ before, after, lines }) => {
  expect(show(before, after)).toEqual(lines);
});

test('from a difference both texts can be put together again', () => {
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
])('of $before and $after only what is near a difference is shown', ({ before, after, shown }) => {
  const lines = diffLines(before.split('').join('\n'), after.split('').join('\n'));
  expect(
    nearDifferences(lines)
      .map(({ kind, text }) => marks[kind] + text)
      .join(''),
  ).toBe(shown);
});

test('texts too long to compare are shown one after the other', () => {
  const long = (mark: string) => Array.from({ length: 1200 }, (_, at) => `${mark}${at}`).join('\n');
  expect(diffLines(long('a'), long('b'))).toHaveLength(2400);
});

test.for([
  { description: ' ', hint: 'empty' },
  { description: 'Makes a slug.', hint: 'short' },
  { description: 'Makes the address of a post from its title.', hint: 'when' },
  { description: 'Makes an address from a title. Use it when a slug is asked for.', hint: 'good' },
  { description: '把标题变成网址。当有人要网址时使用。', hint: 'good' },
  { description: 'x'.repeat(301), hint: 'long' },
])('of "$description" the hint is $hint', ({ description, hint }) => {
  expect(hintFor(description)).toBe(hint);
});
