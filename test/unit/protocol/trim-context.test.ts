import { describe, expect, test } from 'vitest';
import { trimContext, type Weighed } from '../../../src/protocol/trim-context';

const turn = (...tokens: number[]): Weighed[] =>
  tokens.map((count, index) => ({ beginsTurn: index === 0, tokens: count }));

describe('trimContext', () => {
  test.for([
    { name: 'an empty chat fits', chat: [], room: 10, fit: { dropped: 0, tokens: 0, fits: true } },
    {
      name: 'what fits is kept whole',
      chat: turn(4, 6),
      room: 10,
      fit: { dropped: 0, tokens: 10, fits: true },
    },
    {
      name: 'old turns go whole',
      chat: [...turn(3, 3), ...turn(3, 3)],
      room: 10,
      fit: { dropped: 2, tokens: 6, fits: true },
    },
    {
      name: 'a greeting before the first question goes with the oldest',
      chat: [{ beginsTurn: false, tokens: 8 }, ...turn(3, 3)],
      room: 10,
      fit: { dropped: 1, tokens: 6, fits: true },
    },
    {
      name: 'a last turn that is too long is kept and said not to fit',
      chat: [...turn(5), ...turn(4, 4, 4)],
      room: 10,
      fit: { dropped: 1, tokens: 12, fits: false },
    },
    { name: 'no room at all', chat: turn(1), room: -3, fit: { dropped: 0, tokens: 1, fits: false } },
  ])('$name', ({ chat, room, fit }) => {
    expect(trimContext(chat, room)).toEqual(fit);
  });

  test('drops in steps: the beginning stays the same for many turns', () => {
    const starts: number[] = [];
    for (let turns = 1; turns <= 60; turns++) {
      const { dropped, fits } = trimContext(Array.from({ length: turns }, () => turn(5, 5)).flat(), 100);
      expect(fits).toBe(true);
      starts.push(dropped);
    }
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    // Half the room, five turns, at a time.
    expect(new Set(starts).size).toBe(11);
  });
});
