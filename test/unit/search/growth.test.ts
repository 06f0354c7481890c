import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { describe, expect, test } from 'vitest';
import { answer, chatRecord, question } from '../../support/stored-chat';
import { openStage, valueOf } from './index-stage';
import { slow } from '../../support/matrix';

/** Chats of ten messages that share one word and have one word of their own. */
async function manyMessages(chats: number) {
  const stage = await openStage();
  for (let chat = 0; chat < chats; chat++) {
    const id = `c${chat}`;
    await stage.keep(
      chatRecord(id, { title: `Chat ${chat}`, updatedAt: chat }),
      Array.from({ length: 10 }, (_, at) => question(`${id}-${at}`, null, `common word${chat}x${at}`, id)),
    );
  }
  return stage;
}

const countIn = async (stage: Awaited<ReturnType<typeof openStage>>) => {
  const { segments = [] } = await stage.dumpIndex();
  return (segments as { messageIds: string[] }[]).flatMap(({ messageIds }) => messageIds);
};

describe('the search index', () => {
  test('it adds a new message and keeps the others', async () => {
    const stage = await manyMessages(3);
    const search = await stage.openSearch();
    await search.grow();
    expect(await countIn(stage)).toHaveLength(30);
    await stage.store.chats.save(answer('new', 'c0-9', 'A zebra', 'c0'));
    await search.grow(['c0']);
    expect(await search.ids('zebra')).toEqual(['new']);
    const later = await stage.openSearch();
    expect(await later.ids('zebra')).toEqual(['new']);
    expect(new Set(await countIn(stage)).size).toBe(31);
    expect(await countIn(stage)).toHaveLength(31);
  });

  slow('it adds the most recently changed chats first', async () => {
    const stage = await manyMessages(30);
    const { api, ids } = await stage.openSearch();
    valueOf(await api.begin(undefined));
    // A segment keeps the order in which its messages were read.
    while (valueOf(await api.step()));
    expect((await countIn(stage))[0]).toMatch(/^c29-/);
    expect(await ids('word0x3')).toEqual(['c0-3']);
  });

  slow('it merges small segments without losing or repeating a message', async () => {
    const stage = await manyMessages(20);
    const search = await stage.openSearch();
    for (let chat = 0; chat < 20; chat++) await search.grow([`c${chat}`]);
    const { segments = [] } = await stage.dumpIndex();
    expect(segments.length).toBeLessThan(12);
    const messages = await countIn(stage);
    expect(messages).toHaveLength(200);
    expect(new Set(messages).size).toBe(200);
    for (const chat of [0, 7, 19]) expect(await search.ids(`word${chat}x5`)).toEqual([`c${chat}-5`]);
    expect((await search.find('common', 1000)).hits).toHaveLength(60);
  });

  slow('it reports its progress', async () => {
    const stage = await manyMessages(25);
    const { api } = await stage.openSearch();
    expect(valueOf(await api.begin(undefined))).toEqual({ done: 0, total: 250 });
    expect(valueOf(await api.step())).toEqual({ done: 100, total: 250 });
    while (valueOf(await api.step()));
    expect(valueOf(await api.begin(undefined))).toEqual({ done: 250, total: 250 });
  });
});

