import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import type { FollowUp, MessageNode } from '../../../src/contracts/chat';
import type { FollowUpStore } from '../../../src/contracts/store';
import { createMemoryStore, openStore } from '../../../src/store/open-store';
import { chatRecord, deleteChat } from '../../support/stored-chat';

const waits = (id: string, place: number, chatId = 'chat'): FollowUp => ({
  id,
  chatId,
  place,
  text: id,
  origins: [{ door: 'typed' }],
});
const question = (id: string): MessageNode => ({
  id,
  chatId: 'chat',
  parentId: null,
  createdAt: 1,
  message: { role: 'user', content: [{ type: 'text', text: id }], origins: [{ door: 'typed' }] },
});
const idsOf = async (store: FollowUpStore) => (await store.list('chat')).map(({ id }) => id);

test.for<[string, () => Promise<FollowUpStore>]>([
  ['on the disk', async () => (await openStore({ name: 'follow-ups' })).followUps],
  ['in memory', async () => createMemoryStore().followUps],
])('queued messages stored %s stay in order', async ([, open]) => {
  const store = await open();
  for (const one of [waits('b', 2), waits('a', 1), waits('x', 1, 'other'), waits('c', 3)])
    await store.add(one);
  expect(await idsOf(store)).toEqual(['a', 'b', 'c']);
  await store.change('c', { place: 0, text: 'sooner' });
  await store.remove('a');
  // The message was deleted in the meantime, so the change must not restore it.
  await store.change('a', { text: 'again' });
  expect(await idsOf(store)).toEqual(['c', 'b']);
  expect((await store.list('chat'))[0]?.text).toBe('sooner');
  const all = await new Promise<FollowUp[]>((resolve, reject) => store.watch(resolve, reject));
  expect(all.map(({ id }) => id).sort()).toEqual(['b', 'c', 'x']);
});

test('invariant: a queued message leaves the queue in the same write that saves it as a question', async () => {
  const { chats, followUps, empty, bin } = await openStore({ name: 'follow-ups-asked' });
  await chats.create(chatRecord('chat'));
  for (const one of [waits('a', 1), waits('b', 2)]) await followUps.add(one);
  await chats.save(question('a'));
  expect(await idsOf(followUps)).toEqual(['b']);
  await deleteChat({ bin }, 'chat');
  expect(await idsOf(followUps)).toEqual([]);

  await chats.create(chatRecord('chat'));
  await followUps.add(waits('c', 1));
  await empty('chats');
  expect(await idsOf(followUps)).toEqual([]);
});
