import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../../src/store/open-store';
import { createSentinel } from '../../../src/store/sentinel';
import { answer, chatRecord, placeOf, question, textDelta } from '../../support/stored-chat';

/** A `localStorage` for the sentinel. `isCut`: simulates a kill, after which nothing is stored. */
function createStorage() {
  const items = new Map<string, string>();
  const storage = {
    isCut: false,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (!storage.isCut) items.set(key, value);
    },
    removeItem: (key: string) => void items.delete(key),
  };
  return storage;
}

let opened = 0;
let name: string;
let storage: ReturnType<typeof createStorage>;

const open = () => openStore({ name, sentinel: createSentinel(name, storage) });

beforeEach(() => {
  name = `tally-${opened++}`;
  storage = createStorage();
});

/** Writes four messages, one as a checkpoint first and one twice, then deletes one. Three remain. */
async function fill(): Promise<void> {
  const { chats, close } = await open();
  await chats.create(chatRecord('chat'));
  await chats.save(question('q', null));
  await chats.checkpoint(placeOf('a', 'q'), [textDelta('Hel')]);
  await chats.checkpoint(placeOf('a', 'q'), [textDelta('lo')]);
  await chats.save(answer('a', 'q'));
  await chats.save(question('b', 'a'));
  await chats.save(question('b', 'a'));
  await chats.save(question('c', 'b'));
  await chats.removeFrom('c');
  close();
}

async function change(task: (database: Dexie) => Promise<unknown>): Promise<void> {
  const database = await new Dexie(name).open();
  await task(database);
  database.close();
}

/** Copies the database. The returned function restores this older state, as damage to the database may. */
async function snapshot(): Promise<() => Promise<void>> {
  const tables = new Map<string, unknown[]>();
  await change(async (database) => {
    for (const table of database.tables) tables.set(table.name, await table.toArray());
  });
  return () =>
    change(async (database) => {
      for (const table of database.tables) {
        await table.clear();
        await table.bulkPut(tables.get(table.name) ?? []);
      }
    });
}

async function inspectAnew() {
  const store = await open();
  const shortage = await store.inspect();
  store.close();
  return shortage;
}

describe('no alarm', () => {
  test('a new database raises no alarm', async () => {
    expect(await inspectAnew()).toBeUndefined();
  });

  test('messages that are written, written again and deleted raise no alarm', async () => {
    await fill();
    expect(await inspectAnew()).toBeUndefined();
  });

  test('a deleted chat raises no alarm', async () => {
    await fill();
    const { chats, close } = await open();
    await chats.delete('chat');
    close();
    expect(await inspectAnew()).toBeUndefined();
  });

  test.for([0, 1, 2, 3, 4, 5])(
    'a kill that the sentinel misses raises no alarm, %i writes before it',
    async (told) => {
      const { chats, close } = await open();
      await chats.create(chatRecord('chat'));
      const writes = [
        () => chats.save(question('q', null)),
        () => chats.checkpoint(placeOf('a', 'q'), [textDelta('Hel')]),
        () => chats.save(answer('a', 'q')),
        () => chats.save(question('b', 'a')),
        () => chats.removeFrom('a'),
      ];
      for (const [at, write] of writes.entries()) {
        storage.isCut = at >= told;
        await write();
      }
      close();
      storage.isCut = false;
      expect(await inspectAnew()).toBeUndefined();
    },
  );

  test('a failed write raises no alarm', async () => {
    await fill();
    const { chats, close } = await open();
    const odd = { ...question('d', 'b'), message: { role: 'user', content: [() => undefined] } };
    await expect(chats.save(odd as never)).rejects.toThrow();
    close();
    expect(await inspectAnew()).toBeUndefined();
  });

  test('a sentinel that cannot write raises no alarm', async () => {
    const refuse = () => {
      throw new DOMException('Denied', 'SecurityError');
    };
    const denied = { getItem: refuse, setItem: refuse, removeItem: refuse };
    for (const place of [undefined, denied]) {
      name = `tally-${opened++}`;
      const { chats, inspect } = await openStore({ name, sentinel: createSentinel(name, place) });
      await chats.create(chatRecord('chat'));
      await chats.save(question('q', null));
      expect(await inspect()).toBeUndefined();
    }
  });

  test('data of an older sentinel or of another page raises no alarm', async () => {
    for (const text of ['', 'null', '12', '{"written":"many"}', '{"written":1e400,"deleted":0}']) {
      storage.setItem(`${name}.messages`, text);
      expect(await inspectAnew()).toBeUndefined();
    }
  });

  test('another tab that deletes everything causes no alarm, even if this tab still writes', async () => {
    await fill();
    const reasons: string[] = [];
    const { chats } = await openStore({
      name,
      sentinel: createSentinel(name, storage),
      onClosed: (reason) => void reasons.push(reason),
    });
    const last = chats.save(question('d', 'b'));
    await Dexie.delete(name);
    await last.catch(() => undefined);
    expect(reasons).toEqual(['deleted']);
    expect(await inspectAnew()).toBeUndefined();
  });
});

