/** Measures storage by kind, with real databases, caches and files. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deleteEverything, measureStorage, estimateBytes } from '../../src/platform/storage';

// Leftovers of another test file would be counted.
beforeEach(async () => {
  await deleteEverything();
});
afterEach(async () => {
  await deleteEverything();
});

function openWith(name: string, tables: Record<string, readonly object[]>): Promise<IDBDatabase> {
  return new Promise((resolve) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      for (const [table, rows] of Object.entries(tables)) {
        const store = request.result.createObjectStore(table, { keyPath: 'id' });
        for (const row of rows) store.put(row);
      }
    };
    request.onsuccess = () => resolve(request.result);
  });
}

const places = {
  main: 'main',
  index: 'index',
  tables: { messages: 'chats', traces: 'prompts' } as const,
  modelCaches: 'webllm/',
  modelFolders: ['models'],
};

test('the storage used by each kind of data is measured', async () => {
  const text = 'x'.repeat(1000);
  const messages = Array.from({ length: 120 }, (_, id) => ({ id, text }));
  const main = await openWith('main', { messages, traces: [{ id: 1, text }], settings: [{ id: 1 }] });
  (await openWith('index', { words: [{ id: 1, postings: new Uint8Array(5000) }] })).close();
  await (await caches.open('webllm/model')).put('/weights', new Response(text));
  await (await caches.open('precache')).put('/app.js', new Response(text + text));
  const root = await navigator.storage.getDirectory();
  for (const name of ['models', 'other']) {
    const file = await (
      await root.getDirectoryHandle(name, { create: true })
    ).getFileHandle('f', { create: true });
    const writable = await file.createWritable();
    await writable.write(text);
    await writable.close();
  }

  const parts = await measureStorage(places);
  const perRow = 'id'.length + 8 + 'text'.length + 1000;
  expect(parts).toEqual({
    chats: 120 * perRow,
    prompts: perRow,
    attachments: 0,
    results: 0,
    models: 2000,
    app: 2000,
    rest: 1000 + 'id'.length + 8,
    index: 'id'.length + 8 + 'postings'.length + 5000,
  });
  // The page's own connection gets no event, and no other connection is open.
  main.close();
  expect(await deleteEverything()).toEqual([]);
});

test('a file deleted while storage is measured counts as 0 bytes', async () => {
  const root = await navigator.storage.getDirectory();
  await root.getFileHandle('room', { create: true });
  (await openWith('main', { messages: [{ id: 1 }] })).close();
  const gone = new DOMException('It is not there any more.', 'NotFoundError');
  const getFile = vi.spyOn(FileSystemFileHandle.prototype, 'getFile').mockRejectedValueOnce(gone);
  expect(await measureStorage(places)).toMatchObject({ chats: 'id'.length + 8, rest: 0 });
  expect(getFile).toHaveBeenCalledOnce();
  getFile.mockRestore();
});

test('a database deleted while storage is measured is not recreated', async () => {
  (await openWith('main', { messages: [{ id: 1 }] })).close();
  const databases = vi.spyOn(indexedDB, 'databases').mockResolvedValueOnce([
    { name: 'gone', version: 10 },
    { name: 'main', version: 1 },
  ]);
  expect((await measureStorage(places)).chats).toBe('id'.length + 8);
  databases.mockRestore();
  expect((await indexedDB.databases()).map(({ name }) => name)).toEqual(['main']);
});

test('a database that is blocked does not hold up measuring the others', async () => {
  const held = await openWith('held', { rows: [] });
  (await openWith('main', { messages: [{ id: 1 }] })).close();
  const deleting = indexedDB.deleteDatabase('held');
  const deleted = new Promise((resolve) => (deleting.onsuccess = resolve));
  expect((await measureStorage(places, 100)).chats).toBe('id'.length + 8);
  held.close();
  await deleted;
  expect(await deleteEverything()).toEqual([]);
});

test('data that does not exist counts as 0 bytes', async () => {
  expect(new Set(Object.values(await measureStorage(places)))).toEqual(new Set([0]));
});

test.for<[string, unknown, number]>([
  ['a text beyond ASCII', 'é漢', 5],
  ['a file', new Blob(['abc']), 3],
  ['a buffer', new ArrayBuffer(7), 7],
  ['nothing', null, 8],
  ['a list with its indexes', ['ab', ['c']], '0'.length + 2 + '1'.length + '0'.length + 1],
  ['a map', new Map([['a', 'bc']]), 3],
])('estimates the size of a stored value in bytes: %s', ([, value, bytes]) => {
  expect(estimateBytes(value)).toBe(bytes);
});