describe('the repair of the search index', () => {
  slow('it continues after the browser was killed during indexing', async () => {
    const stage = await manyMessages(30);
    const first = await stage.openSearch();
    valueOf(await first.api.begin(undefined));
    valueOf(await first.api.step());
    // Stops before anything was stored.
    const second = await stage.openSearch();
    await second.grow();
    expect(await countIn(stage)).toHaveLength(300);
    expect(await second.ids('word3x3')).toEqual(['c3-3']);
  });

  test('it covers changes to chats made while the index was not updated', async () => {
    const stage = await manyMessages(3);
    await (await stage.openSearch()).grow();
    await stage.rows.messages.delete('c0-0');
    await stage.rows.messages.bulkDelete(Array.from({ length: 10 }, (_, at) => `c1-${at}`));
    await stage.rows.messages.put(answer('late', null, 'A zebra', 'c2'));
    const search = await stage.openSearch();
    await search.grow();
    expect(await countIn(stage)).toHaveLength(20);
    expect(await search.ids('zebra')).toEqual(['late']);
    const { chunks } = await stage.dumpIndex();
    expect(JSON.stringify(chunks)).not.toContain('word1x1');
  });

  slow('it creates no duplicates if two tabs update the index at once', async () => {
    const stage = await manyMessages(25);
    const [one, other] = [await stage.openSearch(), await stage.openSearch()];
    await Promise.all([one.grow(), other.grow()]);
    const messages = await countIn(stage);
    expect(messages).toHaveLength(250);
    expect(new Set(messages).size).toBe(250);
    // Each tab finds what the other one stored.
    await stage.store.chats.save(answer('new', null, 'A zebra', 'c0'));
    await one.grow(['c0']);
    expect(await other.ids('zebra')).toEqual(['new']);
  });

  async function damage(
    stage: Awaited<ReturnType<typeof openStage>>,
    table: string,
    change: (row: object) => object,
  ) {
    const database = await new Dexie(stage.index, { autoOpen: false }).open();
    await database
      .table<object>(table)
      .toCollection()
      .modify((row, place) => {
        place.value = change(row);
      });
    database.close();
  }

  slow.for([
    { what: 'an invalid segment', table: 'segments', change: (row: object) => ({ ...row, times: 'x' }) },
    { what: 'another version', table: 'meta', change: (row: object) => ({ ...row, version: 0 }) },
  ])('it deletes and rebuilds an index with $what', async ({ table, change }) => {
    const stage = await manyMessages(2);
    await (await stage.openSearch()).grow();
    await damage(stage, table, change);
    const search = await stage.openSearch();
    expect(await search.ids('common')).toEqual([]);
    await search.grow();
    expect(await search.ids('word1x1')).toEqual(['c1-1']);
  });

  slow.for([
    { what: 'an invalid chunk', change: (row: object) => ({ ...row, bytes: 'x' }) },
    { what: 'an incomplete chunk', change: (row: object) => ({ ...row, bytes: new Uint8Array(1) }) },
  ])('it rebuilds the index after a query finds $what', async ({ change }) => {
    const stage = await manyMessages(2);
    const search = await stage.openSearch();
    await search.grow();
    await damage(stage, 'chunks', change);
    await expect(search.find('common')).rejects.toThrow();
    await search.grow();
    expect(await search.ids('word1x1')).toEqual(['c1-1']);
  });

  test('it rebuilds an index from a newer app version', async () => {
    const stage = await manyMessages(1);
    const newer = new Dexie(stage.index);
    newer.version(99).stores({ other: 'id' });
    await newer.open();
    newer.close();
    const search = await stage.openSearch();
    await search.grow();
    expect(await search.ids('word0x1')).toEqual(['c0-1']);
  });

  test('it rebuilds a cleared index', async () => {
    const stage = await manyMessages(2);
    const search = await stage.openSearch();
    await search.grow();
    valueOf(await search.api.forget());
    expect(await search.ids('common')).toEqual([]);
    await search.grow();
    expect(await search.ids('word1x1')).toEqual(['c1-1']);
  });
});

describe('the search worker', () => {
  test('creates no new database after another tab has deleted all chats', async () => {
    const stage = await manyMessages(2);
    const search = await stage.openSearch();
    await search.grow();
    stage.store.close();
    stage.rows.close();
    await Dexie.delete(stage.name);
    await Dexie.delete(stage.index);
    expect(await search.api.begin(undefined)).toHaveProperty('failure');
    expect(await search.api.find({ query: 'common', most: 5 })).toHaveProperty('failure');
    expect(await Dexie.getDatabaseNames()).not.toContain(stage.index);
    await expect(stage.openSearch()).rejects.toThrow();
    expect(await Dexie.getDatabaseNames()).not.toContain(stage.name);
  });

  test('rejects invalid arguments from the page', async () => {
    const stage = await manyMessages(1);
    const { api } = await stage.openSearch();
    expect(await api.find({ query: 7, most: 5 })).toHaveProperty('failure');
    expect(await api.find({ query: 'x', most: 1e9 })).toHaveProperty('failure');
    expect(await api.begin('c0')).toHaveProperty('failure');
  });
});
