import { expect, test } from 'vitest';
import { diffWords } from '../../../src/ui/parts/diff';

const shown = (before: string, after: string) => {
  const { before: left, after: right } = diffWords(before, after);
  const write = (pieces: typeof left) =>
    pieces.map(({ kind, text }) => (kind === 'same' ? text : `[${text}]`)).join('');
  return [write(left), write(right)];
};

test.for([
  ['equal texts are shown without marks', 'It is 391.', 'It is 391.', 'It is 391.', 'It is 391.'],
  ['a different word is marked', 'It is 391.', 'It is 392.', 'It is [391].', 'It is [392].'],
  [
    'inserted words are marked',
    'Herons eat fish.',
    'Herons eat small fish.',
    'Herons eat fish.',
    'Herons eat [small ]fish.',
  ],
  [
    'words are found in a language without spaces',
    '苍鹭吃鱼。',
    '苍鹭吃青蛙。',
    '苍鹭吃[鱼]。',
    '苍鹭吃[青蛙]。',
  ],
  [
    'a completely different part is marked as one piece',
    'So: frogs, and fish. That is all.',
    'So: nothing but insects! That is all.',
    'So: [frogs, and fish.] That is all.',
    'So: [nothing but insects!] That is all.',
  ],
  ['everything differs from an empty text', '', 'Yes', '', '[Yes]'],
] as const)('%s', ([, before, after, left, right]) => {
  expect(shown(before, after)).toEqual([left, right]);
});

test('the pieces of a comparison add up to both texts, even if the texts are long and different', () => {
  const long = (word: string) => Array.from({ length: 5000 }, (_, at) => `${word}${at}`).join(' ');
  const { before, after } = diffWords(long('a'), long('b'));
  expect(before.map(({ text }) => text).join('')).toBe(long('a'));
  expect(after.map(({ text }) => text).join('')).toBe(long('b'));
});
