import { describe, expect, test } from 'vitest';
import { turnsOf } from '../../../src/state/turns';
import {
  countInitialTurns,
  findDrawnTurns,
  estimateTurnHeight,
  maxDrawnTurns,
  addEarlierTurns,
  addLaterTurns,
  includeTurn,
} from '../../../src/ui/chat/turn-window';
import { answer, question } from '../../support/stored-chat';

const chat = (turns: number, answerText?: string) =>
  turnsOf(
    Array.from({ length: turns }, (_, at) => [
      question(`q${at}`, at === 0 ? null : `a${at - 1}`),
      answer(`a${at}`, `q${at}`, answerText),
    ]).flat(),
  );
const turns = chat(1000);
const drawn = (first: number, end: number) => ({ first, end });
const at = (window: Parameters<typeof findDrawnTurns>[1], of = turns) => findDrawnTurns(of, window);

describe('the range of turns drawn in a chat', () => {
  test('extends to the end of the chat, and grows with new turns', () => {
    expect(at({ first: 'q990' })).toEqual(drawn(990, 1000));
    expect(at({ first: 'q990' }, chat(1001))).toEqual(drawn(990, 1001));
  });

  test('stays the same while turns are added below it', () => {
    expect(at({ first: 'q10', last: 'q40' })).toEqual(drawn(10, 41));
    expect(at({ first: 'q10', last: 'q40' }, chat(1001))).toEqual(drawn(10, 41));
  });

  test('is reset to the end of the chat if its first or last turn is missing', () => {
    const end = drawn(988, 1000);
    expect(at({ first: 'other' })).toEqual(end);
    expect(at({ first: undefined })).toEqual(end);
    expect(at({ first: 'q10', last: 'other' })).toEqual(end);
    expect(at({ first: 'q10', last: 'q5' })).toEqual(end);
    expect(at({ first: undefined }, [])).toEqual(drawn(0, 0));
    expect(at({ first: undefined }, chat(3))).toEqual(drawn(0, 3));
  });

  test('grows upwards and drops the lowest turns beyond the limit', () => {
    expect(at(addEarlierTurns(turns, drawn(990, 1000), 30))).toEqual(drawn(960, 1000));
    expect(at(addEarlierTurns(turns, drawn(820, 1000), 30))).toEqual(drawn(790, 790 + maxDrawnTurns));
    expect(at(addEarlierTurns(turns, drawn(10, 40), 30))).toEqual(drawn(0, 40));
  });

  test('grows downwards to the end and drops the highest turns beyond the limit', () => {
    expect(at(addLaterTurns(turns, drawn(0, 33), 30))).toEqual(drawn(0, 63));
    expect(at(addLaterTurns(turns, drawn(0, maxDrawnTurns), 30))).toEqual(drawn(30, maxDrawnTurns + 30));
    expect(addLaterTurns(turns, drawn(900, 990), 30)).toEqual({ first: 'q900', last: undefined });
  });

  test('grows to include a turn nearby, but moves to a turn far away', () => {
    expect(at(includeTurn(turns, drawn(988, 1000), 900))).toEqual(drawn(897, 1000));
    expect(at(includeTurn(turns, drawn(988, 1000), 0))).toEqual(drawn(0, 30));
    expect(at(includeTurn(turns, drawn(0, 30), 500))).toEqual(drawn(497, 530));
    expect(at(includeTurn(turns, drawn(0, 30), 999))).toEqual(drawn(996, 1000));
  });

  test('stays the same for a turn that is already drawn, and for a turn that does not exist', () => {
    expect(at(includeTurn(turns, drawn(10, 40), 20))).toEqual(drawn(10, 40));
    expect(at(includeTurn(turns, drawn(10, 40), -1))).toEqual(drawn(10, 40));
    expect(includeTurn(turns, drawn(988, 1000), 990)).toEqual({ first: 'q988', last: undefined });
  });

  test('never exceeds the limit, however the reader scrolls', () => {
    let now = drawn(988, 1000);
    for (let step = 0; step < 50; step++) {
      now = at(addEarlierTurns(turns, now, 30));
      expect(now.end - now.first).toBeLessThanOrEqual(maxDrawnTurns);
    }
    expect(now.first).toBe(0);
    while (now.end < turns.length) {
      const before = now;
      now = at(addLaterTurns(turns, now, 30));
      expect(now.end - now.first).toBeLessThanOrEqual(maxDrawnTurns);
      expect(now.first).toBeLessThan(before.end);
    }
  });
});

test('a chat opens with enough turns to fill the window, and with at least one turn', () => {
  expect(countInitialTurns(chat(20, 'Yes.'), 900)).toBe(5);
  expect(countInitialTurns(chat(20, 'It is what it is. '.repeat(30)), 900)).toBe(4);
  expect(countInitialTurns(chat(20, 'It is what it is. '.repeat(500)), 900)).toBe(1);
  expect(countInitialTurns(chat(20, 'Yes.'), 200)).toBe(1);
  expect(countInitialTurns(chat(3, 'Yes.'), 900)).toBe(3);
  expect(countInitialTurns([], 900)).toBe(0);
});

function guess(text: string, width = 1280): number {
  const [turn] = turnsOf([question('q', null), answer('a', 'q', text)]);
  if (!turn) throw new Error('No turn');
  return estimateTurnHeight(turn, width);
}

test('a longer text, a narrower window and wider characters increase the estimated height of a turn', () => {
  const paragraph = 'It is what it is, and nothing more. '.repeat(30);
  const short = guess('Yes.');
  expect(short).toBeGreaterThan(120);
  expect(short).toBeLessThan(220);
  expect(guess(paragraph)).toBeGreaterThan(short + 200);
  expect(guess(paragraph, 390)).toBeGreaterThan(guess(paragraph) * 1.5);
  expect(guess('一是二非'.repeat(100))).toBeGreaterThan(guess('isno'.repeat(100)) + 50);
});

test('the estimated height of a turn includes line breaks, and respects the maximum width of text', () => {
  expect(guess('one\ntwo\nthree\nfour')).toBe(guess('one\ntwo\nthree') + 26);
  expect(guess('word '.repeat(500), 2560)).toBe(guess('word '.repeat(500), 1280));
});

test('the estimated height of a very long turn follows from its beginning', () => {
  const beginning = guess('word '.repeat(4_000)) - guess('');
  const whole = guess('word '.repeat(200_000)) - guess('');
  expect(whole / beginning).toBeCloseTo(50, 1);
});

test('the estimated height of a turn assumes a narrow window if the reported width is 0', () => {
  const paragraph = 'word '.repeat(500);
  expect(guess(paragraph, 0)).toBe(guess(paragraph, 250));
  expect(guess(paragraph, 0)).toBeGreaterThan(guess(paragraph, 1280));
});
