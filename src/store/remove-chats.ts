/** Moves chats and messages to the bin, restores them, and deletes them permanently. Call all functions within a transaction. */
import { AppError } from '../contracts/app-error';
import type { ChatRecord, MessageNode } from '../contracts/chat';
import { branchOf, leafAfterRemoval, newestLeafOf } from '../contracts/chat-logic';
import { fileIdsOf } from './attachments';
import { isBinned, readChat, readNodes, withoutBinned, subtreeIdsOf } from './read-rows';
import { storedResultIdsOf } from './results';
import type { TableName, Tables } from './tables';
import type { Tally } from './tally';

export const binTableNames: TableName[] = ['chats', 'messages'];
export const tablesForCopying = binTableNames.concat('deltas', 'results', 'attachments', 'tally');
export const chatTableNames = tablesForCopying.concat(
  'traces',
  'drafts',
  'followUps',
  'quarantine',
  'grants',
);

export function createDeletedError(what: string): AppError {
  return new AppError('chat-deleted', `The ${what} is not there any more.`);
}

/** Moves a chat and its sub-agents' hidden chats to the bin. Does nothing if the chat is gone or already in the bin. */
export async function binChat({ chats }: Tables, chatId: string, deletedAt: number): Promise<void> {
  const row = await chats.get(chatId);
  if (!row || isBinned(row)) return;
  await chats.update(chatId, { deletedAt });
  const agents = withoutBinned(await chats.where('agentOf.chatId').equals(chatId).toArray());
  await setDeletedAt(chats, agents, deletedAt);
}

export async function restoreChat({ chats }: Tables, chatId: string): Promise<void> {
  const row = await chats.get(chatId);
  if (!row || !isBinned(row)) return;
  await chats.update(chatId, { deletedAt: undefined });
  const agents = await chats.where('agentOf.chatId').equals(chatId).toArray();
  const together = agents.filter((agent) => agent.deletedAt === row.deletedAt);
  await setDeletedAt(chats, together, undefined);
}

/** Moves a message and its descendants to the bin. Resolves to the new leaf. Undefined if the message is gone or already in the bin. */
export async function binMessages(tables: Tables, nodeId: string, deletedAt: number) {
  const { chats, messages } = tables;
  const row = await messages.get(nodeId);
  const chat = row && (await chats.get(row.chatId));
  if (!row || !chat || isBinned(row) || isBinned(chat)) return undefined;
  const { nodes } = readNodes(withoutBinned(await messages.where('chatId').equals(chat.id).toArray()));
  const ids = subtreeIdsOf(nodes, nodeId);
  const binned = nodes.filter(({ id }) => ids.has(id));
  const left = nodes.filter(({ id }) => !ids.has(id));
  await setDeletedAt(messages, binned, deletedAt);
  const agents = await findCalledAgents(tables, chat.id, binned, left);
  await setDeletedAt(chats, agents, deletedAt);

  const { leafId } = readChat(chat).chat;
  if (leafId !== null && !ids.has(leafId)) return { leafId };
  const first = nodes.find(({ id }) => id === nodeId);
  const next = first ? leafAfterRemoval(nodes, first) : null;
  await chats.update(chat.id, { leafId: next });
  return { leafId: next };
}

/** Restores a message, everything deleted together with it, and its parents. Does nothing if the message or its chat is gone. */
export async function restoreMessages(tables: Tables, nodeId: string): Promise<void> {
  const { chats, messages } = tables;
  const row = await messages.get(nodeId);
  const chat = row && (await chats.get(row.chatId));
  if (!row || !chat || isBinned(chat) || !isBinned(row)) return;
  const { nodes } = readNodes(await messages.where('chatId').equals(chat.id).toArray());
  const grown = subtreeIdsOf(nodes, nodeId);
  const restored = nodes.filter((node) => grown.has(node.id) && node.deletedAt === row.deletedAt);
  const shown = [...restored, ...branchOf(nodes, nodeId).slice(0, -1).filter(isBinned)];
  await setDeletedAt(messages, shown, undefined);
  await setDeletedAt(chats, await findCalledAgents(tables, chat.id, shown), undefined);
  await chats.update(chat.id, { leafId: newestLeafOf(restored, nodeId) });
}

