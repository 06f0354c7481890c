import { expect, test } from 'vitest';
import { untilAborted, waitFor } from '../../../src/contracts/until-aborted';

const never = new Promise<never>(() => undefined);

test('the function untilAborted settles as the work does, even if the signal aborts later', async () => {
  const abort = new AbortController();
  const done = untilAborted(Promise.resolve(1), abort.signal);
  const failed = untilAborted(Promise.reject(new Error('no')), abort.signal);
  expect(await done).toBe(1);
  await expect(failed).rejects.toThrow('no');
  abort.abort();
});

test("the function untilAborted rejects with the signal's reason, even if the work never ends", async () => {
  const abort = new AbortController();
  const waiting = untilAborted(never, abort.signal);
  abort.abort(new Error('Stopped.'));
  await expect(waiting).rejects.toThrow('Stopped.');
  await expect(untilAborted(never, abort.signal)).rejects.toThrow('Stopped.');
});

test('the function waitFor ends after its time, or rejects when the signal aborts', async () => {
  const abort = new AbortController();
  await waitFor(1, abort.signal);
  const long = waitFor(60_000, abort.signal);
  abort.abort(new Error('Stopped.'));
  await expect(long).rejects.toThrow('Stopped.');
});
