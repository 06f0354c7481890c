import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { beforeEach, expect, test, vi } from 'vitest';
import { branchOf } from '../../../src/contracts/chat-logic';
import type { MessageNode } from '../../../src/contracts/chat';
import { type OpenStore, openStore } from '../../../src/store/open-store';
import { tailMessageCount } from '../../../src/store/chats';
import { answer, chatRecord, question } from '../../support/stored-chat';
import { slow } from '../../support/matrix';

const length = 200;
let opened = 0;
let name: string;
let store: OpenStore;

/** A long chat of questions and answers. The first question and every tenth answer have two versions. */
function longChat(hasDepths: boolean): MessageNode[] {
  const nodes: MessageNode[] = [];
  for (let depth = 0; depth < length; depth++) {
    const make = depth % 2 === 0 ? question : answer;
    const parent = depth === 0 ? null : `m${depth - 1}`;
    const place = hasDepths ? { depth } : {};
    if (depth === 0 || depth % 10 === 9) nodes.push({ ...make(`v${depth}`, parent, 'Else'), ...place });
    nodes.push({ ...make(`m${depth}`, parent, `Message ${depth}`), ...place });
  }
  return nodes;
}

async function keep(nodes: readonly MessageNode[]): Promise<void> {
  const raw = await new Dexie(name).open();
  await raw.table('chats').put(chatRecord('chat', { leafId: `m${length - 1}` }));
  await raw.table('messages').bulkPut([...nodes]);
  raw.close();
}

beforeEach(async () => {
  name = `long-${opened++}`;
  store = await openStore({ name, now: () => 5 });
});

async function inParts(): Promise<{ nodes: MessageNode[]; parts: number }> {
  const tail = await store.chats.loadTail('chat');
  let { nodes, from } = tail!;
  let parts = 1;
  while (from !== undefined && from > 0) {
    const more = await store.chats.loadBefore('chat', from);
    nodes = [...more.nodes, ...nodes];
    from = more.from;
    parts += 1;
  }
  return { nodes, parts };
}

test('invariant: opening a long chat first reads only its last messages, then the earlier ones in steps', async () => {
  await keep(longChat(true));
  const tail = await store.chats.loadTail('chat');
  expect(tail?.from).toBe(length - tailMessageCount);
  expect(branchOf(tail!.nodes, tail!.chat.leafId)).toHaveLength(tailMessageCount);
  expect(tail!.nodes.filter(({ id }) => id.startsWith('v'))).toHaveLength(tailMessageCount / 10);
  const { nodes, parts } = await inParts();
  expect(parts).toBe(length / tailMessageCount);
  expect(nodes).toEqual((await store.chats.load('chat'))?.nodes);
});

slow(
  'a chat stored by an older version is loaded in full the first time, then only its last messages',
  async () => {
    const old = longChat(false);
    await keep(old);
    const first = await store.chats.loadTail('chat');
    expect(first?.from).toBeUndefined();
    expect(first?.nodes).toHaveLength(old.length);
    await vi.waitFor(async () =>
      expect((await store.chats.loadTail('chat'))?.from).toBe(length - tailMessageCount),
    );
    expect((await inParts()).nodes).toHaveLength(old.length);
  },
);

slow.for([
  { damage: 'a message is missing', change: (table: Dexie.Table) => table.delete('m180') },
  { damage: 'a depth is wrong', change: (table: Dexie.Table) => table.update('m180', { depth: 3 }) },
  {
    damage: 'the last message is in the bin',
    change: (table: Dexie.Table) => table.update('m199', { deletedAt: 1 }),
  },
  {
    damage: 'its messages form a cycle',
    change: (table: Dexie.Table) => table.update('m170', { parentId: 'm175' }),
  },
])('a long chat is loaded in full if $damage', async ({ change }) => {
  await keep(longChat(true));
  const raw = await new Dexie(name).open();
  await change(raw.table('messages'));
  raw.close();
  const whole = await store.chats.load('chat');
  expect(await store.chats.loadTail('chat')).toEqual(whole);
});

test('a short chat is loaded in full', async () => {
  await store.chats.create(chatRecord('chat'));
  await store.chats.save(question('q', null));
  expect(await store.chats.loadTail('chat')).toEqual(await store.chats.load('chat'));
});