export async function deleteMessages(tables: Tables, tally: Tally, nodeId: string): Promise<void> {
  const { chats, messages, quarantine, results, attachments } = tables;
  const row = await messages.get(nodeId);
  const chat = row && (await chats.get(row.chatId));
  if (!row || !chat) throw createDeletedError(`message ${nodeId}`);
  const { chatId } = row;
  const { nodes } = readNodes(await messages.where('chatId').equals(chatId).toArray());
  const ids = subtreeIdsOf(nodes, nodeId);
  const removed = nodes.filter(({ id }) => ids.has(id));
  const left = nodes.filter(({ id }) => !ids.has(id));
  for (const agent of await findCalledAgents(tables, chatId, removed, left)) {
    await results.bulkDelete(storedResultIdsOf(agent.nodes));
    await deleteHiddenChat(tables, tally, agent.id);
  }
  // Other versions of a message may share its results or files.
  const usedResults = new Set(storedResultIdsOf(left));
  await results.bulkDelete(storedResultIdsOf(removed).filter((id) => !usedResults.has(id)));
  const usedFiles = fileIdsOf(left);
  await attachments.bulkDelete([...fileIdsOf(removed)].filter((id) => !usedFiles.has(id)));
  await deleteMessageRows(tables, tally, [...ids]);
  await quarantine.bulkDelete([...ids].map((id) => `messages/${id}`));
  const { leafId } = readChat(chat).chat;
  if (leafId !== null && !ids.has(leafId)) return;
  await chats.update(chatId, { leafId: nodes.find(({ id }) => id === nodeId)?.parentId ?? null });
}

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

async function deleteHiddenChat(tables: Tables, tally: Tally, chatId: string): Promise<void> {
  const { chats, messages, quarantine } = tables;
  await deleteMessageRows(tables, tally, await messages.where('chatId').equals(chatId).primaryKeys());
  await quarantine.where('chatId').equals(chatId).delete();
  await chats.delete(chatId);
}

async function deleteMessageRows(tables: Tables, tally: Tally, ids: readonly string[]): Promise<void> {
  await tables.deltas.where('messageId').anyOf(ids).delete();
  await tables.traces.bulkDelete(ids);
  await tables.messages.bulkDelete(ids);
  await tally.addChange(tables, { deleted: ids.length });
}

async function setDeletedAt(
  table: Pick<Tables['chats'], 'bulkUpdate'>,
  rows: readonly { id: string }[],
  deletedAt: number | undefined,
): Promise<void> {
  await table.bulkUpdate(rows.map(({ id }) => ({ key: id, changes: { deletedAt } })));
}

/** Returns the chats of sub-agents that are called in `nodes`, including nested ones. */
export async function findCalledAgents(
  { chats, messages }: Tables,
  chatId: string,
  nodes: readonly MessageNode[],
  /** Messages outside `nodes`. We omit sub-agents that these messages call too: a replayed turn and its original can share a sub-agent. */
  others: readonly MessageNode[] = [],
): Promise<{ id: string; nodes: readonly MessageNode[] }[]> {
  const rows = await chats.where('agentOf.chatId').equals(chatId).toArray();
  const readAgent = async ({ id }: ChatRecord) => {
    return { id, nodes: readNodes(await messages.where('chatId').equals(id).toArray()).nodes };
  };
  const used = new Set((await readCalledAgents(rows, others, readAgent)).map(({ id }) => id));
  return (await readCalledAgents(rows, nodes, readAgent)).filter(({ id }) => !used.has(id));
}

export async function readCalledAgents<Agent extends { nodes: readonly MessageNode[] }>(
  rows: readonly ChatRecord[],
  nodes: readonly MessageNode[],
  readAgent: (row: ChatRecord) => Promise<Agent>,
): Promise<Agent[]> {
  const contents = nodes.flatMap(({ message }) => (message.role === 'assistant' ? message.content : []));
  const calls = new Set(contents.flatMap((part) => (part.type === 'tool-call' ? [part.id] : [])));
  const mine = rows.filter((row) => calls.has(readChat(row).chat.agentOf?.callId ?? ''));
  if (mine.length === 0) return [];
  const agents = await Promise.all(mine.map(readAgent));
  const others = rows.filter((row) => !mine.includes(row));
  const called = agents.flatMap((agent) => agent.nodes);
  return [...agents, ...(await readCalledAgents(others, called, readAgent))];
}
