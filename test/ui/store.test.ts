/** The store on a real disk: tests for which fake-indexeddb is not enough. */
import { Dexie } from 'dexie';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ChatRecord } from '../../src/contracts/chat';
import { textOf } from '../../src/contracts/message-parts';
import { type OpenOptions, openStore } from '../../src/store/open-store';
import { answer, chatRecord, deleteChat, placeOf, question, textDelta } from '../support/stored-chat';
import { slow } from '../support/matrix';

let name: string;
const open = (options?: OpenOptions) => openStore({ name, ...options });

beforeEach(() => {
  name = `store-${crypto.randomUUID()}`;
});

afterEach(async () => {
  await Dexie.delete(name);
  localStorage.clear();
});

async function openWithQuestion() {
  const store = await open();
  await store.chats.create(chatRecord('chat'));
  await store.chats.save(question('q', null));
  return store;
}

test('a tab that crashes while writing loses no message already saved', async () => {
  const before = await openWithQuestion();
  before.close();
  for (let round = 0; round < 5; round++) {
    const worker = new Worker(new URL('store-writer.worker.ts', import.meta.url), { type: 'module' });
    const last = await new Promise<number>((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<{ written: number }>) => {
        if (data.written >= 5 + round * 3) resolve(data.written);
      };
      worker.postMessage({ write: [name, placeOf(`a${round}`, 'q')] });
    });
    worker.terminate();

    const { chats, inspect, close } = await open();
    const loaded = await chats.load('chat');
    const reply = loaded?.nodes.find(({ id }) => id === `a${round}`);
    const words = textOf(reply?.message.role === 'assistant' ? reply.message.content : [])
      .trim()
      .split(' ');
    expect(words.length).toBeGreaterThan(last);
    expect(words).toEqual(words.map((_, at) => `word${at}`));
    expect(loaded).toMatchObject({ chat: { leafId: `a${round}` }, damaged: [] });
    expect(await inspect()).toBeUndefined();
    close();
  }
});

test('all chats, all tool results or all prompts can be deleted separately', async () => {
  const store = await openWithQuestion();
  await store.chats.save(answer('a', 'q'), 'a prompt');
  await store.results.keep({ id: 'r', chatId: 'chat', createdAt: 1, text: 'long' });
  await store.drafts.save('chat', 'half a thought');
  await store.drafts.save('unbegun', 'not sent yet');
  await store.folders.save({ id: 'f', name: 'Kept', isFolded: false, createdAt: 1 });
  await store.empty('prompts');
  expect(await store.chats.loadPrompt('a')).toBeUndefined();
  await store.empty('results');
  expect(await store.results.load('r')).toBeUndefined();
  expect((await store.chats.load('chat'))?.nodes).toHaveLength(2);
  await store.empty('chats');
  expect(await store.chats.list()).toEqual([]);
  expect(await store.chats.load('chat')).toBeUndefined();
  // The messages were deleted, not lost.
  expect(await store.inspect()).toBeUndefined();
  expect((await store.drafts.listUnbegun()).map(({ text }) => text)).toEqual(['not sent yet']);
  store.close();
});

test('a chat is the same after a reload', async () => {
  const before = await openWithQuestion();
  await before.chats.checkpoint(placeOf('a', 'q'), [textDelta('Hel')]);
  await before.chats.save(answer('a', 'q'));
  await before.chats.mark('a', { turnEnd: 'answered' });
  await before.chats.update('chat', { title: 'Mine', isNamed: true });
  const seen = [await before.chats.load('chat'), await before.chats.list()];
  before.close();
  const { chats } = await open();
  expect([await chats.load('chat'), await chats.list()]).toEqual(seen);
});

test('a change to a chat in one tab appears in another tab', async () => {
  const one = await openWithQuestion();
  const two = await open();
  const seen = vi.fn<(chats: ChatRecord[]) => void>();
  const end = two.chats.watch(seen, () => expect.unreachable());
  await vi.waitFor(() => expect(seen).toHaveBeenCalled());
  await Promise.all([
    one.chats.update('chat', { title: 'Mine', isNamed: true }),
    one.chats.save(answer('a', 'q')),
    two.chats.save(answer('b', 'q')),
    one.chats.save(answer('c', 'q')),
    two.chats.save(answer('d', 'q')),
  ]);
  await vi.waitFor(() => expect(seen.mock.lastCall?.[0]).toMatchObject([{ title: 'Mine' }]));
  end();
  expect(await one.inspect()).toBeUndefined();
  expect((await two.chats.load('chat'))?.nodes).toHaveLength(5);
  expect(localStorage.getItem(`${name}.messages`)).toBe('{"written":5,"deleted":0}');
});

