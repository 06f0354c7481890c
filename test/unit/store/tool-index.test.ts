import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { Database } from '../../../src/store/database';
import { openStore } from '../../../src/store/open-store';
import { createSentinel } from '../../../src/store/sentinel';
import { createLexicalSearcher } from '../../../src/tools/tool-search/lexical';

const open = (name: string) => openStore({ name, sentinel: createSentinel(name, undefined) });
const tools = ['lamp', 'mail'].map((name) => ({
  name,
  title: name,
  description: `The ${name} of the house.`,
  inputSchema: {},
}));

test('a stored tool index gives the same search results in the next visit', async () => {
  const searcher = createLexicalSearcher();
  searcher.index(tools);
  const first = await open('kept');
  expect(await first.toolIndex.load()).toBeUndefined();
  await first.toolIndex.save(searcher.toStored());
  first.close();

  const second = await open('kept');
  const next = createLexicalSearcher({ stored: await second.toolIndex.load() });
  // Nothing needs to be indexed again.
  expect(next.index(tools)).toBe(false);
  expect(next.search('mail', 5).map(({ name }) => name)).toEqual(['mail']);
  second.close();
});

test('an unreadable tool index counts as missing', async () => {
  const store = await open('odd');
  store.close();
  const database = new Database('odd');
  await database.open();
  await database.table('toolIndex').put({ id: 'tools', index: { version: 1, ids: 'many' } });
  database.close();
  const again = await open('odd');
  expect(await again.toolIndex.load()).toBeUndefined();
  again.close();
});

test('vectors are stored with the tool index, and unreadable vectors do not affect the search by words', async () => {
  const searcher = createLexicalSearcher();
  searcher.index(tools);
  const vectors = { model: 'm', ids: ['lamp'], stamps: ['x'], numbers: Float32Array.of(0.6, 0.8) };
  const store = await open('vectors');
  await store.toolIndex.save({ ...searcher.toStored(), vectors });
  expect((await store.toolIndex.load())?.vectors).toEqual(vectors);
  store.close();

  const database = new Database('vectors');
  await database.open();
  const index = { ...searcher.toStored(), vectors: { model: 'm', numbers: 'many' } };
  await database.table('toolIndex').put({ id: 'tools', index });
  database.close();
  const again = await open('vectors');
  expect(await again.toolIndex.load()).toMatchObject({ ids: ['lamp', 'mail'], vectors: undefined });
  again.close();
});
