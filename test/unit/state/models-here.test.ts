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
    { name: 'proposes to download the recommended model', cards: [best], way: { type: 'get', card: best } },
    {
      name: 'proposes to use the recommended model if it is already downloaded',
      cards: [other, { ...best, kept }],
      way: { type: 'use', card: { ...best, kept } },
    },
    {
      name: 'proposes to use another large model that is already downloaded',
      cards: [best, other],
      way: { type: 'use', card: other },
    },
    {
      name: 'never proposes another small model',
      cards: [best, small],
      way: { type: 'get', card: best },
    },
    {
      name: 'proposes no model if none fits this device',
      cards: [modelCard('large', { verdict: 'impossible' })],
      way: { type: 'none' },
    },
  ])('$name', ({ cards, way }) => {
    expect(from(cards)).toEqual(way);
  });

  test('is not shown if the recommended model is already chosen and downloaded', () => {
    expect(from([{ ...best, kept }], 'best')).toBeUndefined();
    expect(from([best], 'best')).toEqual({ type: 'get', card: best });
  });

  test('says to wait while the recommended model is downloading', () => {
    const downloads = { best: { type: 'waiting' as const } };
    expect(from([best], 'ember', downloads)).toEqual({ type: 'coming', card: best });
  });
});

test('a turn offers a larger model if its last reply says that the question needs one', () => {
  const refused: MessageNode = answer('d', 'c');
  const nodes = [question('a', null), answer('b', 'a'), question('c', 'b'), refused];
  if (refused.message.role === 'assistant') refused.message.isBeyond = true;
  expect(turnsOf(nodes).map(({ isBeyond }) => isBeyond)).toEqual([false, true]);
});
