import { describe, expect, test } from 'vitest';
import { turnsOf } from '../../../src/state/turns';
import { mostDrawn, placesOf, withEarlier, withLater, withTurn } from '../../../src/ui/chat/turn-window';
import { answer, question } from '../../support/stored-chat';

const chat = (turns: number) =>
  turnsOf(
    Array.from({ length: turns }, (_, at) => [
      question(`q${at}`, at === 0 ? null : `a${at - 1}`),
      answer(`a${at}`, `q${at}`),
    ]).flat(),
  );
const turns = chat(1000);
const drawn = (first: number, end: number) => ({ first, end });
const at = (window: Parameters<typeof placesOf>[1], of = turns) => placesOf(of, window);

describe('what is drawn of a chat', () => {
  test('reaches to its end, and grows with it', () => {
    expect(at({ first: 'q990' })).toEqual(drawn(990, 1000));
    expect(at({ first: 'q990' }, chat(1001))).toEqual(drawn(990, 1001));
  });

  test('stays where it is while more comes in below', () => {
    expect(at({ first: 'q10', last: 'q40' })).toEqual(drawn(10, 41));
    expect(at({ first: 'q10', last: 'q40' }, chat(1001))).toEqual(drawn(10, 41));
  });

  test('is its end where its ids are of another branch, or none', () => {
    const end = drawn(988, 1000);
    expect(at({ first: 'other' })).toEqual(end);
    expect(at({ first: undefined })).toEqual(end);
    expect(at({ first: 'q10', last: 'other' })).toEqual(end);
    expect(at({ first: 'q10', last: 'q5' })).toEqual(end);
    expect(at({ first: undefined }, [])).toEqual(drawn(0, 0));
    expect(at({ first: undefined }, chat(3))).toEqual(drawn(0, 3));
  });

  test('grows upwards, and lets go of what is furthest below', () => {
    expect(at(withEarlier(turns, drawn(990, 1000), 30))).toEqual(drawn(960, 1000));
    expect(at(withEarlier(turns, drawn(820, 1000), 30))).toEqual(drawn(790, 790 + mostDrawn));
    expect(at(withEarlier(turns, drawn(10, 40), 30))).toEqual(drawn(0, 40));
  });

  test('grows downwards to the end, and lets go of what is furthest above', () => {
    expect(at(withLater(turns, drawn(0, 33), 30))).toEqual(drawn(0, 63));
    expect(at(withLater(turns, drawn(0, mostDrawn), 30))).toEqual(drawn(30, mostDrawn + 30));
    expect(withLater(turns, drawn(900, 990), 30)).toEqual({ first: 'q900', last: undefined });
  });

  test('grows to a turn that is near, and leaves for one that is far', () => {
    expect(at(withTurn(turns, drawn(988, 1000), 900))).toEqual(drawn(897, 1000));
    expect(at(withTurn(turns, drawn(988, 1000), 0))).toEqual(drawn(0, 30));
    expect(at(withTurn(turns, drawn(0, 30), 500))).toEqual(drawn(497, 530));
    expect(at(withTurn(turns, drawn(0, 30), 999))).toEqual(drawn(996, 1000));
  });

  test('stays as it is for a turn that is drawn, and for none', () => {
    expect(at(withTurn(turns, drawn(10, 40), 20))).toEqual(drawn(10, 40));
    expect(at(withTurn(turns, drawn(10, 40), -1))).toEqual(drawn(10, 40));
    expect(withTurn(turns, drawn(988, 1000), 990)).toEqual({ first: 'q988', last: undefined });
  });

  test('is never more than it may be, however one goes through a chat', () => {
    let now = drawn(988, 1000);
    for (let step = 0; step < 50; step++) {
      now = at(withEarlier(turns, now, 30));
      expect(now.end - now.first).toBeLessThanOrEqual(mostDrawn);
    }
    expect(now.first).toBe(0);
    while (now.end < turns.length) {
      const before = now;
      now = at(withLater(turns, now, 30));
      expect(now.end - now.first).toBeLessThanOrEqual(mostDrawn);
      expect(now.first).toBeLessThan(before.end);
    }
  });
});
