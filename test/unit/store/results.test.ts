import 'fake-indexeddb/auto';
import { describe, expect, test } from 'vitest';
import type { MessageNode } from '../../../src/contracts/chat';
import type { Store } from '../../../src/contracts/store';
import { Database } from '../../../src/store/database';
import { createMemoryStore, openStore } from '../../../src/store/open-store';
import { maxResultBytes } from '../../../src/store/results';
import { createSentinel } from '../../../src/store/sentinel';
import { chatRecord, deleteChat, deleteMessages } from '../../support/stored-chat';
import { slow } from '../../support/matrix';

const open = (name: string) => openStore({ name, sentinel: createSentinel(name, undefined) });
const kept = (id: string, chatId: string, text = `text of ${id}`) => ({ id, chatId, createdAt: 1, text });

function toolNode(
  id: string,
  parentId: string | null,
  wholeId: string,
  toolName = 'fetch_page',
): MessageNode {
  return {
    id,
    chatId: 'a',
    parentId,
    createdAt: 1,
    message: {
      role: 'tool',
      results: [
        {
          toolCallId: id,
          toolName,
          content: [],
          isError: false,
          whole: { handle: 'r1', id: wholeId, toolName: 'fetch_page', characters: 9, given: [] },
          origins: [{ door: 'hearth' }],
        },
      ],
    },
  };
}

type Parts = Pick<Store, 'bin' | 'chats' | 'results'>;
const stores: [string, (name: string) => Promise<Parts>][] = [
  ['on the disk', open],
  ['in memory', async () => createMemoryStore()],
];

describe.for(stores)('full tool results stored %s', ([where, openParts]) => {
  test('are loaded unchanged', async () => {
    const { chats, results } = await openParts(`again ${where}`);
    await chats.create(chatRecord('a'));
    expect(await results.keep(kept('one', 'a', '灯塔\n😀'))).toBeUndefined();
    expect(await results.load('one')).toBe('灯塔\n😀');
    expect(await results.load('other')).toBeUndefined();
  });

  test('are copied when a branch of their chat is copied', async () => {
    const { chats, results, bin } = await openParts(`copied ${where}`);
    await chats.create(chatRecord('a'));
    await results.keep(kept('one', 'a'));
    await chats.save(toolNode('m', null, 'one'));
    let ids = 0;
    await chats.copyBranch('m', chatRecord('b'), () => `copy ${ids++}`);
    const [copy] = (await chats.load('b'))?.nodes ?? [];
    const id = copy?.message.role === 'tool' ? (copy.message.results[0]?.whole?.id ?? '') : '';
    await deleteChat({ bin }, 'a');
    expect(await results.load('one')).toBeUndefined();
    expect(await results.load(id)).toBe('text of one');
  });

  test('are refused if they exceed the byte limit', async () => {
    const { chats, results } = await openParts(`long ${where}`);
    await chats.create(chatRecord('a'));
    expect(await results.keep(kept('one', 'a', '字'.repeat(maxResultBytes.one / 3 + 1)))).toBe('too-long');
    expect(await results.load('one')).toBeUndefined();
  });
});

slow('stored tool results are deleted with their chat or their message', async () => {
  const store = await open('go');
  for (const id of ['a', 'b']) await store.chats.create(chatRecord(id));
  await store.chats.save(toolNode('first', null, 'w1'));
  await store.chats.save(toolNode('second', 'first', 'w2'));
  // The second message reads more of the first one's result, which still belongs to the first.
  await store.chats.save(toolNode('third', 'second', 'w1', 'read_result'));
  for (const id of ['w1', 'w2']) await store.results.keep(kept(id, 'a'));
  await store.results.keep(kept('w3', 'b'));
  await deleteMessages(store, 'second');
  expect(await store.results.load('w1')).toBe('text of w1');
  expect(await store.results.load('w2')).toBeUndefined();
  await deleteChat(store, 'a');
  expect(await store.results.load('w1')).toBeUndefined();
  expect(await store.results.load('w3')).toBe('text of w3');
  store.close();
});

slow('a full store makes room only by deleting tool results of deleted chats', async () => {
  const store = await open('full');
  await store.chats.create(chatRecord('a'));
  await store.results.keep(kept('mine', 'a'));
  const database = new Database('full');
  await database.open();
  const row = (id: string, chatId: string, bytes: number) => ({ ...kept(id, chatId), bytes });
  await database.results.bulkPut([row('orphan', 'gone', 50), row('big', 'a', maxResultBytes.all - 200)]);
  // A result of 150 characters fits once the orphan is deleted.
  expect(await store.results.keep(kept('next', 'a', 'x'.repeat(150)))).toBeUndefined();
  expect(await store.results.load('orphan')).toBeUndefined();
  expect(await store.results.keep(kept('last', 'a', 'x'.repeat(150)))).toBe('full');
  expect(await store.results.load('mine')).toBe('text of mine');
  expect(await store.results.load('last')).toBeUndefined();
  database.close();
  store.close();
});

test('a tool result is not stored for a deleted chat, and maintenance deletes leftover results', async () => {
  const store = await open('orphans');
  await store.results.keep(kept('late', 'gone'));
  expect(await store.results.load('late')).toBeUndefined();
  const database = new Database('orphans');
  await database.open();
  await database.results.put({ ...kept('orphan', 'gone'), bytes: 1 });
  await store.inspect();
  expect(await store.results.load('orphan')).toBeUndefined();
  database.close();
  store.close();
});
