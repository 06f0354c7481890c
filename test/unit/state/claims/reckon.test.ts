import { expect, test } from 'vitest';
import {
  createMatchCounter,
  type Goal,
  computeListTotals,
  computeOneStep,
  computeTwoSteps,
} from '../../../../src/state/claims/reckon';

const operands = (...values: number[]) => values.map((value) => ({ value, group: 'a' }));
const goal = (size: number, unit?: Goal['unit']): Goal => ({
  low: size - 0.5,
  high: size + 0.5,
  unit,
  isRounded: false,
  isSquare: false,
});
const share = { kind: 'share', factor: 1, name: 'share 1' } as const;

test.for([
  ['a difference', goal(57), [308, 251]],
  ['a product', goal(198), [90, 2.2]],
  ['a rounded quotient', goal(11), [84, 8]],
  ['a share', goal(25, share), [30, 120]],
  ['a change in percent', goal(8, share), [40, 43]],
] as const)('a claimed number is explained by one calculation step: %s', ([, wanted, sizes]) => {
  const tally = createMatchCounter(wanted);
  computeOneStep(operands(...sizes), wanted, tally.visit);
  expect(tally.isHit(1)).toBe(true);
});

test('a claimed number can be explained by two calculation steps', () => {
  const wanted = goal(36);
  const tally = createMatchCounter(wanted);
  computeTwoSteps(operands(140, 83, 21), wanted, tally.visit);
  expect(tally.isHit(Infinity)).toBe(true);
});

test('a claimed number can be explained by the range of a list of numbers', () => {
  const wanted = goal(23);
  const tally = createMatchCounter(wanted);
  computeListTotals([operands(12, 15, 15, 18, 21, 24, 35)], wanted, tally.visit);
  expect(tally.isHit(1)).toBe(true);
});

test('a match with a claimed number counts as chance if very many calculation results are possible', () => {
  const wanted = goal(57);
  const tally = createMatchCounter(wanted);
  for (let size = 30; size < 110; size += 1) tally.visit(size);
  expect(tally.isHit(0.5)).toBe(false);
});
