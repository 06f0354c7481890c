import { expect, test } from 'vitest';
import { diffWords } from '../../../src/ui/trace/word-diff';

const shown = (before: string, after: string) => {
  const { before: left, after: right } = diffWords(before, after);
  const write = (pieces: typeof left) =>
    pieces.map(({ kind, text }) => (kind === 'same' ? text : `[${text}]`)).join('');
  return [write(left), write(right)];
};

test.for([
  ['the same is the same', 'It is 391.', 'It is 391.', 'It is 391.', 'It is 391.'],
  ['a word', 'It is 391.', 'It is 392.', 'It is [391].', 'It is [392].'],
  [
    'words that were put in',
    'Herons eat fish.',
    'Herons eat small fish.',
    'Herons eat fish.',
    'Herons eat [small ]fish.',
  ],
  ['words without spaces', '苍鹭吃鱼。', '苍鹭吃青蛙。', '苍鹭吃[鱼]。', '苍鹭吃[青蛙]。'],
  [
    'a sentence that is another',
    'So: frogs, and fish. That is all.',
    'So: nothing but insects! That is all.',
    'So: [frogs, and fish.] That is all.',
    'So: [nothing but insects!] That is all.',
  ],
  ['against nothing', '', 'Yes', '', '[Yes]'],
] as const)('%s', ([, before, after, left, right]) => {
  expect(shown(before, after)).toEqual([left, right]);
});

test('each text is whole in its pieces, and long ones that differ everywhere take no time', () => {
  const long = (word: string) => Array.from({ length: 5000 }, (_, at) => `${word}${at}`).join(' ');
  const { before, after } = diffWords(long('a'), long('b'));
  expect(before.map(({ text }) => text).join('')).toBe(long('a'));
  expect(after.map(({ text }) => text).join('')).toBe(long('b'));
});
