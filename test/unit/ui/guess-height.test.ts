import { expect, test } from 'vitest';
import { turnsOf } from '../../../src/state/turns';
import { guessHeight } from '../../../src/ui/chat/guess-height';
import { answer, question } from '../../support/stored-chat';

function guess(text: string, width = 1280): number {
  const [turn] = turnsOf([question('q', null), answer('a', 'q', text)]);
  if (!turn) throw new Error('No turn');
  return guessHeight(turn, width);
}

test('a turn is guessed higher the more is said, the narrower the window, and the wider the letters', () => {
  const paragraph = 'It is what it is, and nothing more. '.repeat(30);
  const short = guess('Yes.');
  expect(short).toBeGreaterThan(120);
  expect(short).toBeLessThan(220);
  expect(guess(paragraph)).toBeGreaterThan(short + 200);
  expect(guess(paragraph, 390)).toBeGreaterThan(guess(paragraph) * 1.5);
  expect(guess('一是二非'.repeat(100))).toBeGreaterThan(guess('isno'.repeat(100)) + 50);
});

test('lines count, and no window is wide enough for more of them side by side', () => {
  expect(guess('one\ntwo\nthree\nfour')).toBe(guess('one\ntwo\nthree') + 26);
  expect(guess('word '.repeat(500), 2560)).toBe(guess('word '.repeat(500), 1280));
});

test('a window that says it has no width counts as a narrow one', () => {
  const paragraph = 'word '.repeat(500);
  expect(guess(paragraph, 0)).toBe(guess(paragraph, 250));
  expect(guess(paragraph, 0)).toBeGreaterThan(guess(paragraph, 1280));
});
