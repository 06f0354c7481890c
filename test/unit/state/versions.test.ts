import { beforeEach, describe, expect, test } from 'vitest';
import { findVersions, regenerate, showVersion } from '../../../src/state/versions';
import type { MessageNode } from '../../../src/contracts/chat';
import { ChatSession } from '../../../src/state/chat-session.svelte';
import { findFreeTitle } from '../../../src/state/app-actions';
import { gives, handed, says } from '../../support/recorded-chat';
import { answer, chatRecord, question } from '../../support/stored-chat';
import { createMemoryStore } from '../../../src/store/open-store';
import type { ChatStore } from '../../../src/contracts/store';

let session: ChatSession;
let chats: ChatStore;

/** A question with two replies, the first of which has descendants. */
const tree = [
  question('q', null, 'What time is it?'),
  answer('a1', 'q', 'Noon'),
  question('q2', 'a1', 'And in Tokyo?'),
  answer('b1', 'q2', 'Night'),
  answer('a2', 'q', 'Twelve'),
];

beforeEach(async () => {
  chats = createMemoryStore(() => 1).chats;
  await chats.create(chatRecord('chat'));
  for (const node of tree) await chats.save(node);
  const { functions } = handed(gives(...says('Again')));
  const loaded = await chats.load('chat');
  session = new ChatSession({ ...functions, chats, onRunning: () => undefined }, loaded!);
});

const shown = () => session.branch.map(({ id }) => id);
const nodeOf = (id: string) => session.nodes.find((node) => node.id === id)!;
const go = async (from: string, to: string) =>
  showVersion(session, findVersions(session, nodeOf(from))!, nodeOf(to));

test('replies to the same question are versions of each other, but a single reply has no versions', () => {
  expect(findVersions(session, nodeOf('a2'))).toMatchObject({ all: [{ id: 'a1' }, { id: 'a2' }], place: 1 });
  expect(findVersions(session, nodeOf('q2'))).toBeUndefined();
  expect(findVersions(session, undefined)).toBeUndefined();
});

test('selecting a version of a reply shows the messages below it and stores the choice', async () => {
  await go('a2', 'a1');
  expect(shown()).toEqual(['q', 'a1', 'q2', 'b1']);
  expect((await chats.load('chat'))?.chat.leafId).toBe('b1');
  await go('a1', 'a2');
  expect(shown()).toEqual(['q', 'a2']);
});

test('selecting a version of a reply again shows the branch that was last open below it', async () => {
  await go('a2', 'a1');
  await regenerate(session, { question: nodeOf('q2') });
  await go(shown().at(-1)!, 'b1');
  await go('a1', 'a2');
  await go('a2', 'a1');
  expect(shown()).toEqual(['q', 'a1', 'q2', 'b1']);
});

test('a chat can continue from any version of a reply', async () => {
  await go('a2', 'a1');
  await session.send('And in Paris?');
  expect(shown().slice(0, 4)).toEqual(['q', 'a1', 'q2', 'b1']);
  expect(shown()).toHaveLength(6);
  expect((await chats.load('chat'))?.nodes).toHaveLength(tree.length + 2);
});

describe('deleting a version of a reply', () => {
  test.for([
    { id: 'a2', left: ['q', 'a1', 'q2', 'b1'] },
    { id: 'a1', left: ['q', 'a2'] },
  ])(
    'shows the version next to it, and undoing shows the deleted version again: $id',
    async ({ id, left }) => {
      if (id === 'a1') await go('a2', 'a1');
      const before = shown();
      await session.remove(nodeOf(id));
      expect(shown()).toEqual(left);
      expect((await chats.load('chat'))?.chat.leafId).toBe(left.at(-1));
      await session.restore(id);
      expect(shown()).toEqual(before);
    },
  );

  test('keeps the question even if its only reply is deleted, and ends the turn', async () => {
    await session.remove(nodeOf('a2'));
    await session.remove(nodeOf('a1'));
    expect(shown()).toEqual(['q']);
    expect(nodeOf('q').turnEnd).toBe('stopped');
  });
});

test('a copied chat gets a unique title', () => {
  expect(findFreeTitle('Clocks', ['Clocks'])).toBe('Clocks (2)');
  expect(findFreeTitle('Clocks (2)', ['Clocks', 'Clocks (2)'])).toBe('Clocks (3)');
});

describe('a chat with only its last messages loaded', () => {
  const asked: (readonly unknown[])[] = [];
  let long: ChatSession;

  beforeEach(() => {
    asked.length = 0;
    const { functions } = handed(async function* (history) {
      asked.push(history);
      yield { type: 'turn-end', reason: 'answered' };
      return [];
    });
    const nodes = tree.map((node, place): MessageNode => ({ ...node, depth: [0, 1, 2, 3, 1][place] }));
    const stored = {
      ...chats,
      load: async () => ({ chat: chatRecord('chat'), nodes, damaged: [], agents: [] }),
      loadBefore: async () => ({ nodes: nodes.slice(1, 3), damaged: [], agents: [], from: 1 }),
    };
    const chat = chatRecord('chat', { leafId: 'b1' });
    long = new ChatSession(
      { ...functions, chats: stored, onRunning: () => undefined },
      { chat, nodes: nodes.slice(3, 4) },
      { firstLoadedDepth: 3 },
    );
  });

  test('loads earlier messages step by step', async () => {
    expect(long.branch.map(({ id }) => id)).toEqual(['b1']);
    await long.loadEarlier();
    expect(long.branch.map(({ id }) => id)).toEqual(['a1', 'q2', 'b1']);
    expect(long.firstLoadedDepth).toBe(1);
  });

  test('is fully loaded before the next question goes to a model', async () => {
    await long.send('And in Paris?');
    expect(asked[0]).toHaveLength(5);
    expect(long.firstLoadedDepth).toBeUndefined();
    expect(long.branch.at(-1)).toMatchObject({ depth: 4, parentId: 'b1' });
  });

  test('is fully loaded before some of its messages are deleted', async () => {
    await long.remove(long.branch[0]!);
    expect(long.branch.map(({ id }) => id)).toEqual(['q', 'a1', 'q2']);
  });
});
