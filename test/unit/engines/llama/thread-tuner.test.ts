import { expect, test } from 'vitest';
import { createThreadTuner, type ThreadTuner } from '../../../../src/engines/llama/thread-tuner';

/** Runs until it has chosen; `msPerToken` by number of threads. */
function settle(tuner: ThreadTuner, msPerToken: Readonly<Record<number, number>>): number | undefined {
  for (let step = 0; step < 100 && tuner.choice === undefined; step++) {
    tuner.add(msPerToken[tuner.threads] ?? Infinity);
  }
  return tuner.choice;
}

test.for([
  { max: 1, times: { 1: 10 }, choice: 1 },
  { max: 2, times: { 1: 10, 2: 6 }, choice: 2 },
  { max: 2, times: { 1: 10, 2: 30 }, choice: 1 },
  { max: 8, times: { 1: 10, 2: 6, 4: 4, 8: 5 }, choice: 4 },
  { max: 6, times: { 1: 10, 2: 6, 4: 4 }, choice: 4 },
])('of $max threads with the times $times it takes $choice', ({ max, times, choice }) => {
  expect(settle(createThreadTuner(max), times)).toBe(choice);
});

test('one slow sample of a number of threads does not rule it out', () => {
  const tuner = createThreadTuner(2);
  for (const ms of [10, 10, 10, 90, 6, 7]) tuner.add(ms);
  expect(tuner.choice).toBe(2);
});

test('what was chosen in an earlier visit is used at once', () => {
  expect(createThreadTuner(8, 4).threads).toBe(4);
  expect(createThreadTuner(2, 4).choice).toBeUndefined();
});

test('it times again when the work has become much slower, and not for less', () => {
  const tuner = createThreadTuner(2);
  settle(tuner, { 1: 10, 2: 6 });
  for (let step = 0; step < 40; step++) tuner.add(8);
  expect(tuner.choice).toBe(2);
  for (let step = 0; step < 40 && tuner.choice !== undefined; step++) tuner.add(20);
  expect(tuner.choice).toBeUndefined();
  expect(settle(tuner, { 1: 10, 2: 20 })).toBe(1);
});
