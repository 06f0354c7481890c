import { expect, test, vi } from 'vitest';
import { createSlow } from '../../doubles/slow';

test('the slow test tool waits and reports its progress every second', async () => {
  vi.useFakeTimers();
  const progress: string[] = [];
  const answer = createSlow().execute(
    { ms: 2500 },
    { signal: new AbortController().signal, onProgress: (text) => progress.push(text) },
  );
  await vi.advanceTimersByTimeAsync(2499);
  expect(progress).toEqual(['waited 1000 ms', 'waited 2000 ms']);
  await vi.advanceTimersByTimeAsync(1);
  expect(await answer).toEqual({
    content: [{ type: 'text', text: 'waited 2500 ms' }],
    isError: false,
    origins: [{ door: 'hearth' }],
  });
  vi.useRealTimers();
});

test('the slow test tool stops on abort', async () => {
  const stop = new AbortController();
  const answer = createSlow().execute({ ms: 60_000 }, { signal: stop.signal, onProgress: () => undefined });
  stop.abort(new Error('stopped'));
  await expect(answer).rejects.toThrow('stopped');
});

test('the slow test tool has side effects only if its arguments say so', () => {
  const slow = createSlow();
  expect(slow.effects({ ms: 1, changes: true })).toEqual({ type: 'side-effect' });
  expect(slow.effects({ ms: 1 })).toEqual({ type: 'pure' });
});
