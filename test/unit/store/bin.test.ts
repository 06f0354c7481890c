import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { BinEntry, Store } from '../../../src/contracts/store';
import { openStore } from '../../../src/store/open-store';
import { createSentinel } from '../../../src/store/sentinel';
import { answer, chatPlaces, chatRecord, deleteChat, placeOf, question } from '../../support/stored-chat';
import { slow } from '../../support/matrix';

let opened = 0;
const gone = { name: 'AppError', code: 'chat-deleted' };

describe.for([
  { kept: 'on the disk', hasDisk: true },
  { kept: 'in memory', hasDisk: false },
])('the bin of a store $kept', ({ hasDisk }) => {
  let store: Store;
  let time = 0;
  let entries: BinEntry[] = [];

  beforeEach(async () => {
    time = 1000;
    const name = `bin-${opened++}`;
    if (!hasDisk) vi.stubGlobal('indexedDB', undefined);
    store = await openStore({ name, now: () => ++time, sentinel: createSentinel(name, undefined) });
    vi.unstubAllGlobals();
    await store.chats.create(chatRecord('chat', { title: 'Clocks' }));
    await store.chats.save(question('q', null, 'What time is it?'));
    await store.chats.save(answer('a1', 'q', 'Noon'));
    await store.chats.save(question('q2', 'a1', 'And in Tokyo?'));
    await store.chats.save(answer('b1', 'q2', 'Night'));
    await store.chats.update('chat', { leafId: 'q' });
    await store.chats.save(answer('a2', 'q', 'Twelve'));
    store.bin.watch(
      (list) => (entries = list),
      (error) => expect.unreachable(error.message),
    );
  });

  const idsOf = async (chatId = 'chat') => (await store.chats.load(chatId))?.nodes.map(({ id }) => id);
  const leafOf = async () => (await store.chats.load('chat'))?.chat.leafId;
  const listed = (expected: readonly Partial<BinEntry>[]) =>
    vi.waitFor(() => expect(entries).toMatchObject(expected));

  test('invariant: a chat in the bin is not listed, cannot be read or written, and is restored unchanged', async () => {
    const before = await store.chats.load('chat');
    await store.bin.put([{ kind: 'chat', id: 'chat' }]);
    expect(await store.chats.list()).toEqual([]);
    expect(await store.chats.load('chat')).toBeUndefined();
    expect(await store.chats.loadTail('chat')).toBeUndefined();
    await expect(store.chats.save(answer('c', 'a2'))).rejects.toMatchObject(gone);
    await expect(store.chats.update('chat', { title: 'No', isNamed: true })).rejects.toMatchObject(gone);
    await expect(store.chats.binFrom('a2')).rejects.toMatchObject(gone);
    await store.chats.retitle('chat', 'No').catch(() => undefined);
    await listed([{ kind: 'chat', id: 'chat', name: 'Clocks' }]);

    await store.bin.restoreAll(chatPlaces('chat'));
    expect(await store.chats.load('chat')).toEqual(before);
    await listed([]);
  });

  slow('stores and restores the hidden chats of sub-agents together with their parent chat', async () => {
    await store.chats.create(chatRecord('agent', { agentOf: { chatId: 'chat', callId: 'call' } }));
    await store.bin.put(chatPlaces('chat'));
    await listed([{ id: 'chat' }]);
    await store.bin.restoreAll(chatPlaces('chat'));
    expect((await store.chats.load('chat'))?.agents).toMatchObject([{ chat: { id: 'agent' } }]);
  });

  test('accepts several chats at once and skips missing ones', async () => {
    await store.chats.create(chatRecord('other'));
    await store.bin.put(chatPlaces('chat', 'nowhere', 'other'));
    expect(await store.chats.list()).toEqual([]);
    await store.bin.restoreAll(chatPlaces('nowhere'));
    expect(await store.chats.list()).toEqual([]);
  });

  slow.for([
    {
      from: 'a2',
      leaf: 'b1',
      left: ['q', 'a1', 'q2', 'b1'],
      title: 'the version of a reply that is currently shown',
    },
    { from: 'q', leaf: null, left: [], title: 'the first question, and so the whole chat' },
    { from: 'q2', leaf: 'a2', left: ['q', 'a1', 'a2'], title: 'a branch that is not shown' },
  ])('accepts messages and restores them: $title', async ({ from, leaf, left }) => {
    const all = await store.chats.load('chat');
    expect(await store.chats.binFrom(from)).toBe(leaf);
    expect(await idsOf()).toEqual(left);
    expect(await leafOf()).toBe(leaf);
    await listed([{ kind: 'messages', id: from, count: 5 - left.length }]);
    await store.bin.restoreAll([{ kind: 'messages', id: from }]);
    expect((await store.chats.load('chat'))?.nodes).toEqual(all?.nodes);
    await listed([]);
  });

  slow('restores a message with its parents, but not with replies that were deleted earlier', async () => {
    await store.chats.binFrom('q2');
    await store.chats.binFrom('a1');
    await listed([
      { id: 'a1', count: 1 },
      { id: 'q2', count: 2 },
    ]);
    await store.chats.restoreFrom('a1');
    expect(await idsOf()).toEqual(['q', 'a1', 'a2']);
    await store.chats.binFrom('a1');
    await store.chats.restoreFrom('q2');
    expect(await idsOf()).toEqual(['q', 'a1', 'q2', 'b1', 'a2']);
    expect(await leafOf()).toBe('b1');
  });

  slow('restores several items at once and skips missing ones', async () => {
    await store.chats.create(chatRecord('other'));
    await store.bin.put(chatPlaces('chat', 'other'));
    await store.bin.purge([{ kind: 'chat', id: 'other' }]);
    await store.bin.restoreAll([
      { kind: 'chat', id: 'other' },
      { kind: 'chat', id: 'chat' },
    ]);
    expect((await store.chats.list()).map(({ id }) => id)).toEqual(['chat']);
    await listed([]);
  });

  test('permanently deletes items, except those restored in the meantime', async () => {
    await store.chats.create(chatRecord('other'));
    await store.bin.put(chatPlaces('chat', 'other'));
    await store.bin.restoreAll(chatPlaces('other'));
    await store.bin.purge([
      { kind: 'chat', id: 'chat' },
      { kind: 'chat', id: 'other' },
    ]);
    await store.bin.restoreAll(chatPlaces('chat'));
    expect((await store.chats.list()).map(({ id }) => id)).toEqual(['other']);

    await store.chats.save({ ...question('o', null), chatId: 'other' });
    await store.chats.binFrom('o');
    await store.bin.purge([{ kind: 'messages', id: 'o' }]);
    await store.chats.restoreFrom('o');
    expect((await store.chats.load('other'))?.nodes).toEqual([]);
    await listed([]);
    expect(await store.inspect()).toBeUndefined();
  });

  test('permanently deletes only items that were put into the bin before the given time', async () => {
    await store.chats.create(chatRecord('later'));
    await store.bin.put(chatPlaces('chat'));
    const between = ++time;
    await store.bin.put(chatPlaces('later'));
    await store.bin.purgeBefore(between);
    await listed([{ id: 'later' }]);
  });

  slow('a branch copied into a new chat stays when the original chat is deleted', async () => {
    let ids = 0;
    const before = await store.chats.load('chat');
    await store.chats.copyBranch('q2', chatRecord('copy', { title: 'Clocks (2)' }), () => `new${ids++}`);
    const copy = await store.chats.load('copy');
    expect(copy?.nodes.map(({ message }) => message)).toEqual(
      before?.nodes.filter(({ id }) => ['q', 'a1', 'q2'].includes(id)).map(({ message }) => message),
    );
    expect(copy?.chat).toMatchObject({ title: 'Clocks (2)', leafId: copy?.nodes.at(-1)?.id });
    expect(await store.chats.load('chat')).toEqual(before);
    await deleteChat(store, 'chat');
    expect((await store.chats.load('copy'))?.nodes).toHaveLength(3);
    expect(await store.inspect()).toBeUndefined();
    await expect(store.chats.copyBranch('nowhere', chatRecord('x'), () => 'y')).rejects.toMatchObject(gone);
  });

  test('outside the bin, several chats can be pinned and moved to a folder at once', async () => {
    await store.chats.create(chatRecord('other'));
    await store.chats.arrange(['chat', 'other', 'nowhere'], { pinnedAt: 5, folderId: 'f' });
    await store.chats.arrange(['other'], { pinnedAt: undefined });
    const list = await store.chats.list();
    expect(Object.fromEntries(list.map(({ id, pinnedAt, folderId }) => [id, [pinnedAt, folderId]]))).toEqual({
      chat: [5, 'f'],
      other: [undefined, 'f'],
    });
  });

  test('hides the chat of a sub-agent while the message that called it is in the bin', async () => {
    const call = { type: 'tool-call' as const, id: 'call', name: 'writer', arguments: {} };
    const caller = {
      ...placeOf('c', 'a2'),
      message: { role: 'assistant' as const, content: [call], finishReason: 'tool-calls' as const },
    };
    await store.chats.save(caller);
    await store.chats.create(chatRecord('agent', { agentOf: { chatId: 'chat', callId: 'call' } }));
    await store.chats.binFrom('c');
    expect((await store.chats.load('chat'))?.agents).toEqual([]);
    await store.chats.restoreFrom('c');
    expect((await store.chats.load('chat'))?.agents).toMatchObject([{ chat: { id: 'agent' } }]);
  });
});
