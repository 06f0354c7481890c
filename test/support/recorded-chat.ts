/** What a chat recorder needs in tests: stores that log what is saved, a clock, and scripted turns. */
import type { MessageNode } from '../../src/contracts/chat';
import type { AgentEvent } from '../../src/contracts/turn';
import type { AssistantMessage, Message } from '../../src/contracts/message';
import type { ChatFunctions } from '../../src/state/chat-session.svelte';
import { createMemoryStore } from '../../src/store/open-store';
import { chatRecord } from './stored-chat';
import { InsertedTexts } from '../../src/state/inserted-texts';

export const text = (text: string) => ({ type: 'text' as const, text });
export const reply = (...content: AssistantMessage['content']): AssistantMessage => ({
  role: 'assistant',
  content,
  finishReason: 'stop',
});
const question: Message = { role: 'user', content: [text('Hi')], origins: [{ door: 'typed' }] };

export function handed(run: ChatFunctions['run']) {
  let ids = 0;
  const clock = { now: 1000 };
  const writes: string[] = [];
  const functions: ChatFunctions = {
    run,
    newId: () => `id${ids++}`,
    now: () => clock.now,
    date: () => 5,
    currentModel: () => ({ id: 'm', engine: 'e' }),
    onRunning: () => undefined,
    inserted: new InsertedTexts(),
    nextTask: async () => undefined,
    onUsage: () => undefined,
    lockTurn: async () => () => undefined,
    chats: {
      ...createMemoryStore().chats,
      create: async ({ title }) => void writes.push(`create ${title}`),
      async update(_id, patch) {
        if (patch.toolsOff) writes.push(`tools off: ${patch.toolsOff.join()}`);
        if ('persona' in patch) writes.push(`persona: ${patch.persona}`);
        if ('leafId' in patch) writes.push(`leaf ${patch.leafId}`);
        if ('toolOffer' in patch) {
          writes.push(`offer: ${patch.toolOffer?.listed.map(({ name }) => name).join()}`);
        }
      },
      retitle: async () => undefined,
      load: async () => undefined,
      loadBefore: async () => ({ nodes: [], damaged: [], agents: [] }),
      binFrom: async (id) => (writes.push(`bin ${id}`), null),
      restoreFrom: async (id) => void writes.push(`restore ${id}`),
      mark: async (id, { turnEnd, summary }) =>
        void writes.push(turnEnd ? `end ${id} ${turnEnd}` : `summary ${id} ${summary?.text}`),
      save: async ({ id, parentId, message }) =>
        void writes.push(`save ${id} under ${parentId}: ${message.role}`),
      checkpoint: async ({ id }, events) => void writes.push(`delta ${id}: ${events.length}`),
    },
    drafts: { save: async (id, draft) => void writes.push(`draft of ${id}: ${draft}`) },
  };
  return { functions, writes, clock };
}

/** A turn that emits these events and ends as answered. */
export function gives(...events: AgentEvent[]): ChatFunctions['run'] {
  return async function* () {
    yield { type: 'turn-start', promptOrigins: [] };
    yield* events;
    yield { type: 'turn-end', reason: 'answered' };
    return [];
  };
}
export const says = (words: string): AgentEvent[] => [
  { type: 'text-delta', text: words },
  { type: 'message-end', message: reply(text(words)) },
];

export const record = chatRecord('chat', { leafId: 'a1' });
export const nodes: MessageNode[] = [
  { id: 'q1', chatId: 'chat', parentId: null, createdAt: 1, message: question },
  {
    id: 'a1',
    chatId: 'chat',
    parentId: 'q1',
    createdAt: 2,
    message: reply(text('Hello')),
    turnEnd: 'answered',
  },
];
