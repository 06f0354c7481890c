import { expect, test } from 'vitest';
import { isSureOfCalls } from '../../../src/ember/uncertain-calls';

const thresholds = { byTool: { clock: -1 }, others: -0.25, words: -0.5 };
const [clock, lamp] = [{ name: 'clock' }, { name: 'lamp' }];

test.for([
  ['at its threshold', [clock], -1, true],
  ['below it', [clock], -1.01, false],
  ['of a tool that is not listed', [lamp], -0.5, false],
  ['of two tools, whose tokens add up', [clock, lamp], -1.25, true],
  ['in words', [], -0.5, true],
  ['in words, where a call was nearly as likely', [], -0.6, false],
  ['that nobody can tell', [lamp], undefined, true],
] as const)('a reply counts as sure or not: %s', ([, calls, logProbability, isExpected]) => {
  expect(isSureOfCalls(calls, logProbability, thresholds)).toBe(isExpected);
});
