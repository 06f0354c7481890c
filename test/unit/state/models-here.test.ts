import { describe, expect, test } from 'vitest';
import type { ModelCard } from '../../../src/contracts/model-library';
import type { MessageNode } from '../../../src/contracts/chat';
import { turnsOf } from '../../../src/state/turns';
import { findLargerModel } from '../../../src/state/models-here';
import { answer, question } from '../../support/stored-chat';
import { emberCard, kept, modelCard } from '../../ui/model-cards';

const best = modelCard('best', { isRecommended: true });
const small = modelCard('small', { kept, isSmall: true });
const other = modelCard('other', { kept });
const from = (cards: readonly ModelCard[], chosenId = 'ember', downloads = {}) =>
  findLargerModel({ cards: [emberCard, ...cards], diagnosis: [] }, downloads, chosenId);

describe('the way to a larger model', () => {
  test.for([
    { name: 'the model that is recommended is to be got', cards: [best], way: { type: 'get', card: best } },
    {
      name: 'it is used where it is here already',
      cards: [other, { ...best, kept }],
      way: { type: 'use', card: { ...best, kept } },
    },
    {
      name: 'so is another that is here: nothing has to be fetched for it',
      cards: [best, other],
      way: { type: 'use', card: other },
    },
    {
      name: 'one that is as small is no way on',
      cards: [best, small],
      way: { type: 'get', card: best },
    },
    { name: 'none fits', cards: [modelCard('large', { verdict: 'impossible' })], way: { type: 'none' } },
  ])('$name', ({ cards, way }) => {
    expect(from(cards)).toEqual(way);
  });

  test('a chosen model that cannot answer is not offered', () => {
    expect(from([{ ...best, kept }], 'best')).toBeUndefined();
    expect(from([best], 'best')).toEqual({ type: 'get', card: best });
  });

  test('a model that is being downloaded is not offered for download', () => {
    const downloads = { best: { type: 'waiting' as const } };
    expect(from([best], 'ember', downloads)).toEqual({ type: 'coming', card: best });
  });
});

test('a turn is marked if its last reply needs a larger model', () => {
  const refused: MessageNode = answer('d', 'c');
  const nodes = [question('a', null), answer('b', 'a'), question('c', 'b'), refused];
  if (refused.message.role === 'assistant') refused.message.isBeyond = true;
  expect(turnsOf(nodes).map(({ isBeyond }) => isBeyond)).toEqual([false, true]);
});
