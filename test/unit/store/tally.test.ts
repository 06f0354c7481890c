import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../../src/store/open-store';
import { createSentinel } from '../../../src/store/sentinel';
import {
  answer,
  chatRecord,
  deleteChat,
  deleteMessages,
  placeOf,
  question,
  textDelta,
} from '../../support/stored-chat';
import { slow } from '../../support/matrix';

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
  const { bin, chats, close } = await open();
  await chats.create(chatRecord('chat'));
  await chats.save(question('q', null));
  await chats.checkpoint(placeOf('a', 'q'), [textDelta('Hel')]);
  await chats.checkpoint(placeOf('a', 'q'), [textDelta('lo')]);
  await chats.save(answer('a', 'q'));
  await chats.save(question('b', 'a'));
  await chats.save(question('b', 'a'));
  await chats.save(question('c', 'b'));
  await deleteMessages({ bin }, 'c');
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

describe('a database without unexpected loss of data', () => {
  test('raises no alarm when it is new', async () => {
    expect(await inspectAnew()).toBeUndefined();
  });

  test('raises no alarm after messages were saved, saved again and deleted', async () => {
    await fill();
    expect(await inspectAnew()).toBeUndefined();
  });

  test('raises no alarm after a chat was deleted', async () => {
    await fill();
    const { bin, close } = await open();
    await deleteChat({ bin }, 'chat');
    close();
    expect(await inspectAnew()).toBeUndefined();
  });

  test.for([0, 1, 2, 3, 4, 5])(
    'raises no alarm if the tab was killed before all writes were counted; writes counted: %i',
    async (told) => {
      const { bin, chats, close } = await open();
      await chats.create(chatRecord('chat'));
      const writes = [
        () => chats.save(question('q', null)),
        () => chats.checkpoint(placeOf('a', 'q'), [textDelta('Hel')]),
        () => chats.save(answer('a', 'q')),
        () => chats.save(question('b', 'a')),
        () => deleteMessages({ bin }, 'a'),
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

  slow('raises no alarm after a failed write', async () => {
    await fill();
    const { chats, close } = await open();
    const odd = {
      ...question('d', 'b'),
      message: { role: 'user', content: [() => undefined], origins: [{ door: 'typed' }] },
    };
    await expect(chats.save(odd as never)).rejects.toThrow();
    close();
    expect(await inspectAnew()).toBeUndefined();
  });

  test('raises no alarm if the separate count of messages cannot be written', async () => {
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

  slow('raises no alarm if the separate count of messages is invalid', async () => {
    for (const text of ['', 'null', '12', '{"written":"many"}', '{"written":1e400,"deleted":0}']) {
      storage.setItem(`${name}.messages`, text);
      expect(await inspectAnew()).toBeUndefined();
    }
  });

  test('raises no alarm if another tab deletes the database while this tab writes', async () => {
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

describe('a database that lost data', () => {
  beforeEach(fill);

  test.for([
    {
      name: 'reports missing messages',
      damage: (database: Dexie) => database.table('messages').bulkDelete(['q', 'a']),
      shortage: { expected: 3, found: 1 },
    },
    {
      name: 'reports empty tables',
      damage: (database: Dexie) => Promise.all(database.tables.map((table) => table.clear())),
      shortage: { expected: 3, found: 0 },
    },
    {
      name: 'reports a missing database',
      damage: (database: Dexie) => database.delete(),
      shortage: { expected: 3, found: 0 },
    },
  ])('$name', async ({ damage, shortage }) => {
    await change(damage);
    expect(await inspectAnew()).toEqual(shortage);
    // The loss is reported at every start until the user accepts it.
    expect(await inspectAnew()).toEqual(shortage);
  });

  test('is reported even if it was reset to an older, consistent state', async () => {
    const fallBack = await snapshot();
    const { chats, close } = await open();
    await chats.save(question('d', 'b'));
    await chats.save(answer('e', 'd'));
    close();
    await fallBack();
    expect(await inspectAnew()).toEqual({ expected: 5, found: 3 });
  });

  test('is reported even if the loss brought deleted messages back', async () => {
    const fallBack = await snapshot();
    const { bin, chats, close } = await open();
    await deleteMessages({ bin }, 'a');
    await chats.save(question('d', 'q'));
    close();
    await fallBack();
    expect(await inspectAnew()).toEqual({ expected: 4, found: 3 });
  });

  test('is reported even after new writes', async () => {
    await change((database) => Promise.all(database.tables.map((table) => table.clear())));
    const { chats, close } = await open();
    await chats.create(chatRecord('new'));
    for (let at = 0; at < 9; at++) await chats.save(question(`n${at}`, null, 'Hi', 'new'));
    close();
    expect(await inspectAnew()).toEqual({ expected: 12, found: 9 });
  });

  test('is reported even if the separate count of messages is missing', async () => {
    await change((database) => database.table('messages').delete('q'));
    const { inspect } = await openStore({ name, sentinel: createSentinel(name, undefined) });
    expect(await inspect()).toEqual({ expected: 3, found: 2 });
  });

  test('starts counting from the remaining messages once the user accepts the loss', async () => {
    await change((database) => database.table('messages').bulkDelete(['q', 'a']));
    const store = await open();
    await store.acceptShortage();
    await store.chats.save(question('d', 'b'));
    store.close();
    expect(await inspectAnew()).toBeUndefined();
    await change((database) => database.table('messages').delete('d'));
    expect(await inspectAnew()).toEqual({ expected: 2, found: 1 });
  });

  test('gets a new count of messages if the old one was lost, and reports the next loss', async () => {
    storage.removeItem(`${name}.messages`);
    await change((database) => database.table('tally').clear());
    expect(await inspectAnew()).toBeUndefined();
    await change((database) => database.table('messages').delete('q'));
    expect(await inspectAnew()).toEqual({ expected: 3, found: 2 });
  });
});

test('the message count kept outside the database is not overwritten by an older count from another tab', () => {
  const [one, two] = [createSentinel(name, storage), createSentinel(name, storage)];
  two.remember({ written: 6, deleted: 1 });
  one.remember({ written: 5, deleted: 0 });
  one.remember({ written: 6, deleted: 0 });
  expect(one.read()).toEqual({ written: 6, deleted: 1 });
  one.remember({ written: 6, deleted: 2 });
  expect(two.read()).toEqual({ written: 6, deleted: 2 });
});
