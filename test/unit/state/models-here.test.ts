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

describe('the offer of a larger model', () => {
  test.for([
    { name: 'it is to download the recommended model', cards: [best], way: { type: 'get', card: best } },
    {
      name: 'it is to use the recommended model if that is downloaded',
      cards: [other, { ...best, kept }],
      way: { type: 'use', card: { ...best, kept } },
    },
    {
      name: 'it is to use another model that is downloaded',
      cards: [best, other],
      way: { type: 'use', card: other },
    },
    {
      name: 'it is never another small model',
      cards: [best, small],
      way: { type: 'get', card: best },
    },
    {
      name: 'it is empty if no model fits this device',
      cards: [modelCard('large', { verdict: 'impossible' })],
      way: { type: 'none' },
    },
  ])('$name', ({ cards, way }) => {
    expect(from(cards)).toEqual(way);
  });

  test('it is missing if the recommended model is chosen but cannot answer', () => {
    expect(from([{ ...best, kept }], 'best')).toBeUndefined();
    expect(from([best], 'best')).toEqual({ type: 'get', card: best });
  });

  test('it is to wait if the recommended model is being downloaded', () => {
    const downloads = { best: { type: 'waiting' as const } };
    expect(from([best], 'ember', downloads)).toEqual({ type: 'coming', card: best });
  });
});

test('a turn offers a larger model if its last reply needs one', () => {
  const refused: MessageNode = answer('d', 'c');
  const nodes = [question('a', null), answer('b', 'a'), question('c', 'b'), refused];
  if (refused.message.role === 'assistant') refused.message.isBeyond = true;
  expect(turnsOf(nodes).map(({ isBeyond }) => isBeyond)).toEqual([false, true]);
});
