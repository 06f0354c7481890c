import 'fake-indexeddb/auto';
import { describe, expect, test, vi } from 'vitest';
import type { CustomTool, CustomToolDraft, CustomToolList } from '../../../src/contracts/custom-tool';
import { createCustomTools } from '../../../src/store/collections';
import { createBin } from '../../../src/store/bin';
import { Database } from '../../../src/store/database';
import { slugify } from '../tools/custom/definition';
import { createMemoryStore } from '../../../src/store/open-store';
import { noSentinel } from '../../../src/store/sentinel';
import { Tally } from '../../../src/store/tally';
import { deleteItem } from '../../support/stored-chat';

const tool = (changed: Partial<CustomTool> = {}): CustomTool => ({
  id: 't1',
  content: slugify,
  isOn: true,
  createdAt: 1,
  updatedAt: 1,
  versions: [],
  ...changed,
});

const draft: CustomToolDraft = {
  id: 'new',
  toolId: 't9',
  form: {
    name: 'Half',
    title: '',
    description: '',
    keywords: '',
    inputSchema: '{',
    outputSchema: '',
    code: 'retu',
    class: 'pure',
    hosts: '',
    secrets: [],
    examples: [],
    limits: { timeMs: '', outputCharacters: '65536', hostCalls: '20' },
  },
};
const key = { name: 'KEY', host: 'api.example.org' };

let databases = 0;
async function onDisk() {
  const database = new Database(`custom-tools-${databases++}`);
  await database.open();
  const bin = createBin(database, new Tally(database, noSentinel), Date.now);
  return { bin, store: createCustomTools(database), database };
}

async function inMemory() {
  const { customTools: store, bin } = createMemoryStore();
  return { store, bin };
}

describe.for([
  { name: 'on the disk', open: onDisk },
  { name: 'in memory', open: inMemory },
])('custom tools stored $name', ({ open }) => {
  test('are listed oldest first, and watchers are notified', async () => {
    const { store } = await open();
    const seen = vi.fn<(list: CustomToolList) => void>();
    const end = store.watch(seen, (error) => {
      throw error;
    });
    await store.save(tool({ id: 't2', createdAt: 2 }));
    await store.save(tool());
    await store.save(tool({ isOn: false }));
    const tools = [tool({ isOn: false }), tool({ id: 't2', createdAt: 2 })];
    await vi.waitFor(() => expect(seen.mock.lastCall?.[0]).toEqual({ tools, damaged: [] }));
    expect(await store.list()).toEqual({ tools, damaged: [] });
    end();
  });

  test('are deleted with their own draft and secrets, without affecting other tools', async () => {
    const { store, bin } = await open();
    await store.save(tool());
    await store.saveDraft({ ...draft, id: 't1', toolId: 't1' });
    await store.saveDraft(draft);
    await store.setSecret('t1', key, 'Bearer 1');
    await store.setSecret('t9', key, 'Bearer 9');
    await deleteItem(bin, 'tool', 't1');
    expect((await store.list()).tools).toEqual([]);
    expect(await store.loadDraft('t1')).toBeUndefined();
    expect(await store.loadDraft('new')).toEqual(draft);
    expect(await store.secretOf('t1', key)).toBeUndefined();
    expect(await store.secretOf('t9', key)).toBe('Bearer 9');
  });

  test('have secrets, and listing them gives their names and hosts without their values', async () => {
    const { store } = await open();
    await store.setSecret('t1', key, 'Bearer 1');
    expect(await store.keptSecrets('t1')).toEqual([key]);
    expect(await store.secretOf('t1', key)).toBe('Bearer 1');
    expect(await store.secretOf('t2', key)).toBeUndefined();
    expect(await store.secretOf('t1', { ...key, host: 'evil.example' })).toBeUndefined();
    expect(await store.secretOf('t1', { ...key, name: 'OTHER' })).toBeUndefined();
    await store.setSecret('t1', key, '');
    expect(await store.keptSecrets('t1')).toEqual([]);
  });

  test('have drafts, which can be deleted', async () => {
    const { store } = await open();
    await store.saveDraft(draft);
    await store.removeDraft('new');
    expect(await store.loadDraft('new')).toBeUndefined();
  });
});

test('an unreadable custom tool is reported and quarantined but not deleted, and all others are listed', async () => {
  const { store, database } = await onDisk();
  const bad = { id: 'bad', content: { name: 'broken', code: 7 } };
  await database.table('customTools').bulkPut([bad, tool()]);
  const list = await store.list();
  expect(list.tools).toEqual([tool()]);
  expect(list.damaged).toMatchObject([
    { id: 'bad', name: 'broken', reason: expect.stringContaining('code') },
  ]);
  expect(await database.quarantine.get('customTools/bad')).toMatchObject({ row: bad });
  expect(await database.table('customTools').get('bad')).toEqual(bad);
});

test('an unreadable draft or secret of a tool counts as missing', async () => {
  const { store, database } = await onDisk();
  await database.table('toolDrafts').put({ id: 'new', toolId: 't1', form: 3 });
  await database.table('toolSecrets').put({ id: JSON.stringify(['t1', 'KEY', key.host]), toolId: 't1' });
  expect(await store.loadDraft('new')).toBeUndefined();
  expect(await database.quarantine.get('toolDrafts/new')).toMatchObject({ row: { form: 3 } });
  expect(await store.keptSecrets('t1')).toEqual([]);
  expect(await store.secretOf('t1', key)).toBeUndefined();
});
