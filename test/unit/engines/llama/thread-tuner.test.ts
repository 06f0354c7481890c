import { expect, test } from 'vitest';
import { createThreadTuner } from '../../../../src/engines/llama/engine';

/** Does this many pieces of work. `msPerToken`: by thread count. Returns how often each thread count was used. */
function work(
  tuner: ReturnType<typeof createThreadTuner>,
  pieces: number,
  msPerToken: Readonly<Record<number, number>>,
) {
  const used: Record<number, number> = {};
  for (let piece = 0; piece < pieces; piece++) {
    const { threads } = tuner;
    used[threads] = (used[threads] ?? 0) + 1;
    tuner.add(msPerToken[threads] ?? Infinity);
  }
  return used;
}

test.for([
  { max: 1, times: { 1: 10 }, choice: 1 },
  { max: 2, times: { 1: 10, 2: 6 }, choice: 2 },
  { max: 2, times: { 1: 10, 2: 30 }, choice: 1 },
  { max: 2, times: { 1: 10, 2: 9.5 }, choice: 1 },
  { max: 8, times: { 1: 10, 2: 6, 4: 4, 8: 5 }, choice: 4 },
  { max: 8, times: { 1: 10, 2: 12, 4: 4, 8: 5 }, choice: 4 },
  { max: 6, times: { 1: 10, 2: 6, 4: 4 }, choice: 4 },
])(
  'the thread tuner chooses $choice of at most $max threads for these times per token: $times',
  ({ max, times, choice }) => {
    const tuner = createThreadTuner(max);
    work(tuner, 12, times);
    expect(tuner.threads).toBe(choice);
  },
);

test('one slow measurement does not rule out a thread count', () => {
  const tuner = createThreadTuner(2);
  for (const ms of [90, 10, 6, 10, 7, 11]) tuner.add(ms);
  expect(tuner.threads).toBe(2);
});

test('the thread tuner tries every thread count at first, then almost always uses the best', () => {
  const tuner = createThreadTuner(8);
  expect(work(tuner, 12, { 1: 10, 2: 6, 4: 4, 8: 5 })).toEqual({ 1: 3, 2: 3, 4: 3, 8: 3 });
  const used = work(tuner, 640, { 1: 10, 2: 6, 4: 4, 8: 5 });
  expect(used[1]).toBeUndefined();
  expect(used[4]).toBeGreaterThan(560);
});

test('the thread tuner uses fewer threads while another program is busy, and more again afterwards', () => {
  const tuner = createThreadTuner(8);
  work(tuner, 12, { 1: 10, 2: 6, 4: 4, 8: 5 });
  expect(work(tuner, 600, { 1: 10, 2: 30, 4: 60, 8: 90 })[1]).toBeGreaterThan(200);
  expect(work(tuner, 600, { 1: 10, 2: 6, 4: 4, 8: 5 })[4]).toBeGreaterThan(200);
});
