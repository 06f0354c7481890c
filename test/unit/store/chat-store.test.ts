import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ChatRecord, MessageNode } from '../../../src/contracts/chat';
import { createMemoryStore, openStore } from '../../../src/store/open-store';
import type { ChatStore, Store } from '../../../src/contracts/store';
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

let opened = 0;
let time = 0;
const now = () => ++time;
const gone = { name: 'AppError', code: 'chat-deleted' };

describe.for([
  { kept: 'on the disk', open: () => openStore({ name: `chats-${opened++}`, now }) },
  { kept: 'in memory', open: () => Promise.resolve(createMemoryStore(now)) },
])('a chat store $kept', ({ open }) => {
  let chats: ChatStore;
  let bin: Store['bin'];

  beforeEach(async () => {
    time = 1000;
    ({ chats, bin } = await open());
    await chats.create(chatRecord('chat'));
  });

  const idsOf = async (chatId = 'chat') => (await chats.load(chatId))?.nodes.map(({ id }) => id);
  const leafOf = async (chatId = 'chat') => (await chats.load(chatId))?.chat.leafId;

  test('loads a turn exactly as it was saved, including how it ended', async () => {
    const asked = question('q', null);
    const replied = answer('a', 'q');
    await chats.save(asked);
    await chats.save(replied, 'the prompt');
    await chats.mark('a', { turnEnd: 'answered' });
    expect(await chats.load('chat')).toEqual({
      chat: chatRecord('chat', { leafId: 'a', updatedAt: 1002 }),
      nodes: [asked, { ...replied, turnEnd: 'answered' }],
      damaged: [],
      agents: [],
    });
    expect(await chats.loadPrompt('a')).toBe('the prompt');
    expect(await chats.loadPrompt('q')).toBeUndefined();
  });

  test('stores a summary with a message and can remove the summary', async () => {
    const summary = {
      text: 'Notes.',
      by: 'model' as const,
      model: 'Qwen',
      origins: [{ door: 'page' as const, name: 'a.example' }],
      nonce: 'n',
    };
    await chats.save(question('q', null));
    await chats.save(answer('a', 'q'));
    await chats.mark('a', { summary });
    await chats.mark('a', { turnEnd: 'answered' });
    expect((await chats.load('chat'))?.nodes).toMatchObject([{ id: 'q' }, { summary, turnEnd: 'answered' }]);
    // Repeating an update changes nothing and is no error.
    await chats.mark('a', { summary });
    await chats.mark('a', { summary: undefined });
    expect((await chats.load('chat'))?.nodes.map(({ summary }) => summary)).toEqual([undefined, undefined]);
    await chats.mark('a', { summary: undefined });
    await expect(chats.mark('nowhere', { summary })).rejects.toMatchObject(gone);
  });

  test('overwrites a message that is saved again, so a failed write can be retried', async () => {
    await chats.save(question('q', null));
    await chats.save(question('q', null, 'Hi again'));
    expect(await chats.load('chat')).toMatchObject({
      nodes: [{ message: { content: [{ text: 'Hi again' }] } }],
    });
  });

  test('does not find a chat that never existed', async () => {
    expect(await chats.load('nowhere')).toBeUndefined();
  });

  test('restores an unfinished reply from its saved parts as the newest message', async () => {
    const place = placeOf('a', 'q');
    const call = { type: 'tool-call' as const, id: 'c', name: 'clock', arguments: {} };
    await chats.save(question('q', null));
    await chats.checkpoint(place, [{ type: 'reasoning-delta', text: 'Hm' }, textDelta('Hel')]);
    await chats.checkpoint(place, [textDelta('lo'), { type: 'tool-call', call }]);
    const loaded = await chats.load('chat');
    expect(loaded).toMatchObject({ chat: { leafId: 'a' }, damaged: [] });
    expect(loaded?.nodes.at(-1)).toEqual({
      ...place,
      message: {
        role: 'assistant',
        content: [{ type: 'reasoning', text: 'Hm' }, { type: 'text', text: 'Hello' }, call],
        finishReason: 'aborted',
      },
    });
  });

  test('replaces the saved parts of a reply with the finished reply', async () => {
    await chats.save(question('q', null));
    await chats.checkpoint(placeOf('a', 'q'), [textDelta('Hel')]);
    const replied = answer('a', 'q');
    await chats.save(replied);
    expect((await chats.load('chat'))?.nodes.at(-1)).toEqual(replied);
  });

  test('does not mistake an empty reply that was stopped for a running reply', async () => {
    const stopped = {
      ...placeOf('a', null),
      message: { role: 'assistant' as const, content: [], finishReason: 'aborted' as const },
    };
    await chats.save(stopped);
    await chats.mark('a', { turnEnd: 'stopped' });
    expect(await chats.load('chat')).toMatchObject({
      nodes: [{ ...stopped, turnEnd: 'stopped' }],
      damaged: [],
    });
  });

  test('lists every message after its parent, even if their times are equal or the clock was set back', async () => {
    const at = (createdAt: number, id: string, parentId: string | null) => ({
      ...question(id, parentId),
      createdAt,
    });
    for (const node of [
      at(5, 'z', null),
      at(5, 'y', 'z'),
      at(5, 'a', 'y'),
      at(1, 'b', 'a'),
      at(9, 'x', 'z'),
    ]) {
      await chats.save(node);
    }
    expect(await idsOf()).toEqual(['z', 'y', 'a', 'b', 'x']);
  });

  test('lists the newest chat first, and renaming a chat does not move it', async () => {
    await chats.create(chatRecord('other'));
    await chats.save(question('q2', null, 'Hi', 'other'));
    await chats.save(question('q', null));
    expect((await chats.list()).map(({ id }) => id)).toEqual(['chat', 'other']);
    await chats.update('other', { title: 'Mine', isNamed: true });
    expect(await chats.list()).toMatchObject([{ id: 'chat' }, { title: 'Mine', isNamed: true }]);
  });

  test('accepts an update that changes nothing, instead of reporting a missing chat', async () => {
    for (let time = 0; time < 2; time++) {
      await chats.update('chat', { title: 'Mine', isNamed: true });
      await chats.update('chat', { toolsOff: ['clock'] });
      await chats.update('chat', { leafId: null });
    }
    expect(await chats.list()).toMatchObject([{ title: 'Mine', toolsOff: ['clock'], leafId: null }]);
  });

  describe('a chat with two branches', () => {
    beforeEach(async () => {
      for (const node of [question('q', null), answer('a1', 'q'), question('b1', 'a1'), answer('a2', 'q')]) {
        await chats.save(node, `prompt of ${node.id}`);
      }
    });

    test.for([
      {
        name: 'a branch other than the current one',
        leaf: 'a2',
        from: 'a1',
        left: ['q', 'a2'],
        next: 'a2',
      },
      {
        name: 'the current branch, which the other branch replaces',
        leaf: 'b1',
        from: 'a1',
        left: ['q', 'a2'],
        next: 'a2',
      },
      {
        name: 'its newest message, and then shows the parent',
        leaf: 'b1',
        from: 'b1',
        left: ['q', 'a1', 'a2'],
        next: 'a1',
      },
      { name: 'its first question, and with it all messages', leaf: 'b1', from: 'q', left: [], next: null },
    ])('lets the user permanently delete $name', async ({ leaf, from, left, next }) => {
      await chats.update('chat', { leafId: leaf });
      await deleteMessages({ bin }, from);
      expect(await idsOf()).toEqual(left);
      expect(await leafOf()).toBe(next);
      expect(await chats.loadPrompt(from)).toBeUndefined();
    });

    test('rejects later writes to deleted messages', async () => {
      await deleteMessages({ bin }, 'a1');
      await expect(chats.binFrom('b1')).rejects.toMatchObject(gone);
      await expect(chats.mark('b1', { turnEnd: 'answered' })).rejects.toMatchObject(gone);
    });
  });

  test('does not restore a deleted chat when late writes arrive', async () => {
    await chats.create(chatRecord('other'));
    await chats.save(question('q2', null, 'Hi', 'other'));
    await chats.save(question('q', null), 'prompt');
    await chats.checkpoint(placeOf('a', 'q'), [textDelta('Hel')]);
    await deleteChat({ bin }, 'chat');
    await deleteChat({ bin }, 'chat');

    await expect(chats.checkpoint(placeOf('a', 'q'), [textDelta('lo')])).rejects.toMatchObject(gone);
    await expect(chats.save(answer('a', 'q'))).rejects.toMatchObject(gone);
    await expect(chats.update('chat', { title: 'Mine', isNamed: true })).rejects.toMatchObject(gone);
    expect(await chats.load('chat')).toBeUndefined();
    expect(await chats.loadPrompt('q')).toBeUndefined();
    expect(await idsOf('other')).toEqual(['q2']);
  });

  test('refuses to create a chat that exists, and ignores a new title for a deleted chat', async () => {
    await expect(chats.create(chatRecord('chat', { title: 'Other' }))).rejects.toThrow();
    expect((await chats.load('chat'))?.chat.title).toBe('Hi');
    await deleteChat({ bin }, 'chat');
    await chats.retitle('chat', 'Late');
    expect(await chats.list()).toEqual([]);
  });

  test('sends a watcher the current list of chats and every change until the watcher stops', async () => {
    const seen: string[][] = [];
    const told = (list: ChatRecord[]) => void seen.push(list.map(({ title }) => title));
    const end = chats.watch(told, () => expect.unreachable());
    await vi.waitFor(() => expect(seen).toEqual([['Hi']]));
    await chats.update('chat', { title: 'Mine', isNamed: true });
    await vi.waitFor(() => expect(seen.at(-1)).toEqual(['Mine']));
    await chats.create(chatRecord('other', { updatedAt: 2, title: 'Other' }));
    await vi.waitFor(() => expect(seen.at(-1)).toEqual(['Other', 'Mine']));
    await deleteChat({ bin }, 'other');
    await vi.waitFor(() => expect(seen.at(-1)).toEqual(['Mine']));
    const count = seen.length;
    end();
    await chats.update('chat', { title: 'Unheard', isNamed: true });
    await chats.list();
    expect(seen).toHaveLength(count);
  });

  describe('chats of sub-agents', () => {
    const asking = (id: string, parentId: string | null, callId: string, chatId?: string): MessageNode => ({
      ...answer(id, parentId, '', chatId),
      message: {
        role: 'assistant',
        content: [{ type: 'tool-call', id: callId, name: 'writer', arguments: {} }],
        finishReason: 'tool-calls',
      },
    });
    const agent = (id: string, callId: string) =>
      chats.create(chatRecord(id, { agentOf: { chatId: 'chat', callId } }));

    beforeEach(async () => {
      await chats.save(question('q', null));
      await chats.save(asking('a', 'q', 'call-1'));
      await agent('inner', 'call-1');
      await chats.save(asking('inner-a', null, 'call-2', 'inner'));
      await agent('innermost', 'call-2');
      await chats.save(answer('innermost-a', null, 'Deep', 'innermost'));
      await agent('other', 'call-3');
      await chats.save(answer('other-a', null, 'Other', 'other'));
    });

    const agentsThere = async () => (await chats.load('chat'))?.agents.map(({ chat }) => chat.id).sort();

    slow('are loaded with their parent chat but not listed', async () => {
      expect((await chats.list()).map(({ id }) => id)).toEqual(['chat']);
      expect(await agentsThere()).toEqual(['inner', 'innermost', 'other']);
      const inner = (await chats.load('chat'))?.agents.find(({ chat }) => chat.id === 'inner');
      expect(inner?.nodes.map(({ id }) => id)).toEqual(['inner-a']);
    });

    test('are deleted with the message that called them, even if nested', async () => {
      await deleteMessages({ bin }, 'a');
      expect(await agentsThere()).toEqual(['other']);
      expect(await chats.load('innermost')).toBeUndefined();
      expect(await idsOf('inner')).toBeUndefined();
    });

    test('are deleted with their parent chat', async () => {
      await deleteChat({ bin }, 'chat');
      for (const id of ['inner', 'innermost', 'other']) expect(await chats.load(id)).toBeUndefined();
    });
  });

  test('stores the persona chosen for a chat, and can remove it', async () => {
    await chats.update('chat', { persona: 'writer' });
    expect((await chats.load('chat'))?.chat.persona).toBe('writer');
    await chats.update('chat', { persona: undefined });
    expect((await chats.load('chat'))?.chat.persona).toBeUndefined();
  });

  test('throws a DataCloneError for a message that cannot be cloned', async () => {
    const odd = {
      ...question('q', null),
      message: { role: 'user', content: [() => undefined], origins: [{ door: 'typed' as const }] },
    };
    await expect(chats.save(odd as never)).rejects.toMatchObject({ name: 'DataCloneError' });
    expect(await idsOf()).toEqual([]);
  });
});
