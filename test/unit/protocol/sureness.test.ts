import { expect, test } from 'vitest';
import { createCertaintyMeter } from '../../../src/protocol/chat-model';

function after(...deltas: (number | undefined)[]) {
  const sureness = createCertaintyMeter();
  for (const delta of deltas) sureness.add(delta);
  return sureness;
}

test("the model's confidence in a reply is computed from all tokens of a call, but only from the first token of prose", () => {
  const sureness = after(-1, -8);
  expect(sureness.of('call')).toBe(-9);
  expect(sureness.of('words')).toBe(-1);
  expect(after(-2).of('words')).toBe(-2);
});

test("the model's confidence in a reply is unknown if the reply has no tokens or a token has no probability", () => {
  expect(after().of('call')).toBeUndefined();
  expect(after(-1, undefined, -1).of('call')).toBeUndefined();
});
