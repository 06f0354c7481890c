import 'fake-indexeddb/auto';
import { describe, expect, test, vi } from 'vitest';
import { maxNotes, type Note, type NoteList } from '../../../src/contracts/note';
import { createBin } from '../../../src/store/bin';
import { Database } from '../../../src/store/database';
import { createNotes } from '../../../src/store/collections';
import { createMemoryStore } from '../../../src/store/open-store';
import { noSentinel } from '../../../src/store/sentinel';
import { Tally } from '../../../src/store/tally';
import { deleteItem } from '../../support/stored-chat';
import { thorough } from '../../support/matrix';

const note = (id: string, changed: Partial<Note> = {}): Note => ({
  id,
  text: `Text of ${id}`,
  createdAt: 1,
  updatedAt: 1,
  origins: [{ door: 'typed' }],
  ...changed,
});
const origins: Note['origins'] = [{ door: 'model' }, { door: 'page', name: 'news.example.com' }];

let databases = 0;
async function onDisk() {
  const database = new Database(`notes-${databases++}`);
  await database.open();
  const bin = createBin(database, new Tally(database, noSentinel), Date.now);
  return { bin, store: createNotes(database), database };
}

describe.for([
  {
    name: 'on the disk',
    open: async () => {
      const { store, bin, database } = await onDisk();
      return { store, bin, addAll: (notes: Note[]) => database.notes.bulkAdd(notes) };
    },
  },
  {
    name: 'in memory',
    open: () => {
      const { notes: store, bin } = createMemoryStore();
      return { store, bin, addAll: (notes: Note[]) => Promise.all(notes.map((added) => store.add(added))) };
    },
  },
])('notes stored $name', ({ open }) => {
  test('are listed newest first, and watchers are notified', async () => {
    const { store, bin } = await open();
    const seen = vi.fn<(list: NoteList) => void>();
    const end = store.watch(seen, (error) => {
      throw error;
    });
    await store.add(note('old'));
    await store.add(note('new', { updatedAt: 3, origins }));
    await store.edit('old', { text: 'Mended', updatedAt: 5 });
    const notes = [note('old', { text: 'Mended', updatedAt: 5 }), note('new', { updatedAt: 3, origins })];
    await vi.waitFor(() => expect(seen.mock.lastCall?.[0]).toEqual({ notes, damaged: [] }));
    await deleteItem(bin, 'note', 'old');
    await vi.waitFor(() => expect(seen.mock.lastCall?.[0].notes.map(({ id }) => id)).toEqual(['new']));
    expect(await store.list()).toEqual({ notes: [notes[1]], damaged: [] });
    end();
  });

  test('keep their origins when the user edits them', async () => {
    const { store } = await open();
    await store.add(note('a', { origins }));
    await store.edit('a', { text: 'Mended', updatedAt: 2 });
    expect((await store.list()).notes).toEqual([note('a', { text: 'Mended', updatedAt: 2, origins })]);
  });

  test('are not restored by an edit after their deletion', async () => {
    const { store, bin } = await open();
    await store.add(note('a'));
    await deleteItem(bin, 'note', 'a');
    await deleteItem(bin, 'note', 'a');
    await expect(store.edit('a', { text: 'x', updatedAt: 2 })).rejects.toMatchObject({
      code: 'note-deleted',
    });
    expect((await store.list()).notes).toEqual([]);
  });

  thorough('beyond the maximum number are refused', async () => {
    const { store, bin, addAll } = await open();
    await addAll(Array.from({ length: maxNotes - 1 }, (_, count) => note(`n${count}`)));
    await store.add(note('the last'));
    await expect(store.add(note('more'))).rejects.toMatchObject({ code: 'notes-full' });
    expect((await store.list()).notes).toHaveLength(maxNotes);
    await deleteItem(bin, 'note', 'n0');
    await store.add(note('more'));
  });
});

test('an unreadable note is reported and quarantined, and all others are still listed', async () => {
  const { store, bin, database } = await onDisk();
  await store.add(note('good'));
  await database.table('notes').put({ id: 'bad', text: 7 });
  const { notes, damaged } = await store.list();
  expect(notes).toEqual([note('good')]);
  expect(damaged).toMatchObject([{ id: 'bad', reason: expect.stringContaining('text') as string }]);
  expect(await database.quarantine.get('notes/bad')).toMatchObject({ row: { id: 'bad', text: 7 } });
  expect(await database.table('notes').get('bad')).toEqual({ id: 'bad', text: 7 });
  await deleteItem(bin, 'note', 'bad');
  expect((await store.list()).damaged).toEqual([]);
});