describe('messages are missing', () => {
  beforeEach(fill);

  test.for([
    {
      name: 'rows are gone, the tally is there',
      damage: (database: Dexie) => database.table('messages').bulkDelete(['q', 'a']),
      shortage: { expected: 3, found: 1 },
    },
    {
      name: 'the tables are empty',
      damage: (database: Dexie) => Promise.all(database.tables.map((table) => table.clear())),
      shortage: { expected: 3, found: 0 },
    },
    {
      name: 'the database is gone',
      damage: (database: Dexie) => database.delete(),
      shortage: { expected: 3, found: 0 },
    },
  ])('$name', async ({ damage, shortage }) => {
    await change(damage);
    expect(await inspectAnew()).toEqual(shortage);
    // The loss is reported at every start until the user accepts it.
    expect(await inspectAnew()).toEqual(shortage);
  });

  test('a database that returned to an older, consistent state has lost messages', async () => {
    const fallBack = await snapshot();
    const { chats, close } = await open();
    await chats.save(question('d', 'b'));
    await chats.save(answer('e', 'd'));
    close();
    await fallBack();
    expect(await inspectAnew()).toEqual({ expected: 5, found: 3 });
  });

  test('lost deletions that brought rows back are noticed', async () => {
    const fallBack = await snapshot();
    const { chats, close } = await open();
    await chats.removeFrom('a');
    await chats.save(question('d', 'q'));
    close();
    await fallBack();
    expect(await inspectAnew()).toEqual({ expected: 4, found: 3 });
  });

  test('new writes before the check do not hide a loss', async () => {
    await change((database) => Promise.all(database.tables.map((table) => table.clear())));
    const { chats, close } = await open();
    await chats.create(chatRecord('new'));
    for (let at = 0; at < 9; at++) await chats.save(question(`n${at}`, null, 'Hi', 'new'));
    close();
    expect(await inspectAnew()).toEqual({ expected: 12, found: 9 });
  });

  test('without a sentinel, missing rows are still noticed', async () => {
    await change((database) => database.table('messages').delete('q'));
    const { inspect } = await openStore({ name, sentinel: createSentinel(name, undefined) });
    expect(await inspect()).toEqual({ expected: 3, found: 2 });
  });

  test('accepting a loss continues the count from the present rows', async () => {
    await change((database) => database.table('messages').bulkDelete(['q', 'a']));
    const store = await open();
    await store.acceptShortage();
    await store.chats.save(question('d', 'b'));
    store.close();
    expect(await inspectAnew()).toBeUndefined();
    await change((database) => database.table('messages').delete('d'));
    expect(await inspectAnew()).toEqual({ expected: 2, found: 1 });
  });

  test('a lost tally is rebuilt, and the next loss is noticed', async () => {
    storage.removeItem(`${name}.messages`);
    await change((database) => database.table('tally').clear());
    expect(await inspectAnew()).toBeUndefined();
    await change((database) => database.table('messages').delete('q'));
    expect(await inspectAnew()).toEqual({ expected: 3, found: 2 });
  });
});

test('a sentinel never goes back behind a newer count of another tab', () => {
  const [one, two] = [createSentinel(name, storage), createSentinel(name, storage)];
  two.remember({ written: 6, deleted: 1 });
  one.remember({ written: 5, deleted: 0 });
  one.remember({ written: 6, deleted: 0 });
  expect(one.read()).toEqual({ written: 6, deleted: 1 });
  one.remember({ written: 6, deleted: 2 });
  expect(two.read()).toEqual({ written: 6, deleted: 2 });
});
