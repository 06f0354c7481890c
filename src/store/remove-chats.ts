/** Puts chats and messages into the bin, restores them, and deletes them for good. All of it runs within a transaction. */
import { AppError } from '../contracts/app-error';
import { leafWithout, newestLeafOf } from '../contracts/chat-logic';
import type { ChatRecord, MessageNode } from '../contracts/chat';
import { type AgentChat, agentChatsOfOnly } from './agent-chats';
import { filesOf } from './attachments';
import { readChat, readNodes } from './read-rows';
import { keptResultsOf } from './results';
import type { TableName, Tables } from './tables';
import type { Tally } from './tally';
import { isBinned, shownOf, subtreeOf } from './tree';

/** The tables in which something of a chat can be. */
export const tablesOfChats = [
  'chats',
  'messages',
  'deltas',
  'traces',
  'drafts',
  'followUps',
  'quarantine',
  'grants',
  'results',
  'attachments',
  'tally',
] as const satisfies readonly TableName[];

/** The tables that change when something of a chat goes into the bin. */
export const tablesOfBin = ['chats', 'messages'] as const satisfies readonly TableName[];

export function gone(what: string): AppError {
  return new AppError('chat-deleted', `The ${what} is not there any more.`);
}

/** Puts the hidden chats of its sub-agents there too. Does nothing if the chat is gone or in the bin. */
export async function binChat({ chats }: Tables, chatId: string, deletedAt: number): Promise<void> {
  const row = await chats.get(chatId);
  if (!row || isBinned(row)) return;
  await chats.update(chatId, { deletedAt });
  const agents = shownOf(await chats.where('agentOf.chatId').equals(chatId).toArray());
  await markAll(chats, agents, deletedAt);
}

/** Resolves to false if the chat is gone. */
export async function restoreChat({ chats }: Tables, chatId: string): Promise<boolean> {
  const row = await chats.get(chatId);
  if (!row) return false;
  if (!isBinned(row)) return true;
  await chats.update(chatId, { deletedAt: undefined });
  const agents = await chats.where('agentOf.chatId').equals(chatId).toArray();
  await markAll(
    chats,
    agents.filter((agent) => agent.deletedAt === row.deletedAt),
    undefined,
  );
  return true;
}

/** Resolves to the new leaf of the chat, or to undefined if the message is gone or in the bin. */
export async function binMessages(
  tables: Tables,
  nodeId: string,
  deletedAt: number,
): Promise<{ leafId: string | null } | undefined> {
  const { chats, messages } = tables;
  const row = await messages.get(nodeId);
  const chat = row && (await chats.get(row.chatId));
  if (!row || !chat || isBinned(row) || isBinned(chat)) return undefined;
  const { nodes } = readNodes(shownOf(await messages.where('chatId').equals(chat.id).toArray()));
  const ids = subtreeOf(nodes, nodeId);
  const binned = nodes.filter(({ id }) => ids.has(id));
  const left = nodes.filter(({ id }) => !ids.has(id));
  await markAll(messages, binned, deletedAt);
  const agents = await agentsOf(tables, chat.id, binned, left);
  await markAll(
    chats,
    agents.map((agent) => agent.chat),
    deletedAt,
  );

  const { leafId } = readChat(chat).chat;
  if (leafId !== null && !ids.has(leafId)) return { leafId };
  const first = nodes.find(({ id }) => id === nodeId);
  const next = first ? leafWithout(nodes, first) : null;
  await chats.update(chat.id, { leafId: next });
  return { leafId: next };
}

/**
 * Restores the messages that went into the bin together with this one, and those it grew from. Their newest leaf becomes
 * the leaf of the chat. Resolves to false if the message or its chat is gone.
 */
export async function restoreMessages(tables: Tables, nodeId: string): Promise<boolean> {
  const { chats, messages } = tables;
  const row = await messages.get(nodeId);
  const chat = row && (await chats.get(row.chatId));
  if (!row || !chat || isBinned(chat)) return false;
  if (!isBinned(row)) return true;
  const { nodes } = readNodes(await messages.where('chatId').equals(chat.id).toArray());
  const grown = subtreeOf(nodes, nodeId);
  const restored = nodes.filter((node) => grown.has(node.id) && node.deletedAt === row.deletedAt);
  const shown = [...restored, ...binnedParents(nodes, nodeId)];
  await markAll(messages, shown, undefined);
  const agents = await agentsOf(tables, chat.id, shown);
  await markAll(
    chats,
    agents.map((agent) => agent.chat),
    undefined,
  );
  await chats.update(chat.id, { leafId: newestLeafOf(restored, nodeId) });
  return true;
}

