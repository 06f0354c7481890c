import type { ChatRecord, MessageNode } from '../contracts/chat';
import { textOf } from '../contracts/message-parts';
import type { ClearableKind } from '../contracts/store';
import { readNodes } from './read-rows';
import { chatTableNames } from './remove-chats';
import { runQuery } from './storage-error';
import type { Tables } from './tables';
import type { Tally } from './tally';

/** Maximum number of stored prompts. We limit them because only "Details" shows them, and each is as long as the chat before it. */
const maxTraces = 500;

const maxTitleCharacters = 60;

export async function deleteOldTraces({ traces }: Tables): Promise<void> {
  const old = await traces.orderBy('createdAt').reverse().offset(maxTraces).primaryKeys();
  await traces.bulkDelete(old);
}

/** Creates a record for each chat that has messages but no record, so the list shows the chat. */
export async function recoverChats(tables: Tables): Promise<void> {
  const [used, known] = await tables.read(['chats', 'messages'], ({ chats, messages }) =>
    Promise.all([messages.orderBy('chatId').uniqueKeys(), chats.toCollection().primaryKeys()]),
  );
  const hasRecord = new Set<unknown>(known);
  for (const chatId of used) {
    if (typeof chatId !== 'string' || hasRecord.has(chatId)) continue;
    await tables.write(['chats', 'messages'], async ({ chats, messages }) => {
      const { nodes } = readNodes(await messages.where('chatId').equals(chatId).toArray());
      // Skip a chat that was deleted meanwhile, or whose record another tab has created.
      if (nodes.length === 0 || (await chats.get(chatId))) return;
      await chats.add(createChatRecord(chatId, nodes));
    });
  }
}

export function deleteAllOfKind(tables: Tables, tally: Tally, kind: ClearableKind): Promise<void> {
  if (kind === 'results') return runQuery(() => tables.results.clear());
  if (kind === 'prompts') return runQuery(() => tables.traces.clear());
  return tables.write(chatTableNames, async (within) => {
    const { chats, messages, deltas, traces, drafts, followUps, quarantine, grants, results, attachments } =
      within;
    // Keep drafts of chats that do not exist yet.
    const ids = await chats.toCollection().primaryKeys();
    await drafts.bulkDelete(ids);
    for (const table of [quarantine, grants, attachments]) await table.where('chatId').anyOf(ids).delete();
    const deleted = await messages.count();
    await Promise.all([chats, messages, deltas, traces, followUps, results].map((table) => table.clear()));
    await tally.addChange(within, { deleted });
  });
}

export function createChatRecord(chatId: string, nodes: readonly MessageNode[]): ChatRecord {
  const question = nodes.find(({ message }) => message.role === 'user')?.message;
  const times = nodes.map(({ createdAt }) => createdAt);
  return {
    id: chatId,
    title: question?.role === 'user' ? textOf(question.content).slice(0, maxTitleCharacters) : '',
    isNamed: false,
    createdAt: Math.min(...times),
    updatedAt: Math.max(...times),
    leafId: nodes.at(-1)?.id ?? null,
    toolsOff: [],
  };
}
