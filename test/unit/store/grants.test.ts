import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, test } from 'vitest';
import { Database } from '../../../src/store/database';
import { createMemoryStore, openStore } from '../../../src/store/open-store';
import type { ChatStore, GrantStore, Store } from '../../../src/contracts/store';
import { chatRecord, deleteChat } from '../../support/stored-chat';

let opened = 0;
const grant = (id: string, chatId: string | null, createdAt = 1) => ({
  id,
  tool: 'fetch_page',
  revision: '',
  target: 'example.com',
  chatId,
  createdAt,
});

describe.for([
  { kept: 'on the disk', open: () => openStore({ name: `grants-${opened++}` }) },
  { kept: 'in memory', open: async () => createMemoryStore() },
])('a permission stored $kept', ({ open }) => {
  let chats: ChatStore;
  let grants: GrantStore;
  let bin: Store['bin'];

  beforeEach(async () => {
    ({ chats, grants, bin } = await open());
    await chats.create(chatRecord('chat'));
  });

  test('is listed before older permissions', async () => {
    await grants.add(grant('a', null, 1));
    await grants.add(grant('b', 'chat', 2));
    expect(await grants.list()).toEqual([grant('b', 'chat', 2), grant('a', null, 1)]);
  });

  test('can be revoked', async () => {
    await grants.add(grant('a', null));
    await grants.remove('a');
    await grants.remove('never there');
    expect(await grants.list()).toEqual([]);
  });

  test('is deleted with its chat, unless it is for all chats', async () => {
    await chats.create(chatRecord('other'));
    await grants.add(grant('a', null, 1));
    await grants.add(grant('b', 'chat', 2));
    await grants.add(grant('c', 'other', 3));
    await deleteChat({ bin }, 'chat');
    expect((await grants.list()).map(({ id }) => id)).toEqual(['c', 'a']);
  });

  test('is discarded if its chat has already been deleted', async () => {
    await deleteChat({ bin }, 'chat');
    await grants.add(grant('a', 'chat'));
    expect(await grants.list()).toEqual([]);
  });

  test('notifies watchers when it is added or deleted', async () => {
    const seen: string[][] = [];
    const end = grants.watch(
      (list) => seen.push(list.map(({ id }) => id)),
      () => seen.push(['failed']),
    );
    await expect.poll(() => seen.at(-1)).toEqual([]);
    await grants.add(grant('a', 'chat'));
    await expect.poll(() => seen.at(-1)).toEqual(['a']);
    await deleteChat({ bin }, 'chat');
    await expect.poll(() => seen.at(-1)).toEqual([]);
    end();
    await grants.add(grant('b', null));
    expect(seen.at(-1)).toEqual([]);
  });
});

test('an unreadable stored permission allows nothing, and all others are still listed', async () => {
  const name = `grants-${opened++}`;
  const { grants, close } = await openStore({ name });
  await grants.add(grant('a', null));
  close();
  const database = new Database(name);
  await database.open();
  await database.table('grants').put({ ...grant('b', null), target: 7 });
  database.close();
  const again = await openStore({ name });
  expect((await again.grants.list()).map(({ id }) => id)).toEqual(['a']);
});
