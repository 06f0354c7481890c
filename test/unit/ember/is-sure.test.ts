import { expect, test } from 'vitest';
import { isSureOfCalls } from '../../../src/ember/uncertain-calls';

const thresholds = { byTool: { clock: -1 }, others: -0.25, words: -0.5 };
const [clock, lamp] = [{ name: 'clock' }, { name: 'lamp' }];

test.for([
  ['sure, for a call exactly at the threshold for its tool', [clock], -1, true],
  ['unsure, for a call below the threshold for its tool', [clock], -1.01, false],
  ['unsure, for a call below the general threshold, if its tool has none', [lamp], -0.5, false],
  ['sure, for calls of two tools exactly at the sum of their thresholds', [clock, lamp], -1.25, true],
  ['sure, for prose exactly at the threshold for prose', [], -0.5, true],
  ['unsure, for prose below the threshold for prose', [], -0.6, false],
  ['sure, for a call without a known probability', [lamp], undefined, true],
] as const)(
  'the probability of a reply decides whether the model counts as sure: %s',
  ([, calls, logProbability, isExpected]) => {
    expect(isSureOfCalls(calls, logProbability, thresholds)).toBe(isExpected);
  },
);
