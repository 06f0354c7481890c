import 'fake-indexeddb/auto';
import { describe, expect, test } from 'vitest';
import type { MessageNode } from '../../../src/contracts/chat';
import {
  answer,
  chatPlaces,
  chatRecord,
  deleteChat,
  deleteMessages,
  placeOf,
  question,
} from '../../support/stored-chat';
import { openStage, written } from './index-stage';
import { slow } from '../../support/matrix';

function toolMessage(
  id: string,
  parentId: string,
  text: string,
  chatId: string,
  wholeId?: string,
  toolName = 'fetch_page',
): MessageNode {
  const whole = wholeId === undefined ? undefined : { handle: 'r1', id: wholeId, toolName };
  return {
    ...placeOf(id, parentId, chatId),
    message: {
      role: 'tool',
      results: [
        {
          toolCallId: `${id}-call`,
          toolName: 'fetch_page',
          content: [{ type: 'text', text }],
          isError: false,
          origins: [{ door: 'hearth' }],
          ...(whole && { whole: { ...whole, characters: 9, given: [[0, 1]] } }),
        },
      ],
    },
  };
}

async function aFewChats() {
  const stage = await openStage();
  await stage.keep(chatRecord('trip', { title: 'A trip to Lisbon', updatedAt: 30 }), [
    question('q1', null, 'Where do I eat in Lisbon?', 'trip'),
    answer('a1', 'q1', 'Try the **grilled sardines** near the river.', 'trip'),
  ]);
  await stage.keep(chatRecord('code', { title: 'Code', updatedAt: 20 }), [
    question('q2', null, 'What does getUserName do?', 'code'),
    answer('a2', 'q2', 'It asks Lisbon for a name: café, Größe.', 'code'),
    toolMessage('t2', 'a2', 'A page about Lisbon and rivers', 'code'),
  ]);
  await stage.keep(chatRecord('zh', { title: '显卡价格', updatedAt: 10 }), [
    question('q3', null, '哪款显卡的价格最低？', 'zh'),
    answer('a3', 'q3', '价格取决于型号，这张显卡便宜。', 'zh'),
  ]);
  return stage;
}

