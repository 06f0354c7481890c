/** Which of a model's candidates is chosen. */
import { describe, expect, test } from 'vitest';
import { createStartPosition } from '../../../../src/engines/gguf/gbnf-matcher';
import {
  anyTextGrammar,
  type TokenCandidate,
  chooseToken,
  createRandomGenerator,
  packTokens,
  findMajorityTokens,
} from '../../../../src/engines/gguf/sampler';

const encoder = new TextEncoder();
const words = ['', 'a', 'b', 'c', 'ab', '<end>'];
const end = 5;
const vocabulary = {
  bytesOf: packTokens(words.map((word, token) => encoder.encode(token === end ? '' : word))),
  ends: new Set([end]),
};
const greedy = { temperature: 0 };
const low = () => 0;
const high = () => 0.999_999;

function offer(...p: [number, number][]): TokenCandidate[] {
  return p.map(([token, likely]) => ({ token, p: likely }));
}

describe('sampling at temperature 0', () => {
  const free = createStartPosition(anyTextGrammar);

  test('it chooses the most likely token', () => {
    const choice = chooseToken(offer([2, 0.6], [1, 0.4]), free, vocabulary, greedy, low);
    expect(choice).toMatchObject({ token: 2 });
    expect(chooseToken(offer([2, 0.6], [1, 0.4]), free, vocabulary, greedy, high)).toEqual(choice);
  });

  test('it chooses the most likely token that fits the grammar, and ends only where the grammar allows', () => {
    const position = createStartPosition('root ::= "ab"');
    const offered = offer([end, 0.5], [2, 0.3], [1, 0.1], [4, 0.05]);
    const first = chooseToken(offered, position, vocabulary, greedy, low);
    if (!first || first === 'end') throw new Error('No token was taken.');
    expect(first.token).toBe(1);
    const second = chooseToken(offered, first.position, vocabulary, greedy, low);
    if (!second || second === 'end') throw new Error('No token was taken.');
    expect(second.token).toBe(2);
    expect(chooseToken(offered, second.position, vocabulary, greedy, low)).toBe('end');
  });

  test('it never chooses unknown tokens or tokens without text', () => {
    const offered = offer([0, 0.9], [99, 0.05], [3, 0.01]);
    expect(chooseToken(offered, free, vocabulary, greedy, low)).toMatchObject({ token: 3 });
    expect(chooseToken(offer([0, 1]), free, vocabulary, greedy, low)).toBeUndefined();
    expect(chooseToken([], free, vocabulary, greedy, low)).toBeUndefined();
  });
});

describe('sampling at a temperature above 0', () => {
  const free = createStartPosition(anyTextGrammar);
  const offered = offer([1, 0.5], [2, 0.3], [3, 0.2]);

  function shares(sampling: { temperature: number; topK?: number; topP?: number }): number[] {
    const dice = createRandomGenerator(7);
    const counts = [0, 0, 0, 0];
    for (let round = 0; round < 4000; round++) {
      const choice = chooseToken(offered, free, vocabulary, sampling, dice);
      if (choice && choice !== 'end') counts[choice.token] = (counts[choice.token] ?? 0) + 1;
    }
    return counts.slice(1).map((count) => count / 4000);
  }

  test('it chooses each token in proportion to its probability', () => {
    const [a = 0, b = 0, c = 0] = shares({ temperature: 1 });
    expect(a).toBeCloseTo(0.5, 1);
    expect(b).toBeCloseTo(0.3, 1);
    expect(c).toBeCloseTo(0.2, 1);
  });

  test('it favours likely tokens more at a low temperature than at a high one', () => {
    const [cool = 0] = shares({ temperature: 0.3 });
    const [hot = 0] = shares({ temperature: 3 });
    // Each weight is p to the power of 1 / temperature.
    expect(cool).toBeCloseTo(0.5 ** (1 / 0.3) / (0.5 ** (1 / 0.3) + 0.3 ** (1 / 0.3) + 0.2 ** (1 / 0.3)), 1);
    expect(hot).toBeLessThan(0.42);
  });

  test('top-k limits the number of candidates', () => {
    const [, b = 0, c = 0] = shares({ temperature: 1, topK: 2 });
    expect(b).toBeGreaterThan(0.3);
    expect(c).toBe(0);
    expect(shares({ temperature: 1, topK: 0 })).toEqual(shares({ temperature: 1 }));
  });

  test('top-p limits the candidates to a share of the total probability', () => {
    expect(shares({ temperature: 1, topP: 0.5 })).toEqual([1, 0, 0]);
    const [, b = 0, c = 0] = shares({ temperature: 1, topP: 0.6 });
    expect(b).toBeGreaterThan(0.3);
    expect(c).toBe(0);
  });

  test('it considers only tokens that fit the grammar', () => {
    const position = createStartPosition('root ::= "b" | "c"');
    const taken = (dice: () => number) =>
      chooseToken(offered, position, vocabulary, { temperature: 1 }, dice);
    expect(taken(low)).toMatchObject({ token: 2 });
    expect(taken(high)).toMatchObject({ token: 3 });
  });

  test('it makes the same choices with the same seed', () => {
    const [one, other] = [createRandomGenerator(3), createRandomGenerator(3)];
    const drawn = Array.from({ length: 100 }, () => one());
    expect(drawn).toEqual(Array.from({ length: 100 }, () => other()));
    expect(drawn.every((number) => number >= 0 && number < 1)).toBe(true);
    expect(new Set(drawn).size).toBe(100);
    expect(createRandomGenerator(4)()).not.toBe(drawn[0]);
    expect(createRandomGenerator(undefined)).toBe(Math.random);
  });
});

describe('the opening of a tool call in a reply', () => {
  const tags = {
    ...vocabulary,
    bytesOf: packTokens([...words.with(end, ''), '<call>', '<'].map((word) => encoder.encode(word))),
  };
  const [call, bracket] = [6, 7];

  test('it is rejected if all other tokens together are more likely, even if each of them is less likely', () => {
    const offered = offer([call, 0.4], [1, 0.3], [2, 0.25], [3, 0.05]);
    expect(findMajorityTokens(offered, tags, '<').taken.map(({ token }) => token)).toEqual([1, 2, 3]);
  });

  test('it is accepted if the tokens that can begin it are together more likely than all others', () => {
    const offered = offer([1, 0.4], [call, 0.35], [bracket, 0.2], [2, 0.05]);
    expect(findMajorityTokens(offered, tags, '<').taken.map(({ token }) => token)).toEqual([call, bracket]);
  });

  test('it is rejected if the end of the reply is more likely', () => {
    expect(findMajorityTokens(offer([end, 0.6], [call, 0.4]), tags, '<')).toMatchObject({
      taken: [{ token: end }],
      share: 0.6,
    });
  });
});
