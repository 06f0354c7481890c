import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { Database } from '../../../src/store/database';
import { openStore } from '../../../src/store/open-store';
import { createSentinel } from '../../../src/store/sentinel';
import { createLexicalSearcher } from '../../../src/tools/tool-search/lexical';

const open = (name: string) => openStore({ name, sentinel: createSentinel(name, undefined) });
const tools = ['lamp', 'mail'].map((name) => ({
  ...{ name, title: name, description: `The ${name} of the house.`, inputSchema: {} },
}));

test('an index that is kept finds in the next visit what it found in this', async () => {
  const searcher = createLexicalSearcher();
  searcher.index(tools);
  const first = await open('kept');
  expect(await first.toolIndex.load()).toBeUndefined();
  await first.toolIndex.save(searcher.toStored());
  first.close();

  const second = await open('kept');
  const next = createLexicalSearcher({ stored: await second.toolIndex.load() });
  // Nothing of it has to be read again.
  expect(next.index(tools)).toBe(false);
  expect(next.search('mail', 5).map(({ name }) => name)).toEqual(['mail']);
  second.close();
});

test('one that cannot be read is none', async () => {
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
