import { expect, test } from 'vitest';
import { createSureness } from '../../../src/protocol/chat-model';

function after(...deltas: (number | undefined)[]) {
  const sureness = createSureness();
  for (const delta of deltas) sureness.add(delta);
  return sureness;
}

test('of a call every token counts, of words only the first', () => {
  const sureness = after(-1, -8);
  expect(sureness.of('call')).toBe(-9);
  expect(sureness.of('words')).toBe(-1);
  expect(after(-2).of('words')).toBe(-2);
});

test('nothing is said where nothing was written, or of a part that nobody told of', () => {
  expect(after().of('call')).toBeUndefined();
  expect(after(-1, undefined, -1).of('call')).toBeUndefined();
});
