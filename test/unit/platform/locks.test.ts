import { afterEach, expect, test, vi } from 'vitest';
import { listHeldLocks, isLockHeld, tryLock, whenLockFree } from '../../../src/platform/locks';

afterEach(() => vi.unstubAllGlobals());

test('in a browser without the locks API, every lock is granted at once', async () => {
  vi.stubGlobal('navigator', {});
  const release = await tryLock('turn:a');
  expect(await tryLock('turn:a')).toBeTypeOf('function');
  expect(await isLockHeld('turn:a')).toBe(false);
  expect(await listHeldLocks('turn:')).toEqual([]);
  await whenLockFree('turn:a');
  release?.();
});
