import { expect, test } from 'vitest';
import { untilAborted, waitFor } from '../../../src/contracts/until-aborted';

const never = new Promise<never>(() => undefined);

test('work that ends before the abort keeps its result or error', async () => {
  const abort = new AbortController();
  const done = untilAborted(Promise.resolve(1), abort.signal);
  const failed = untilAborted(Promise.reject(new Error('no')), abort.signal);
  expect(await done).toBe(1);
  await expect(failed).rejects.toThrow('no');
  abort.abort();
});

test('an abort ends the wait for work at once, with the reason for the abort', async () => {
  const abort = new AbortController();
  const waiting = untilAborted(never, abort.signal);
  abort.abort(new Error('Stopped.'));
  await expect(waiting).rejects.toThrow('Stopped.');
  await expect(untilAborted(never, abort.signal)).rejects.toThrow('Stopped.');
});

test('a timed wait ends after its time, or with an error as soon as it is aborted', async () => {
  const abort = new AbortController();
  await waitFor(1, abort.signal);
  const long = waitFor(60_000, abort.signal);
  abort.abort(new Error('Stopped.'));
  await expect(long).rejects.toThrow('Stopped.');
});