describe('a full disk', () => {
  // Not yet in TypeScript's DOM types: a storage bucket with its own quota that nothing else uses.
  const { storageBuckets } = navigator as unknown as {
    storageBuckets: {
      open: (name: string, options: { quota: number }) => Promise<{ indexedDB: IDBFactory }>;
      delete: (name: string) => Promise<void>;
    };
  };
  const { indexedDB } = Dexie.dependencies;

  beforeEach(async () => {
    const small = await storageBuckets.open('small', { quota: 6_000_000 });
    Dexie.dependencies.indexedDB = small.indexedDB;
  });
  afterEach(async () => {
    Dexie.dependencies.indexedDB = indexedDB;
    await storageBuckets.delete('small');
  });

  slow('is reported without losing saved messages, and chats can still be deleted', async () => {
    const store = await openWithQuestion();
    const kept = ['q'];
    const fill = async () => {
      for (;;) {
        const long = answer(`long${kept.length}`, kept.at(-1)!, randomText(500_000));
        await store.chats.save(long, 'prompt');
        kept.push(long.id);
      }
    };
    await expect(fill()).rejects.toMatchObject({ name: 'AppError', code: 'storage-full' });
    expect(kept.length).toBeGreaterThan(1);

    const loaded = await store.chats.load('chat');
    expect(loaded?.nodes.map(({ id }) => id)).toEqual(kept);
    expect(loaded?.chat.leafId).toBe(kept.at(-1));
    expect(await store.chats.loadPrompt(`long${kept.length}`)).toBeUndefined();
    expect(await store.inspect()).toBeUndefined();
    await deleteChat(store, 'chat');
    expect(await store.chats.list()).toEqual([]);
    expect(await store.inspect()).toBeUndefined();
    store.close();
  });
});

test("chats can still be saved after the user returns with the browser's Back button", async () => {
  const { chats } = await openWithQuestion();
  // The browser sends this when it keeps a page for "Back". Dexie would close its databases.
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  await chats.save(answer('a', 'q'));
  expect(await chats.list()).toHaveLength(1);
});

/** A version number that no release of Hearth reaches. */
const newerVersion = 900;

describe('an action in another tab', () => {
  test('an update of the database closes it in this tab with a notice', async () => {
    const onClosed = vi.fn();
    const store = await open({ onClosed });
    const newer = new Dexie(name);
    newer.version(newerVersion).stores({ chats: 'id' });
    await newer.open();
    expect(onClosed).toHaveBeenCalledExactlyOnceWith('updated');
    await expect(store.chats.create(chatRecord('late'))).rejects.toMatchObject({
      code: 'storage-unavailable',
    });
    expect(await newer.table('chats').count()).toBe(0);
    newer.close();
  });

  test('deleting all data closes the database in this tab, and the next start reports no lost messages', async () => {
    const onClosed = vi.fn();
    const store = await openWithQuestion();
    store.close();
    const other = await open({ onClosed });
    await Dexie.delete(name);
    expect(onClosed).toHaveBeenCalledExactlyOnceWith('deleted');
    await expect(other.chats.save(answer('a', 'q'))).rejects.toMatchObject({ code: 'storage-unavailable' });
    const anew = await open();
    expect(await anew.inspect()).toBeUndefined();
    expect(await anew.chats.list()).toEqual([]);
  });
});

test('a database from a newer version of Hearth is not changed', async () => {
  const newer = new Dexie(name);
  newer.version(newerVersion).stores({ chats: 'id, folder', folders: 'id' });
  await newer.table('chats').put({ ...chatRecord('chat'), folder: 'f' });
  newer.close();

  const store = await open();
  expect(store).toMatchObject({
    condition: 'newer',
    detail: expect.stringMatching(new RegExp(`^Version ${newerVersion} is there; this is \\d+\\.$`)),
  });
  await store.chats.create(chatRecord('mine'));

  const after = await new Dexie(name).open();
  // Dexie multiplies its versions by ten.
  expect(after.backendDB().version).toBe(newerVersion * 10);
  expect([...after.backendDB().objectStoreNames]).toEqual(['chats', 'folders']);
  expect(await after.table('chats').toArray()).toMatchObject([{ id: 'chat', folder: 'f' }]);
  after.close();
});

slow('lost messages are detected by a message count stored outside the database', async () => {
  const store = await openWithQuestion();
  await store.chats.save(answer('a', 'q'));
  store.close();
  await Dexie.delete(name);
  const emptied = await open();
  expect(await emptied.inspect()).toEqual({ expected: 2, found: 0 });
  await emptied.acceptShortage();
  emptied.close();
  expect(await (await open()).inspect()).toBeUndefined();
});

test('every database write asks the browser for strict durability', async () => {
  const begun = vi.spyOn(IDBDatabase.prototype, 'transaction');
  const { chats } = await openWithQuestion();
  await chats.checkpoint(placeOf('a', 'q'), [textDelta('Hel')]);
  const writes = begun.mock.results
    .map(({ value }) => value as IDBTransaction)
    .filter(({ mode }) => mode === 'readwrite');
  begun.mockRestore();
  expect(writes.length).toBeGreaterThan(2);
  expect(new Set(writes.map(({ durability }) => durability))).toEqual(new Set(['strict']));
});

/** Returns incompressible text, so that the quota fills up. */
function randomText(characters: number): string {
  const bytes = new Uint8Array(characters);
  for (let at = 0; at < characters; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return new TextDecoder('latin1').decode(bytes);
}
