import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { beforeEach, describe, expect, test } from 'vitest';
import { type OpenStore, openStore } from '../../../src/store/open-store';
import { answer, chatRecord, deleteChat, placeOf, question, textDelta } from '../../support/stored-chat';

let opened = 0;
let name: string;
let store: OpenStore;
/** The same database, opened without our code. */
let raw: Dexie;

beforeEach(async () => {
  name = `damaged-${opened++}`;
  store = await openStore({ name });
  raw = await new Dexie(name).open();
  await store.chats.create(chatRecord('chat'));
  await store.chats.save(question('q', null));
});

describe('a message with invalid fields', () => {
  test.for([
    {
      name: 'keeps its place in the chat and shows the reason',
      row: { ...placeOf('bad', 'q'), message: { role: 'oracle' } },
      place: { parentId: 'q', createdAt: expect.any(Number) },
      order: ['q', 'bad', 'after'],
    },
    {
      name: 'comes after its parent even without a valid time',
      row: {
        id: 'bad',
        chatId: 'chat',
        parentId: 'q',
        createdAt: 'noon',
        message: { role: 'user', content: [], origins: [{ door: 'typed' }] },
      },
      place: { parentId: 'q', createdAt: 0 },
      order: ['q', 'bad', 'after'],
    },
    {
      name: 'starts a new branch if its parent is invalid',
      row: { id: 'bad', chatId: 'chat', parentId: 7, createdAt: 1e15, message: {} },
      place: { parentId: null, createdAt: 1e15 },
      order: ['q', 'bad', 'after'],
    },
    {
      name: 'is shown even if only its ids are left',
      row: { id: 'bad', chatId: 'chat' },
      place: { parentId: null, createdAt: 0 },
      order: ['bad', 'q', 'after'],
    },
  ])('$name', async ({ row, place, order }) => {
    await raw.table('messages').add(row);
    await store.chats.save(answer('after', 'bad'));

    const loaded = await store.chats.load('chat');
    const reason = expect.stringMatching(/message|createdAt|parentId/);
    expect(loaded?.nodes.map(({ id }) => id)).toEqual(order);
    expect(loaded?.nodes.find(({ id }) => id === 'bad')).toEqual({
      id: 'bad',
      chatId: 'chat',
      ...place,
      message: { role: 'assistant', content: [], finishReason: 'error', errorMessage: reason },
    });
    expect(loaded?.damaged).toEqual([{ id: 'messages/bad', chatId: 'chat', row, reason }]);
    expect(await raw.table('quarantine').toArray()).toEqual(loaded?.damaged);
    // The row stays as it is, and reading it again adds nothing to the quarantine.
    await store.chats.load('chat');
    expect(await raw.table('messages').get('bad')).toEqual(row);
    expect(await raw.table('quarantine').count()).toBe(1);
  });
});

test('an invalid part of an unfinished reply is left out and reported', async () => {
  const place = placeOf('a', 'q');
  await store.chats.checkpoint(place, [textDelta('Hel')]);
  await raw.table('deltas').add({ messageId: 'a', events: [{ type: 'song' }] });
  await store.chats.checkpoint(place, [textDelta('lo')]);
  const loaded = await store.chats.load('chat');
  expect(loaded?.nodes.at(-1)?.message).toMatchObject({ content: [{ text: 'Hello' }] });
  expect(loaded?.damaged).toMatchObject([{ id: 'deltas/2', chatId: 'chat', row: { messageId: 'a' } }]);
});

test('loading a chat ignores saved reply parts of another chat, damaged or not', async () => {
  await store.chats.create(chatRecord('other'));
  await store.chats.checkpoint(placeOf('elsewhere', null, 'other'), [textDelta('There')]);
  await raw.table('deltas').add({ messageId: 'elsewhere', events: 'none' });
  expect(await store.chats.load('chat')).toMatchObject({ nodes: [{ id: 'q' }], damaged: [] });
});

