/** When the user is warned about low storage, and when no longer. */
import { beforeEach, expect, test, vi } from 'vitest';
import { createStorage } from '../../../src/app/screen-services';
import { hasRoomFor } from '../../../src/platform/storage';
import type { App } from '../../../src/state/app.svelte';

vi.mock('../../../src/platform/storage', () => ({
  hasRoomFor: vi.fn(),
  askToPersist: vi.fn(),
  measureUsage: async () => ({ bytes: 0, quota: 0, isPersisted: false }),
}));
const room = vi.mocked(hasRoomFor);

function begin() {
  const app = { isStorageNearlyFull: false };
  const store = Promise.resolve({ empty: async () => undefined });
  const storage = createStorage(() => app as unknown as App, store);
  return { app, storage };
}

beforeEach(() => room.mockReset());

test('the user is warned of low storage early and again shortly before storage is full', async () => {
  const { app, storage } = begin();
  room.mockResolvedValue(false);
  for (let seen = 0; seen < 2; seen++) {
    await storage.measure();
    expect(app.isStorageNearlyFull).toBe(true);
    storage.dismissWarning();
    expect(app.isStorageNearlyFull).toBe(false);
  }
  await storage.measure();
  expect(app.isStorageNearlyFull).toBe(false);
  expect(room.mock.calls).toEqual([[50_000_000], [10_000_000]]);
});

test('a storage warning dismissed during a measurement does not come back', async () => {
  const { app, storage } = begin();
  let answer: (hasRoom: boolean) => void;
  room.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  const measured = storage.measure();
  storage.dismissWarning();
  answer!(false);
  await measured;
  expect(app.isStorageNearlyFull).toBe(false);
});