describe('searching all chats', () => {
  test('finds an attached file by its text or its name, at the question it belongs to', async () => {
    const stage = await aFewChats();
    const attached = [{ fileId: 'f9', name: 'minutes.pdf', kind: 'pdf' as const, bytes: 3 }];
    const read = toolMessage('t9', 'q9', 'A part of it', 'files', 'f9', 'read_attachment');
    const content = [{ type: 'text' as const, text: 'Sum this up.' }];
    const message = { role: 'user' as const, content, attached, origins: [{ door: 'typed' as const }] };
    await stage.keep(chatRecord('files'), [{ ...placeOf('q9', null, 'files'), message }, read]);
    await stage.rows.attachments.put({
      id: 'f9',
      chatId: 'files',
      name: 'minutes.pdf',
      kind: 'pdf',
      type: '',
      createdAt: 1,
      data: new Uint8Array(3),
      text: 'The ostrich was voted out.',
    });
    const search = await stage.openSearch();
    await search.grow();
    expect(await search.ids('ostrich')).toEqual(['q9']);
    expect(await search.ids('minutes')).toEqual(['q9']);
    const [hit] = (await search.find('ostrich')).hits;
    expect(written(hit?.snippet ?? [])).toBe('minutes.pdf The [ostrich] was voted out.');
  });

  test('lists titles first, then questions, answers and other messages', async () => {
    const search = await (await aFewChats()).openSearch();
    await search.grow();
    expect(await search.ids('lisbon')).toEqual(['trip', 'q1', 'a2', 't2']);
    expect((await search.find('lisbon')).hits.map(({ place }) => place)).toEqual([
      'title',
      'question',
      'answer',
      'rest',
    ]);
  });

  slow.for([
    { query: 'sardi', ids: ['a1'], why: 'the last word may be a prefix' },
    { query: 'sardi ', ids: [], why: 'a word followed by a space may not be a prefix' },
    { query: 'sardi river', ids: [], why: 'only the last word may be a prefix' },
    { query: 'river grilled', ids: ['a1'], why: 'all words must occur, in any order' },
    { query: 'cafe grosse', ids: [], why: 'a different letter makes a different word' },
    { query: 'CAFE größe', ids: ['a2'], why: 'accents and capitals make no difference' },
    { query: 'username', ids: [], why: 'no word starts like this' },
    { query: 'getusername', ids: ['q2'], why: 'a name from code is found whole' },
    { query: 'user', ids: ['q2'], why: 'a name from code is found by a part' },
    { query: '显卡', ids: ['zh', 'q3', 'a3'], why: 'two adjacent characters are found' },
    { query: '卡', ids: ['zh', 'q3', 'a3'], why: 'a single character is found' },
    { query: '显卡 价格', ids: ['zh', 'q3', 'a3'], why: 'two runs of characters are found' },
    { query: '显价', ids: [], why: 'characters that are not adjacent are not found' },
    { query: '卡便宜', ids: ['a3'], why: 'three characters in a row are found' },
    { query: '价格最低', ids: ['q3'], why: 'four characters in a row are found' },
    { query: '?!', ids: [], why: 'a query without words finds nothing' },
  ])('handles the query “$query”: $why', async ({ query, ids }) => {
    const search = await (await aFewChats()).openSearch();
    await search.grow();
    expect(await search.ids(query)).toEqual(ids);
  });

  test('finds a Chinese term only as a whole, not from its character pairs in different places', async () => {
    const stage = await openStage();
    await stage.keep(chatRecord('zh', { title: 'x' }), [question('q', null, '上海自来水来自海上', 'zh')]);
    const search = await stage.openSearch();
    await search.grow();
    expect(await search.ids('海自来')).toEqual(['q']);
    expect(await search.ids('来自来')).toEqual([]);
  });

  test('returns a one-line snippet with highlighted words and without Markdown', async () => {
    const search = await (await aFewChats()).openSearch();
    await search.grow();
    const { hits } = await search.find('sardines grill');
    expect(hits.map(({ snippet }) => written(snippet))).toEqual([
      'Try the [grill]ed [sardines] near the river.',
    ]);
    expect(hits[0]).toMatchObject({ chatId: 'trip', messageId: 'a1' });
  });

  test('returns at most the requested number of hits, and says whether there are more', async () => {
    const search = await (await aFewChats()).openSearch();
    await search.grow();
    expect(await search.find('lisbon', 2)).toMatchObject({
      hits: [{ id: 'trip' }, { id: 'q1' }],
      hasMore: true,
    });
    expect(await search.find('lisbon', 4)).toMatchObject({ hasMore: false });
  });

  test('returns at most three messages per chat, so that no chat hides the others', async () => {
    const stage = await openStage();
    const many = Array.from({ length: 9 }, (_, at) => question(`q${at}`, null, 'river', 'long'));
    await stage.keep(chatRecord('long', { title: 'x' }), many);
    await stage.keep(chatRecord('short', { title: 'y' }), [answer('only', null, 'river', 'short')]);
    const search = await stage.openSearch();
    await search.grow();
    expect(await search.ids('river')).toEqual(['q8', 'q7', 'q6', 'only']);
  });

  test('finds the full text of a shortened tool result', async () => {
    const stage = await openStage();
    await stage.keep(chatRecord('c', { title: 'x' }), [
      question('q', null, 'Read it', 'c'),
      toolMessage('t', 'q', 'Its beginning', 'c', 'whole'),
    ]);
    await stage.store.results.keep({
      id: 'whole',
      chatId: 'c',
      createdAt: 1,
      text: 'Its beginning and a zebra',
    });
    const search = await stage.openSearch();
    await search.grow();
    expect(await search.ids('zebra')).toEqual(['t']);
  });

  test("finds a sub-agent's text, at the message that called the sub-agent", async () => {
    const stage = await openStage();
    const asking: MessageNode = {
      ...placeOf('a', 'q', 'c'),
      message: {
        role: 'assistant',
        content: [{ type: 'tool-call', id: 'call', name: 'writer', arguments: { request: 'Do it' } }],
        finishReason: 'tool-calls',
      },
    };
    await stage.keep(chatRecord('c', { title: 'Shown' }), [question('q', null, 'Hi', 'c'), asking]);
    const agentOf = { chatId: 'c', callId: 'call' };
    await stage.keep(chatRecord('hidden', { title: 'zebra', agentOf }), [
      question('hq', null, 'zebra, which nobody typed', 'hidden'),
      answer('ha', 'hq', 'A zebra it is.', 'hidden'),
    ]);
    const search = await stage.openSearch();
    await search.grow();
    expect((await search.find('zebra')).hits).toMatchObject([
      { id: 'ha', chatId: 'c', messageId: 'a', place: 'rest', title: [{ text: 'Shown' }] },
    ]);
  });

  test('finds the written part of an unfinished reply', async () => {
    const stage = await openStage();
    await stage.store.chats.create(chatRecord('c'));
    await stage.store.chats.save(question('q', null, 'Hi', 'c'));
    await stage.store.chats.checkpoint(placeOf('a', 'q', 'c'), [
      { type: 'text-delta', text: 'A half zebra' },
    ]);
    const search = await stage.openSearch();
    await search.grow();
    expect(await search.ids('zebra')).toEqual(['a']);
    await stage.store.chats.save(answer('a', 'q', 'A whole horse', 'c'));
    await search.grow(['c']);
    expect(await search.ids('zebra')).toEqual([]);
    expect(await search.ids('horse')).toEqual(['a']);
  });
});