test('parts of a reply that were saved while it streamed do not change the finished reply', async () => {
  await store.chats.save(answer('a', 'q', 'Hello'));
  await raw.table('deltas').add({ messageId: 'a', events: [textDelta(' twice')] });
  const loaded = await store.chats.load('chat');
  expect(loaded?.nodes.at(-1)?.message).toMatchObject({ content: [{ text: 'Hello' }] });
});

describe('a chat with an invalid record', () => {
  const row = { id: 'chat', title: 'Mine', isNamed: 'yes', updatedAt: 'late', leafId: {}, extra: 1 };

  beforeEach(async () => {
    await raw.table('chats').put(row);
  });

  test('is listed with its readable fields', async () => {
    const read = { id: 'chat', title: 'Mine', isNamed: false, createdAt: 0, updatedAt: 0, leafId: null };
    expect(await store.chats.list()).toEqual([{ ...read, toolsOff: [] }]);
  });

  test('opens at its newest message, and is quarantined and reported', async () => {
    const loaded = await store.chats.load('chat');
    expect(loaded).toMatchObject({ chat: { leafId: 'q' }, nodes: [{ id: 'q' }] });
    expect(loaded?.damaged).toMatchObject([{ id: 'chats/chat', row }]);
    expect(await raw.table('quarantine').toArray()).toEqual(loaded?.damaged);
  });

  test('is repaired by the next message', async () => {
    await store.chats.save(answer('a', 'q'));
    expect(await store.chats.load('chat')).toMatchObject({ chat: { leafId: 'a', title: 'Mine' } });
  });
});

test('a chat opens at its newest message if its current message is missing', async () => {
  await store.chats.save(answer('a', 'q'));
  await raw.table('messages').delete('a');
  expect(await store.chats.load('chat')).toMatchObject({ chat: { leafId: 'q' } });
});

test('a chat with messages but no record gets a new record', async () => {
  const asked = question('q2', null, 'What is 17 * 23?', 'lost');
  const replied = answer('a2', 'q2', '391', 'lost');
  await store.chats.create(chatRecord('lost', { title: 'Gone' }));
  await store.chats.save(asked);
  await store.chats.save(replied);
  await raw.table('chats').delete('lost');
  expect(await store.chats.list()).toHaveLength(1);

  expect(await store.inspect()).toBeUndefined();
  expect(await store.chats.load('lost')).toMatchObject({
    chat: {
      title: 'What is 17 * 23?',
      isNamed: false,
      createdAt: asked.createdAt,
      updatedAt: replied.createdAt,
      leafId: 'a2',
    },
    nodes: [asked, replied],
  });
  expect(await store.chats.list()).toHaveLength(2);
});

test('deleting a chat deletes its quarantined rows', async () => {
  await raw.table('messages').add({ ...placeOf('bad', 'q'), message: {} });
  await store.chats.load('chat');
  await deleteChat(store, 'chat');
  expect(await raw.table('quarantine').count()).toBe(0);
  expect(await raw.table('messages').count()).toBe(0);
});

test('an invalid draft is quarantined, and the next draft is stored', async () => {
  const row = { chatId: 'chat', text: ['typed'] };
  await raw.table('drafts').put(row);
  expect(await store.drafts.load('chat')).toBeUndefined();
  expect(await raw.table('quarantine').toArray()).toMatchObject([{ id: 'drafts/chat', row }]);
  await raw.table('drafts').put({ chatId: 'chat', text: 'typed before', edits: [{ questionId: 7 }] });
  expect(await store.drafts.load('chat')).toEqual({
    chatId: 'chat',
    text: 'typed before',
    origins: [{ door: 'typed' }],
  });
  await store.drafts.save('chat', 'typed');
  expect((await store.drafts.load('chat'))?.text).toBe('typed');

  await raw.table('drafts').put({ ...row, chatId: 'unbegun' });
  expect(await store.drafts.listUnbegun()).toEqual([]);
  expect(await raw.table('quarantine').count()).toBe(2);
});

test('an unreadable prompt counts as missing', async () => {
  await raw.table('traces').put({ messageId: 'q', chatId: 'chat', createdAt: 1, prompt: 5 });
  expect(await store.chats.loadPrompt('q')).toBeUndefined();
});
