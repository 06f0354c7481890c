import { describe, expect, test } from 'vitest';
import { trimContext, type MessageSize } from '../../../src/protocol/fit-prompt';

const turn = (...tokens: number[]): MessageSize[] =>
  tokens.map((count, index) => ({
    beginsTurn: index === 0,
    isReply: index % 2 === 1,
    tokens: count,
    maskedTokens: count,
  }));
/** A turn: a question, a call, its result with this many tokens, and an answer. */
const withResult = (tokens: number): MessageSize[] =>
  turn(1, 1, tokens, 1).map((one, index) => (index === 2 ? { ...one, maskedTokens: 1 } : one));

describe('fitting a chat into the context', () => {
  test.for([
    { name: 'an empty chat fits', chat: [], room: 10, fit: { dropped: 0, tokens: 0, fits: true } },
    {
      name: 'a chat that fits is kept whole',
      chat: turn(4, 6),
      room: 10,
      fit: { dropped: 0, tokens: 10, fits: true },
    },
    {
      name: 'old turns are dropped whole',
      chat: [...turn(3, 3), ...turn(3, 3)],
      room: 10,
      fit: { dropped: 2, tokens: 6, fits: true },
    },
    {
      name: 'a greeting before the first question is dropped with the oldest turn',
      chat: [{ beginsTurn: false, isReply: true, tokens: 8, maskedTokens: 8 }, ...turn(3, 3)],
      room: 10,
      fit: { dropped: 1, tokens: 6, fits: true },
    },
    {
      name: 'a last turn that is too long is kept and reported as not fitting',
      chat: [...turn(5), ...turn(4, 4, 4)],
      room: 10,
      fit: { dropped: 1, tokens: 12, fits: false },
    },
    {
      name: 'without any room, only the last turn is kept',
      chat: turn(1),
      room: -3,
      fit: { dropped: 0, tokens: 1, fits: false },
    },
  ])('$name', ({ chat, room, fit }) => {
    expect(trimContext(chat, room)).toMatchObject(fit);
  });

  test('drops turns in large steps, so that the start of the prompt rarely changes', () => {
    const starts: number[] = [];
    for (let turns = 1; turns <= 60; turns++) {
      const { dropped, fits } = trimContext(Array.from({ length: turns }, () => turn(5, 5)).flat(), 100);
      expect(fits).toBe(true);
      starts.push(dropped);
    }
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    // Each step drops five turns, which is half of the room.
    expect(new Set(starts).size).toBe(11);
  });

  test('first masks results older than the last two turns, without dropping messages', () => {
    // Four turns of 23 tokens each fit into 100.
    const chat = Array.from({ length: 5 }, () => withResult(20)).flat();
    const { dropped, masked, tokens, fits } = trimContext(chat, 100);
    expect(fits).toBe(true);
    expect(dropped).toBe(0);
    // The first three turns are masked; the two newest keep their results.
    expect(masked).toBe(12);
    expect(tokens).toBe(3 * 4 + 2 * 23);
  });

  test('masks results in large steps, so that the prompt rarely changes', () => {
    const states: string[] = [];
    for (let turns = 1; turns <= 40; turns++) {
      const chat = Array.from({ length: turns }, () => withResult(20)).flat();
      // The prompt after the question, and after the results.
      for (const length of [chat.length - 3, chat.length - 1]) {
        const { dropped, masked, fits } = trimContext(chat.slice(0, length), 100);
        expect(fits).toBe(true);
        states.push(`${dropped}/${masked}`);
      }
    }
    const changes = states.filter((state, at) => at > 0 && state !== states[at - 1]).length;
    // 40 turns write 920 tokens, and each step frees at least a quarter of the room.
    expect(changes).toBeLessThanOrEqual(Math.ceil(920 / 25));
    expect(changes).toBeLessThan(20);
    expect(new Set(states).size).toBe(changes + 1);
  });

  test('also drops turns if masking results frees too little', () => {
    const chat = Array.from({ length: 8 }, () => [...withResult(3), ...turn(10, 10)]).flat();
    const { dropped, fits, tokens } = trimContext(chat, 100);
    expect(fits).toBe(true);
    expect(dropped).toBeGreaterThan(0);
    expect(tokens).toBeLessThanOrEqual(100);
  });

  test('never restores a dropped message or a masked result', () => {
    let before: { dropped: number; masked: number } | undefined;
    const chat = Array.from({ length: 60 }, (_, at) => (at % 3 === 0 ? withResult(15) : turn(4, 6))).flat();
    for (let length = 1; length <= chat.length; length++) {
      if (chat[length]?.isReply === false) continue;
      const now = trimContext(chat.slice(0, length), 90);
      if (before) {
        expect(now.dropped).toBeGreaterThanOrEqual(before.dropped);
        expect(now.masked).toBeGreaterThanOrEqual(before.masked);
      }
      before = now;
    }
  });
});
