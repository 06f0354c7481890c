import { expect, test, vi } from 'vitest';
import { createLoadTracker } from '../../../src/app/model-access';

// The worker's security policies need a page.
vi.mock('../../../src/platform/start-worker', () => ({}));

function stage() {
  let at = 0;
  const loads = createLoadTracker(() => at);
  return {
    ...loads,
    at: (ms: number) => {
      at = ms;
      return loads;
    },
  };
}

test('the time that an answer waited for the model to load is reported once', () => {
  const { at } = stage();
  const take = at(100).follow();
  at(200).see({ type: 'loading' });
  at(300).see({ type: 'loading', progress: { step: 'start', loadedBytes: 0, totalBytes: 0 } });
  at(500).see({ type: 'ready' });
  at(600);
  expect(take()).toEqual({ startedAt: 200, ms: 300 });
  expect(take()).toBeUndefined();
});

test('loading time before the question was sent is not counted', () => {
  const { at } = stage();
  at(100).see({ type: 'loading' });
  const take = at(400).follow();
  at(500).see({ type: 'ready' });
  at(900);
  expect(take()).toEqual({ startedAt: 400, ms: 100 });
});

test('no loading time is reported if the model was already loaded', () => {
  const { at } = stage();
  at(100).see({ type: 'loading' });
  at(200).see({ type: 'ready' });
  const take = at(200).follow();
  at(900);
  expect(take()).toBeUndefined();
});

test('a failed load and the load of its fallback model are reported as one loading time', () => {
  const { at } = stage();
  const take = at(0).follow();
  at(100).see({ type: 'loading' });
  at(200).see({ type: 'failed', code: 'out-of-memory', detail: '' });
  at(250).see({ type: 'loading' });
  at(400);
  expect(take()).toEqual({ startedAt: 100, ms: 300 });
  at(450).see({ type: 'idle' });
  at(500);
  expect(take()).toEqual({ startedAt: 400, ms: 50 });
});
