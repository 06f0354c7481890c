import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Database } from '../../../src/store/database';
import { openStore } from '../../../src/store/open-store';
import { chatRecord, deleteChat, question } from '../../support/stored-chat';

const today = new Database('today');
const newerVersion = today.verno + 1;
/** The current tables, in Dexie's notation. */
const tables = Object.fromEntries(
  today.tables.map(({ name: table, schema: { primKey, indexes } }) => [
    table,
    [primKey, ...indexes].map(({ src }) => src).join(', '),
  ]),
);

let opened = 0;
let name: string;

beforeEach(() => {
  name = `open-${opened++}`;
});

/** Creates a database as a future version may leave it: with tables changed, added and removed. */
async function makeNewer(): Promise<unknown> {
  const newer = new Dexie(name);
  newer.version(newerVersion).stores({ chats: 'id, title', messages: 'id, chatId', folders: 'id' });
  await newer.table('chats').put({ ...chatRecord('chat'), folder: 'f' });
  const left = await describeRaw(newer);
  newer.close();
  return left;
}

async function describeRaw(database: Dexie) {
  const chats: unknown[] = await database.table('chats').toArray();
  return { version: database.backendDB().version, tables: [...database.backendDB().objectStoreNames], chats };
}

describe('a database of a newer version', () => {
  test.for([
    { name: 'is left unchanged', prepare: () => undefined },
    {
      name: 'is recognised even if the browser cannot list databases',
      prepare: () => vi.spyOn(indexedDB, 'databases').mockRejectedValueOnce(new TypeError('Not a function')),
    },
  ])('$name', async ({ prepare }) => {
    // If Dexie opens the database before our own check, it must have nothing to add to it.
    const newer = new Dexie(name);
    newer.version(newerVersion).stores({ ...tables, chats: `${tables['chats']}, folder` });
    await newer.table('chats').put({ ...chatRecord('chat'), folder: 'f' });
    const left = await describeRaw(newer);
    newer.close();

    prepare();
    const store = await openStore({ name });
    expect(store).toMatchObject({
      condition: 'newer',
      detail: `Version ${newerVersion} is there; this is ${today.verno}.`,
    });
    await store.chats.create(chatRecord('mine'));
    expect((await store.chats.list()).map(({ id }) => id)).toEqual(['mine']);

    const after = await new Dexie(name).open();
    expect(await describeRaw(after)).toEqual(left);
    after.close();
  });

  test('gets no additional tables from this version', async () => {
    const left = await makeNewer();
    const store = await openStore({ name });
    expect(store.condition).toBe('newer');
    const after = await new Dexie(name).open();
    expect(await describeRaw(after)).toEqual(left);
    after.close();
  });
});

test('a database update in another tab permanently closes the database in this tab', async () => {
  const onClosed = vi.fn();
  const onError = vi.fn();
  const store = await openStore({ name, onClosed });
  await store.chats.create(chatRecord('chat'));
  const end = store.chats.watch(() => undefined, onError);
  await vi.waitFor(async () => expect(await store.chats.list()).toHaveLength(1));

  await makeNewer();
  expect(onClosed).toHaveBeenCalledExactlyOnceWith('updated');
  await expect(store.chats.save(question('q', null))).rejects.toMatchObject({ code: 'storage-unavailable' });
  await expect(store.chats.list()).rejects.toMatchObject({ code: 'storage-unavailable' });
  await expect(store.drafts.save('chat', 'Hi')).rejects.toMatchObject({ code: 'storage-unavailable' });
  await expect(store.settings.save({ rounds: 3 })).rejects.toMatchObject({ code: 'storage-unavailable' });
  expect(await store.inspect()).toBeUndefined();
  end();
});

test('an older tab that blocks opening the database is reported, and opening continues once that tab closes', async () => {
  const older = new Dexie(name);
  older.version(0.5).stores({ chats: 'id' });
  older.on('versionchange', () => false);
  await older.open();
  const onBlocked = vi.fn();
  const opening = openStore({ name, onBlocked });
  await vi.waitFor(() => expect(onBlocked).toHaveBeenCalledOnce());
  older.close();
  expect((await opening).condition).toBe('ok');
});