/** Deletes a message and all that grew from it. Resolves to the leaf: its parent, if the leaf was among them. Rejects with `chat-deleted`. */
export async function deleteMessages(tables: Tables, tally: Tally, nodeId: string): Promise<string | null> {
  const { chats, messages, quarantine, results, attachments } = tables;
  const row = await messages.get(nodeId);
  if (!row) throw gone(`message ${nodeId}`);
  const { chatId } = row;
  const chat = await chats.get(chatId);
  if (!chat) throw gone(`chat ${chatId}`);
  const { nodes } = readNodes(await messages.where('chatId').equals(chatId).toArray());
  const ids = subtreeOf(nodes, nodeId);
  const removed = nodes.filter(({ id }) => ids.has(id));
  const left = nodes.filter(({ id }) => !ids.has(id));
  for (const agent of await agentsOf(tables, chatId, removed, left)) {
    await results.bulkDelete(keptResultsOf(agent.nodes));
    await deleteHiddenChat(tables, tally, agent.chat.id);
  }
  // Another version of the message may share its results, or be a question about the same file.
  const usedResults = new Set(keptResultsOf(left));
  await results.bulkDelete(keptResultsOf(removed).filter((id) => !usedResults.has(id)));
  const usedFiles = filesOf(left);
  await attachments.bulkDelete([...filesOf(removed)].filter((id) => !usedFiles.has(id)));
  await deleteRows(tables, tally, [...ids]);
  await quarantine.bulkDelete([...ids].map((id) => `messages/${id}`));
  const { leafId } = readChat(chat).chat;
  if (leafId !== null && !ids.has(leafId)) return leafId;
  const parentId = nodes.find(({ id }) => id === nodeId)?.parentId ?? null;
  await chats.update(chatId, { leafId: parentId });
  return parentId;
}

/** Deletes a chat with all that belongs to it. */
export async function deleteChat(tables: Tables, tally: Tally, chatId: string): Promise<void> {
  const { chats, drafts, followUps, grants, results, attachments } = tables;
  for (const id of await chats.where('agentOf.chatId').equals(chatId).primaryKeys()) {
    await deleteHiddenChat(tables, tally, id);
  }
  await drafts.delete(chatId);
  for (const table of [followUps, grants, results, attachments]) {
    await table.where('chatId').equals(chatId).delete();
  }
  await deleteHiddenChat(tables, tally, chatId);
}

/** Deletes what the chat of a sub-agent has: its record, its messages, and the copies of damaged ones. */
async function deleteHiddenChat(tables: Tables, tally: Tally, chatId: string): Promise<void> {
  const { chats, messages, quarantine } = tables;
  await deleteRows(tables, tally, await messages.where('chatId').equals(chatId).primaryKeys());
  await quarantine.where('chatId').equals(chatId).delete();
  await chats.delete(chatId);
}

async function deleteRows(tables: Tables, tally: Tally, ids: readonly string[]): Promise<void> {
  await tables.deltas.where('messageId').anyOf(ids).delete();
  await tables.traces.bulkDelete(ids);
  await tables.messages.bulkDelete(ids);
  await tally.add(tables, { deleted: ids.length });
}

/** `deletedAt` undefined takes the rows out of the bin. */
async function markAll(
  table: Pick<Tables['chats'], 'bulkUpdate'>,
  rows: readonly { id: string }[],
  deletedAt: number | undefined,
): Promise<void> {
  await table.bulkUpdate(rows.map(({ id }) => ({ key: id, changes: { deletedAt } })));
}

function binnedParents(nodes: readonly MessageNode[], nodeId: string): MessageNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents: MessageNode[] = [];
  let node = byId.get(nodeId);
  while (node) {
    // Each only once, because a damaged tree may have a circle.
    byId.delete(node.id);
    node = node.parentId === null ? undefined : byId.get(node.parentId);
    if (node && isBinned(node)) parents.push(node);
  }
  return parents;
}

/** The chats of the sub-agents that were called in `nodes` and not in `left`. */
export async function agentsOf(
  { chats, messages }: Tables,
  chatId: string,
  nodes: readonly MessageNode[],
  left: readonly MessageNode[] = [],
): Promise<(AgentChat & { chat: Pick<ChatRecord, 'id' | 'agentOf' | 'deletedAt'> })[]> {
  const rows = await chats.where('agentOf.chatId').equals(chatId).toArray();
  const agents = rows.map(async (chat) => ({
    chat,
    nodes: readNodes(await messages.where('chatId').equals(chat.id).toArray()).nodes,
  }));
  return agentChatsOfOnly(nodes, left, await Promise.all(agents));
}
