/** Upkeep of the store, done while the page is idle. */
import type { ChatRecord, MessageNode } from '../contracts/chat';
import { textOf } from '../contracts/text-of';
import type { Database } from './database';
import { readNodes } from './read-rows';

/** Prompts are for "Details" alone, and each is as long as the chat before it. */
const keptTraces = 500;

const titleCharacters = 60;

export async function pruneTraces({ traces }: Database): Promise<void> {
  const old = await traces.orderBy('createdAt').reverse().offset(keptTraces).primaryKeys();
  await traces.bulkDelete(old);
}

/** Messages whose chat has no record are on no list. Gives each such chat a record, as far as its messages tell. */
export async function recoverChats(database: Database): Promise<void> {
  const { chats, messages } = database;
  const [used, known] = await database.transaction('r', chats, messages, () =>
    Promise.all([messages.orderBy('chatId').uniqueKeys(), chats.toCollection().primaryKeys()]),
  );
  const hasRecord = new Set<unknown>(known);
  for (const chatId of used) {
    if (typeof chatId !== 'string' || hasRecord.has(chatId)) continue;
    await database.transaction('rw', chats, messages, async () => {
      const { nodes } = readNodes(await messages.where({ chatId }).toArray());
      // Deleted in the meantime, or there after all.
      if (nodes.length === 0 || (await chats.get(chatId))) return;
      await chats.add(recordOf(chatId, nodes));
    });
  }
}

/** The record of a chat that has lost its own, as far as its messages tell. */
export function recordOf(chatId: string, nodes: readonly MessageNode[]): ChatRecord {
  const question = nodes.find(({ message }) => message.role === 'user')?.message;
  const times = nodes.map(({ createdAt }) => createdAt);
  return {
    id: chatId,
    title: question?.role === 'user' ? textOf(question.content).slice(0, titleCharacters) : '',
    isNamed: false,
    createdAt: Math.min(...times),
    updatedAt: Math.max(...times),
    leafId: nodes.at(-1)?.id ?? null,
    toolsOff: [],
  };
}
