import { expect, test } from 'vitest';
import { turnsOf } from '../../../src/state/turns';
import { countAtOnce } from '../../../src/ui/chat/count-at-once';
import { answer, question } from '../../support/stored-chat';

const chatOf = (turns: number, answerText: string) =>
  turnsOf(
    Array.from({ length: turns }, (_, at) => [
      question(`q${at}`, at === 0 ? null : `a${at - 1}`),
      answer(`a${at}`, `q${at}`, answerText),
    ]).flat(),
  );

test('of short answers as many as a window holds, of long ones fewer, and one at least', () => {
  expect(countAtOnce(chatOf(20, 'Yes.'), 900)).toBe(5);
  expect(countAtOnce(chatOf(20, 'It is what it is. '.repeat(30)), 900)).toBe(4);
  expect(countAtOnce(chatOf(20, 'It is what it is. '.repeat(500)), 900)).toBe(1);
  expect(countAtOnce(chatOf(20, 'Yes.'), 200)).toBe(1);
  expect(countAtOnce(chatOf(3, 'Yes.'), 900)).toBe(3);
  expect(countAtOnce([], 900)).toBe(0);
});
