import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { beforeEach, expect, test } from 'vitest';
import { ChatRecord } from '../../../src/contracts/chat';
import { read } from '../../../src/contracts/schema';
import { Database } from '../../../src/store/database';
import { isSurelyValidChat, readFirstChats, schemaVersion } from '../../../src/store/first-chats';
import { openStore } from '../../../src/store/open-store';
import { chatRecord } from '../../support/stored-chat';

let opened = 0;
let name: string;
beforeEach(() => {
  name = `first-${opened++}`;
});

async function keep(rows: Partial<Record<'chats' | 'folders', readonly object[]>>): Promise<void> {
  const database = new Database(name);
  await database.open();
  for (const table of ['chats', 'folders'] as const)
    await database.table(table).bulkPut([...(rows[table] ?? [])]);
  database.close();
}

const shown = ({ id, title, updatedAt, pinnedAt, archivedAt, folderId }: ChatRecord) => ({
  id,
  title,
  updatedAt,
  pinnedAt,
  archivedAt,
  folderId,
});

test("the chat list read early at startup equals the store's list", async () => {
  const chats = [
    chatRecord('old', { updatedAt: 1, folderId: 'folder' }),
    chatRecord('new', {
      updatedAt: 3,
      model: { id: 'ember', name: 'Ember', engine: 'llama', bytes: 1 },
    }),
    chatRecord('pinned', { updatedAt: 2, pinnedAt: 9, archivedAt: 8, toolSearch: 'always' }),
    chatRecord('binned', { deletedAt: 5 }),
    chatRecord('of an agent', { agentOf: { chatId: 'new', callId: 'call' } }),
  ];
  const folder = (id: string, createdAt: number) => ({ id, name: id, isFolded: true, createdAt });
  await keep({ chats, folders: [folder('folder', 2), folder('first', 1)] });
  const first = await readFirstChats(name);
  const store = await openStore({ name });
  expect(first?.chats.map(shown)).toEqual((await store.chats.list()).map(shown));
  const folders = await new Promise((resolve, reject) => store.folders.watch(resolve, reject));
  expect(first?.folders).toEqual(folders);
  store.close();
});

test('the chat list read early at startup leaves out damaged chats and folders', async () => {
  await keep({
    chats: [chatRecord('whole'), { ...chatRecord('damaged'), title: 7 }, { id: 'empty' }],
    folders: [{ id: 'damaged', name: null }],
  });
  const first = await readFirstChats(name);
  expect(first?.chats.map(({ id }) => id)).toEqual(['whole']);
  expect(first?.folders).toEqual([]);
});

test('reading the chat list early at startup creates no database, and returns nothing from an empty database', async () => {
  expect(await readFirstChats(name)).toBeUndefined();
  expect((await indexedDB.databases()).map((database) => database.name)).not.toContain(name);
  await keep({ folders: [] });
  expect(await readFirstChats(name)).toBeUndefined();
});

test.for([-1, 1])(
  'the early chat list is not used if the version of the database differs by %i',
  async (difference) => {
    const other = new Dexie(name);
    other.version(schemaVersion + difference).stores({ chats: 'id', folders: 'id' });
    await other.table('chats').put(chatRecord('chat'));
    other.close();
    expect(await readFirstChats(name)).toBeUndefined();
  },
);

test('the constant for the database version matches the real database version', () => {
  expect(new Database(name).verno).toBe(schemaVersion);
});

test('another tab can delete the database while the early chat list is being read', async () => {
  await keep({ chats: [chatRecord('chat')] });
  const reading = readFirstChats(name);
  await Dexie.delete(name);
  await reading;
  expect(await readFirstChats(name)).toBeUndefined();
});

const plainFields = [...Object.keys(ChatRecord.shape), 'unknown', '__proto__'];
const plainValues = [
  undefined,
  null,
  true,
  0,
  1.5,
  NaN,
  Infinity,
  '',
  'text',
  [],
  ['tool'],
  [7],
  {},
  { id: 'a' },
  new Date(0),
  7n,
  new Map(),
  { chatId: 'a', callId: 'b' },
  'always',
  Array(2),
];

test('a stored chat that passes the fast check also passes the full schema unchanged', () => {
  let passed = 0;
  for (const field of plainFields)
    for (const value of plainValues) {
      const row: Record<string, unknown> = { ...chatRecord('chat') };
      Object.defineProperty(row, field, { value, enumerable: true, configurable: true });
      if (!isSurelyValidChat(row)) continue;
      passed++;
      expect(read(ChatRecord, row)).toEqual({ ok: true, value: row });
    }
  expect(passed).toBeGreaterThan(30);
});

test('ordinary stored chats pass the fast check', () => {
  const arranged = { pinnedAt: 5, archivedAt: 6, folderId: 'folder', persona: 'persona', deletedAt: 7 };
  for (const row of [
    chatRecord('chat'),
    chatRecord('chat', { leafId: 'leaf', toolsOff: ['web'], ...arranged }),
  ])
    expect(isSurelyValidChat(row)).toBe(true);
});
