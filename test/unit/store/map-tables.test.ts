/** Tests only for the tables in memory. The tests of the stores run on both kinds of tables. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Note } from '../../../src/contracts/note';
import { createMapTables } from '../../../src/store/map-tables';
import type { Tables } from '../../../src/store/tables';
import { chatRecord, question } from '../../support/stored-chat';

const note = (id: string, text = id): Note => ({
  id,
  text,
  createdAt: 1,
  updatedAt: 1,
  origins: [{ door: 'typed' }],
});
let tables: Tables;
beforeEach(() => (tables = createMapTables()));

describe('a transaction in memory', () => {
  test('undoes all its changes when it fails', async () => {
    await tables.notes.bulkPut([note('a'), note('b')]);
    const failed = tables.write(['notes', 'chats'], async (within) => {
      await within.chats.add(chatRecord('chat'));
      await within.notes.update('a', { text: 'changed' });
      await within.notes.delete('b');
      await within.notes.put(note('c'));
      await within.notes.put(note('c', 'again'));
      throw new Error('Broken off.');
    });
    await expect(failed).rejects.toThrow('Broken off.');
    expect(await tables.notes.toArray()).toEqual([note('a'), note('b')]);
    expect(await tables.chats.count()).toBe(0);
  });

  test('is isolated from a concurrent transaction', async () => {
    const add = () =>
      tables.write(['notes'], async ({ notes }) => {
        const count = await notes.count();
        await Promise.resolve();
        await notes.put(note(`note ${count}`));
      });
    await Promise.all([add(), add(), add()]);
    expect(await tables.notes.toCollection().primaryKeys()).toEqual(['note 0', 'note 1', 'note 2']);
  });

  test('can be nested in another transaction, and reports its commit only when the outer one commits', async () => {
    const told: string[] = [];
    await tables.write(['notes'], async (within) => {
      await within.write(['notes'], async (inner) => {
        await inner.notes.put(note('a'));
        inner.onCommit(() => told.push('committed'));
      });
      told.push('written');
    });
    expect(told).toEqual(['written', 'committed']);
    const failed = tables.write(['notes'], async (within) => {
      within.onCommit(() => told.push('never'));
      await within.notes.clear();
      throw new Error('Broken off.');
    });
    await expect(failed).rejects.toThrow();
    expect(told).toHaveLength(2);
  });
});

test('a watcher of tables in memory is notified only of committed changes to tables that it reads', async () => {
  const seen: string[][] = [];
  const end = tables.watch(
    async ({ notes }) => (await notes.toArray()).map(({ text }) => text),
    (texts) => seen.push(texts),
    (error) => expect.unreachable(error.message),
  );
  await vi.waitFor(() => expect(seen).toEqual([[]]));
  await tables.chats.add(chatRecord('chat'));
  await tables.write(['notes'], async ({ notes }) => {
    await notes.put(note('a'));
    await notes.put(note('b'));
  });
  await vi.waitFor(() => expect(seen).toEqual([[], ['a', 'b']]));
  await tables
    .write(['notes'], async ({ notes }) => {
      await notes.clear();
      throw new Error('Broken off.');
    })
    .catch(() => undefined);
  await tables.notes.count();
  end();
  await tables.notes.clear();
  await tables.notes.count();
  expect(seen).toHaveLength(2);
});

test('an error in a watched query is reported', async () => {
  const onError = vi.fn<(error: Error) => void>();
  const fail = () => Promise.reject(new Error('Unreadable.'));
  tables.watch(fail, () => expect.unreachable(), onError);
  await vi.waitFor(() => expect(onError).toHaveBeenCalledExactlyOnceWith(new Error('Unreadable.')));
});

test('a table in memory stores and returns copies of rows, and can assign their keys', async () => {
  const given = note('a');
  await tables.notes.add(given);
  given.text = 'changed later';
  const taken = await tables.notes.get('a');
  taken!.text = 'changed too';
  expect(await tables.notes.get('a')).toEqual(note('a'));
  await expect(tables.notes.add(note('a'))).rejects.toMatchObject({ name: 'ConstraintError' });
  await expect(tables.notes.put({ ...note('b'), text: (() => 'b') as never })).rejects.toThrow();
  for (let count = 0; count < 2; count++) await tables.deltas.add({ messageId: 'm', events: [] });
  expect((await tables.deltas.toArray()).map(({ sequence }) => sequence)).toEqual([1, 2]);
});

test('an index of a table in memory is sorted and leaves out rows without the indexed field', async () => {
  const { messages } = tables;
  const at = (id: string, depth?: number) => ({ ...question(id, null), depth });
  await messages.bulkAdd([at('deep', 10), at('first', 0), at('unknown'), at('mid', 2)]);
  const idsOf = async (lower: number, upper: number) => {
    const chosen = messages.where('[chatId+depth]').between(['chat', lower], ['chat', upper], true, true);
    return chosen.primaryKeys();
  };
  expect(await idsOf(0, Infinity)).toEqual(['first', 'mid', 'deep']);
  expect(await idsOf(1, 9)).toEqual(['mid']);
  const all = messages.where('[chatId+depth]').between(['chat', 0], ['chat', Infinity], true, true);
  expect(await all.lastKey()).toEqual(['chat', 10]);

  await tables.chats.bulkAdd([
    chatRecord('agent', { agentOf: { chatId: 'chat', callId: 'c' }, updatedAt: 3 }),
    chatRecord('chat', { updatedAt: 2, deletedAt: 9 }),
  ]);
  expect(await tables.chats.where('agentOf.chatId').equals('chat').primaryKeys()).toEqual(['agent']);
  expect(await tables.chats.where('deletedAt').above(0).primaryKeys()).toEqual(['chat']);
  expect(await tables.chats.orderBy('updatedAt').reverse().limit(1).primaryKeys()).toEqual(['agent']);
  expect(await tables.chats.orderBy('updatedAt').keys()).toEqual([2, 3]);
  await tables.chats.update('agent', { 'agentOf.callId': 'd', deletedAt: undefined });
  expect((await tables.chats.get('agent'))?.agentOf).toEqual({ chatId: 'chat', callId: 'd' });
});