test('an unreadable database is reported as unreadable, not as missing browser storage', async () => {
  const open = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('Internal error opening backing store.', 'UnknownError');
  });
  const store = await openStore({ name });
  open.mockRestore();
  expect(store).toMatchObject({ condition: 'unreadable', detail: expect.stringContaining('backing store') });
});

test('a database that cannot be opened is replaced by a store in memory, which reports the reason', async () => {
  const open = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  });
  const store = await openStore({ name });
  open.mockRestore();
  expect(store).toMatchObject({ condition: 'memory', detail: expect.stringContaining('insecure') });
  await store.chats.create(chatRecord('chat'));
  await store.chats.save(question('q', null));
  await store.drafts.save('chat', 'typed');
  await store.settings.save({ theme: 'dark' });
  expect(await store.chats.load('chat')).toMatchObject({ nodes: [{ id: 'q' }] });
  expect((await store.drafts.load('chat'))?.text).toBe('typed');
  await store.drafts.save('unbegun', 'half a thought');
  expect(await store.drafts.listUnbegun()).toEqual([
    { chatId: 'unbegun', text: 'half a thought', origins: [] },
  ]);
  expect(await store.settings.load()).toMatchObject({ theme: 'dark', rounds: 8 });
  expect(await store.inspect()).toBeUndefined();
});

test('only the newest 500 prompts are kept', async () => {
  const store = await openStore({ name });
  const raw = await new Database(name).open();
  const traces = Array.from({ length: 510 }, (_, at) => ({
    messageId: `m${at}`,
    chatId: 'chat',
    // Written in a different order than their ages.
    createdAt: (at * 7) % 510,
    prompt: 'Hi',
  }));
  await raw.table('traces').bulkAdd(traces);
  await store.inspect();
  const left = await raw.table<{ createdAt: number }>('traces').toArray();
  expect(left).toHaveLength(500);
  expect(Math.min(...left.map(({ createdAt }) => createdAt))).toBe(10);
});

describe('drafts in the store', () => {
  test('are stored per chat until they are emptied', async () => {
    const { drafts, close } = await openStore({ name });
    await drafts.save('one', 'first');
    await drafts.save('one', 'first, longer');
    await drafts.save('two', 'second');
    close();
    const again = await openStore({ name });
    expect((await again.drafts.load('one'))?.text).toBe('first, longer');
    await again.drafts.save('one', '');
    expect(await again.drafts.load('one')).toBeUndefined();
    expect((await again.drafts.load('two'))?.text).toBe('second');
  });

  test('are listed if their chat has not been started', async () => {
    const { chats, drafts } = await openStore({ name });
    await chats.create(chatRecord('begun'));
    await drafts.save('begun', 'typed');
    await drafts.save('unbegun', 'half a thought');
    await drafts.save('emptied', 'gone');
    await drafts.save('emptied', '');
    expect(await drafts.listUnbegun()).toEqual([{ chatId: 'unbegun', text: 'half a thought', origins: [] }]);
  });

  test('are deleted with their chat', async () => {
    const { chats, drafts, bin } = await openStore({ name });
    await chats.create(chatRecord('chat'));
    await drafts.save('chat', 'typed');
    await deleteChat({ bin }, 'chat');
    expect(await drafts.load('chat')).toBeUndefined();
  });
});

describe('settings in the store', () => {
  test('have the values that the user set, or else the defaults', async () => {
    const { settings } = await openStore({ name });
    expect(await settings.load()).toMatchObject({ language: null, theme: 'system', rounds: 8 });
    await settings.save({ theme: 'dark' });
    await settings.save({ rounds: 3 });
    expect(await settings.load()).toMatchObject({ language: null, theme: 'dark', rounds: 3 });
  });

  test('fall back to their defaults one by one if they cannot be read', async () => {
    const { settings } = await openStore({ name });
    await settings.save({ language: 'zh', rounds: 3 });
    const raw = await new Dexie(name).open();
    await raw.table('settings').bulkPut([
      { key: 'theme', value: 'plaid' },
      { key: 'rounds', value: 99 },
      { key: 'gone', value: true },
    ]);
    expect(await settings.load()).toMatchObject({ language: 'zh', theme: 'system', rounds: 8 });
  });
});