describe('invariant: search never finds deleted text, text in the bin or the old title of a chat', () => {
  slow('a chat in the bin is not found until it is restored', async () => {
    const stage = await aFewChats();
    const search = await stage.openSearch();
    await search.grow();
    await stage.store.bin.put(chatPlaces('trip'));
    expect(await search.ids('lisbon')).toEqual(['a2', 't2']);
    await search.grow(['trip']);
    expect(await search.ids('lisbon')).toEqual(['a2', 't2']);
    await stage.store.bin.restoreAll(chatPlaces('trip'));
    await search.grow(['trip']);
    expect(await search.ids('lisbon')).toEqual(['trip', 'q1', 'a2', 't2']);
  });

  test('a deleted chat is not found, and nothing of it stays in the index', async () => {
    const stage = await aFewChats();
    const search = await stage.openSearch();
    await search.grow();
    expect(JSON.stringify((await stage.dumpIndex())['chunks'])).toContain('sardines');
    await deleteChat(stage.store, 'trip');
    expect(await search.ids('sardines')).toEqual([]);
    await search.grow(['trip']);
    const { chunks, segments } = await stage.dumpIndex();
    expect(JSON.stringify(chunks)).not.toContain('sardines');
    expect(JSON.stringify(segments)).not.toContain('a1');
    expect(await search.ids('lisbon')).toEqual(['a2', 't2']);
  });

  test('messages in the bin are not found', async () => {
    const stage = await aFewChats();
    const search = await stage.openSearch();
    await search.grow();
    await stage.store.chats.binFrom('a2');
    expect(await search.ids('lisbon')).toEqual(['trip', 'q1']);
    await stage.store.chats.restoreFrom('a2');
    expect(await search.ids('lisbon')).toEqual(['trip', 'q1', 'a2', 't2']);
  });

  test('a deleted branch of a chat is not found', async () => {
    const stage = await aFewChats();
    const search = await stage.openSearch();
    await search.grow();
    await deleteMessages(stage.store, 'a2');
    expect(await search.ids('lisbon')).toEqual(['trip', 'q1']);
    await search.grow();
    expect(JSON.stringify((await stage.dumpIndex())['segments'])).not.toContain('a2');
  });

  test('the old title of a chat is not found', async () => {
    const stage = await aFewChats();
    const search = await stage.openSearch();
    await search.grow();
    await stage.store.chats.update('trip', { title: 'Porto', isNamed: true });
    expect(await search.ids('trip')).toEqual([]);
    await search.grow(['trip']);
    expect(await search.ids('porto')).toEqual(['trip']);
  });
});
