import { expect, test } from 'vitest';
import { coalesce } from '../../../src/state/coalesce';

test('calls that arrive during a run are merged into one further run', async () => {
  let runs = 0;
  const call = coalesce(async () => {
    runs += 1;
    await Promise.resolve();
  });
  await Promise.all([call(), call(), call()]);
  expect(runs).toBe(2);
});

test('a call that arrives just as a run ends starts another run', async () => {
  for (let delay = 0; delay < 12; delay++) {
    let runs = 0;
    const call = coalesce(async () => {
      runs += 1;
      await Promise.resolve();
    });
    const first = call();
    for (let step = 0; step < delay; step++) await Promise.resolve();
    await Promise.all([first, call()]);
    expect({ delay, runs }).toEqual({ delay, runs: 2 });
  }
});

test('a failed run does not prevent the next run', async () => {
  let runs = 0;
  const call = coalesce(async () => {
    runs += 1;
    await Promise.resolve();
    if (runs === 1) throw new Error('once');
  });
  await expect(call()).rejects.toThrow('once');
  await call();
  expect(runs).toBe(2);
});
