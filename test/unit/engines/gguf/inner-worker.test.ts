import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkInnerWorker } from '../../../../src/engines/wllama/engine';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.for([
  ['answers', () => Promise.resolve({})],
  ['answers with an error', () => Promise.reject(new Error('It has crashed.'))],
] as const)('a model worker that %s counts as alive', async ([, ask]) => {
  await checkInnerWorker({ _getDebugInfo: ask });
  expect(vi.getTimerCount()).toBe(0);
});

test('a model worker that does not respond counts as dead', async () => {
  const asking = checkInnerWorker({ _getDebugInfo: () => new Promise(() => undefined) });
  const failed = expect(asking).rejects.toMatchObject({ code: 'engine-crashed' });
  await vi.advanceTimersToNextTimerAsync();
  await failed;
});
