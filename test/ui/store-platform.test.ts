/** Locks across tabs and the page's storage, in a real browser. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { listHeldLocks, isLockHeld, tryLock, whenLockFree } from '../../src/platform/locks';
import { canUseLocks, holdLock, waitForLock } from '../../src/platform/waiting-locks';
import { deleteEverything, hasRoomFor, measureUsage } from '../../src/platform/storage';
import { thorough, slow } from '../support/matrix';

describe('a lock between tabs', () => {
  let lock: string;
  let other: Worker;

  beforeEach(async () => {
    lock = `turn:${crypto.randomUUID()}`;
    other = new Worker(new URL('store-writer.worker.ts', import.meta.url), { type: 'module' });
  });
  afterEach(() => other.terminate());

  const heldByOther = () =>
    new Promise((resolve) => {
      other.onmessage = resolve;
      other.postMessage({ hold: lock });
    });

  test('can be acquired only once until it is released', async () => {
    const release = await tryLock(lock);
    expect(release).toBeDefined();
    expect(await tryLock(lock)).toBeUndefined();
    expect(await isLockHeld(lock)).toBe(true);
    release?.();
    await whenLockFree(lock);
    const again = await tryLock(lock);
    expect(again).toBeDefined();
    again?.();
  });

  test('is refused while another tab holds it, and waiting tabs notice its release', async () => {
    await heldByOther();
    expect(await tryLock(lock)).toBeUndefined();
    expect(await listHeldLocks('turn:')).toEqual([lock]);
    expect(await listHeldLocks('model')).toEqual([]);
    // A name that only starts with the same letters is a different lock.
    expect(await isLockHeld(lock.slice(0, -1))).toBe(false);
    let isFree = false;
    const free = whenLockFree(lock).then(() => (isFree = true));
    expect(isFree).toBe(false);
    other.postMessage({ release: true });
    await free;
    expect(await tryLock(lock)).toBeDefined();
  });

  test('waiting for the lock ends after the time limit if another tab keeps it', async () => {
    const release = await tryLock(lock);
    release?.();
    // The wait is about to end.
    const own = await waitForLock(lock, 10_000);
    expect(own).toBeDefined();
    expect(await waitForLock(lock, 50)).toBeUndefined();
    own?.();
  });

  test('a tab is notified when another tab takes over its lock', async () => {
    expect(canUseLocks()).toBe(true);
    const { signal } = new AbortController();
    const release = await tryLock(lock);
    let isStolen = false;
    const waiting = holdLock(lock, { signal, onStolen: () => (isStolen = true) });
    release?.();
    await waiting;
    const own = await holdLock(lock, { signal, isStealing: true });
    await expect.poll(() => isStolen).toBe(true);
    own();
    const stop = new AbortController();
    const held = await holdLock(lock, { signal });
    const inVain = holdLock(lock, { signal: stop.signal });
    stop.abort(new Error('No longer.'));
    await expect(inVain).rejects.toThrow('No longer.');
    held();
  });

  slow('is released when its tab dies', async () => {
    await heldByOther();
    other.terminate();
    await whenLockFree(lock);
    expect(await isLockHeld(lock)).toBe(false);
  });
});

test('the trial file that measures free space is deleted afterwards', async () => {
  expect(await hasRoomFor(1_000_000)).toBe(true);
  expect(await hasRoomFor(2 ** 50)).toBe(false);
  const root = await navigator.storage.getDirectory();
  for await (const name of root.keys()) expect(name).not.toMatch(/^room/);
});

thorough(
  'deleting all data names the databases that another tab holds open',
  { timeout: 20_000 },
  async () => {
    localStorage.setItem('hearth.theme', 'dark');
    const cache = await caches.open('downloads');
    await cache.put('/model.gguf', new Response('weights'));
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('models', { create: true });
    await folder.getFileHandle('part', { create: true });
    const [kept, held] = await Promise.all([openRaw('kept'), openRaw('held')]);
    kept.close();
    held.onversionchange = () => undefined;
    const writable = await (await root.getFileHandle('busy', { create: true })).createWritable();
    expect((await measureUsage()).bytes).toBeGreaterThan(0);

    const failed = await deleteEverything();
    expect(failed.toSorted((a, b) => (a.what < b.what ? -1 : 1))).toEqual([
      { what: 'database held', reason: 'Error: another tab holds it open', isHeld: true },
      { what: 'file busy', reason: 'Error: something writes to it', isHeld: true },
      // The file to which Chromium writes until the writer is closed.
      { what: 'file busy.crswap', reason: 'Error: something writes to it', isHeld: true },
    ]);
    held.close();
    await writable.close();
    expect(await deleteEverything()).toEqual([]);

    expect(localStorage).toHaveLength(0);
    expect(await caches.keys()).toEqual([]);
    expect(await indexedDB.databases()).toEqual([]);
    const files: string[] = [];
    for await (const name of root.keys()) files.push(name);
    expect(files).toEqual([]);
  },
);

test('deleting all data waits until a file being written is complete', async () => {
  const root = await navigator.storage.getDirectory();
  const writable = await (await root.getFileHandle('busy', { create: true })).createWritable();
  const deleting = deleteEverything();
  await expect(root.removeEntry('busy')).rejects.toMatchObject({ name: 'NoModificationAllowedError' });
  await writable.close();
  expect(await deleting).toEqual([]);
  await expect(root.getFileHandle('busy')).rejects.toMatchObject({ name: 'NotFoundError' });
});

test('deleting all data reports databases that cannot be opened', async () => {
  const refusal = new DOMException('The operation is insecure.', 'SecurityError');
  const files = vi.spyOn(navigator.storage, 'getDirectory').mockRejectedValue(refusal);
  // As in Chromium if its folder for databases is unusable: it has none and cannot create any.
  const open = vi.spyOn(indexedDB, 'open').mockImplementation((name) => {
    const request = IDBFactory.prototype.open.call(indexedDB, name);
    request.onupgradeneeded = () => request.transaction?.abort();
    return request;
  });
  expect(await deleteEverything()).toMatchObject([{ what: 'databases', isHeld: false }]);
  open.mockRestore();
  expect(await deleteEverything()).toEqual([]);
  files.mockRestore();
});

test('storage is not persistent in a headless browser, and its quota is unknown', async () => {
  const use = await measureUsage();
  // Chromium reports 10 GiB as free, whatever is free.
  expect(use.quota).toBe(0);
  expect(use.isPersisted).toBe(false);
});

function openRaw(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name);
    request.onupgradeneeded = () => request.result.createObjectStore('rows');
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new Error(request.error?.message));
  });
}
