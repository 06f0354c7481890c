import 'fake-indexeddb/auto';
import { describe, expect, test, vi } from 'vitest';
import { maxPrompts, type OwnPrompt, type OwnPromptList } from '../../../src/contracts/own-prompt';
import { createBin } from '../../../src/store/bin';
import { Database } from '../../../src/store/database';
import { createOwnPrompts } from '../../../src/store/collections';
import { createMemoryStore } from '../../../src/store/open-store';
import { noSentinel } from '../../../src/store/sentinel';
import { Tally } from '../../../src/store/tally';
import { deleteItem } from '../../support/stored-chat';
import { thorough } from '../../support/matrix';

const prompt = (id: string, changed: Partial<OwnPrompt> = {}) => ({
  id,
  name: `Name of ${id}`,
  text: `Text of ${id}`,
  createdAt: 1,
  updatedAt: 1,
  ...changed,
});

const many = Array.from({ length: maxPrompts }, (_, at) => prompt(`p${at}`));

let databases = 0;
async function onDisk() {
  const database = new Database(`own-prompts-${databases++}`);
  await database.open();
  const bin = createBin(database, new Tally(database, noSentinel), Date.now);
  return { bin, store: createOwnPrompts(database), database };
}

async function inMemory() {
  const { ownPrompts: store, bin } = createMemoryStore();
  return { store, bin };
}

describe.for([
  {
    name: 'on the disk',
    open: onDisk,
    openFull: async () => {
      const { store, bin, database } = await onDisk();
      await database.prompts.bulkAdd(many.map((one, place) => ({ ...one, place })));
      return { store, bin };
    },
  },
  {
    name: 'in memory',
    open: inMemory,
    openFull: async () => {
      const { store, bin } = await inMemory();
      for (const one of many) await store.add(one);
      return { store, bin };
    },
  },
])('saved prompts stored $name', ({ open, openFull }) => {
  test('stay in order, and watchers are notified', async () => {
    const { store, bin } = await open();
    const seen = vi.fn<(list: OwnPromptList) => void>();
    const end = store.watch(seen, (error) => {
      throw error;
    });
    const shown = () => seen.mock.lastCall?.[0].prompts.map(({ id }) => id);
    for (const id of ['a', 'b', 'c']) await store.add(prompt(id));
    await vi.waitFor(() => expect(shown()).toEqual(['a', 'b', 'c']));
    await store.order(['c', 'a', 'gone', 'b']);
    await vi.waitFor(() => expect(shown()).toEqual(['c', 'a', 'b']));
    await store.add(prompt('d'));
    await deleteItem(bin, 'prompt', 'a');
    await vi.waitFor(() => expect(shown()).toEqual(['c', 'b', 'd']));
    end();
  });

  test('stay in place when edited, and are not restored by an edit after their deletion', async () => {
    const { store, bin } = await open();
    await store.add(prompt('a'));
    await store.add(prompt('b'));
    await store.edit('a', { name: 'Mended', text: 'Other', updatedAt: 5 });
    expect((await store.list()).prompts).toEqual([
      { ...prompt('a', { name: 'Mended', text: 'Other', updatedAt: 5 }), place: 0 },
      { ...prompt('b'), place: 1 },
    ]);
    await deleteItem(bin, 'prompt', 'a');
    await deleteItem(bin, 'prompt', 'a');
    const late = store.edit('a', { name: 'x', text: 'x', updatedAt: 6 });
    await expect(late).rejects.toMatchObject({ code: 'prompt-deleted' });
    await store.order(['a', 'b']);
    expect((await store.list()).prompts.map(({ id }) => id)).toEqual(['b']);
  });

  thorough('beyond the maximum number are refused', async () => {
    const { store, bin } = await openFull();
    await expect(store.add(prompt('more'))).rejects.toMatchObject({ code: 'prompts-full' });
    await deleteItem(bin, 'prompt', 'p0');
    await store.add(prompt('more'));
    expect((await store.list()).prompts.at(-1)?.id).toBe('more');
  });
});

test('an unreadable saved prompt is reported and quarantined, and all others are still listed', async () => {
  const { store, bin, database } = await onDisk();
  await database.table('prompts').put({ id: 'bad', name: 7 });
  await store.add(prompt('good'));
  const { prompts, damaged } = await store.list();
  expect(prompts.map(({ id }) => id)).toEqual(['good']);
  expect(damaged).toMatchObject([{ id: 'bad', reason: expect.stringContaining('name') as string }]);
  expect(await database.quarantine.get('prompts/bad')).toMatchObject({ row: { id: 'bad', name: 7 } });
  await deleteItem(bin, 'prompt', 'bad');
  expect((await store.list()).damaged).toEqual([]);
});
