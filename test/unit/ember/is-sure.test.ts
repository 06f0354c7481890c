import { expect, test } from 'vitest';
import { isSureOfCalls } from '../../../src/ember/uncertain-calls';

const thresholds = { byTool: { clock: -1 }, others: -0.25, words: -0.5 };
const [clock, lamp] = [{ name: 'clock' }, { name: 'lamp' }];

test.for([
  ['a call at the threshold of its tool', [clock], -1, true],
  ['a call below the threshold of its tool', [clock], -1.01, false],
  ['a call of a tool without a threshold of its own', [lamp], -0.5, false],
  ['calls of two tools, with the thresholds added up', [clock, lamp], -1.25, true],
  ['prose at its threshold', [], -0.5, true],
  ['prose when a call was nearly as likely', [], -0.6, false],
  ['a call without a known probability', [lamp], undefined, true],
] as const)(
  'the probability of a reply decides whether the model was sure of it: %s',
  ([, calls, logProbability, isExpected]) => {
    expect(isSureOfCalls(calls, logProbability, thresholds)).toBe(isExpected);
  },
);
