/** Puts chats and parts of chats into the bin and takes them out. All of it within a transaction on `tables`. */
import type { ChatRecord, MessageNode } from '../contracts/chat';
import { leafWithout, newestLeafOf } from '../contracts/branch';
import { type AgentChat, agentChatsOfOnly } from './agent-chats';
import type { Database } from './database';
import { readChat, readNodes } from './read-rows';
import { isBinned, shownOf, subtreeOf } from './tree';

export const tablesOfBin = ({ chats, messages }: Database) => [chats, messages];

/** With the hidden chats of its sub-agents. Does nothing where it is gone or there already. */
export async function binChat({ chats }: Database, chatId: string, deletedAt: number): Promise<void> {
  const row = await chats.get(chatId);
  if (!row || isBinned(row)) return;
  await chats.update(chatId, { deletedAt });
  const agents = shownOf(await chats.where('agentOf.chatId').equals(chatId).toArray());
  await chats.bulkUpdate(agents.map(({ id }) => ({ key: id, changes: { deletedAt } })));
}

export async function restoreChat({ chats }: Database, chatId: string): Promise<boolean> {
  const row = await chats.get(chatId);
  if (!row) return false;
  const { deletedAt } = row;
  if (!isBinned(row)) return true;
  await chats.update(chatId, { deletedAt: undefined });
  const agents = await chats.where('agentOf.chatId').equals(chatId).toArray();
  const together = agents.filter((agent) => agent.deletedAt === deletedAt);
  await chats.bulkUpdate(together.map(({ id }) => ({ key: id, changes: { deletedAt: undefined } })));
  return true;
}

/** Resolves to the leaf of the chat; undefined where the message is gone or in the bin already. */
export async function binMessages(
  database: Database,
  nodeId: string,
  deletedAt: number,
): Promise<{ leafId: string | null } | undefined> {
  const { chats, messages } = database;
  const row = await messages.get(nodeId);
  const chat = row && (await chats.get(row.chatId));
  if (!row || !chat || isBinned(row) || isBinned(chat)) return undefined;
  const { nodes } = readNodes(shownOf(await messages.where({ chatId: chat.id }).toArray()));
  const ids = subtreeOf(nodes, nodeId);
  const binned = nodes.filter(({ id }) => ids.has(id));
  await messages.bulkUpdate(binned.map(({ id }) => ({ key: id, changes: { deletedAt } })));
  const left = nodes.filter(({ id }) => !ids.has(id));
  const agents = await agentsOf(database, chat.id, binned, left);
  await chats.bulkUpdate(agents.map((agent) => ({ key: agent.chat.id, changes: { deletedAt } })));

  const { leafId } = readChat(chat).chat;
  if (leafId !== null && !ids.has(leafId)) return { leafId };
  const first = nodes.find(({ id }) => id === nodeId);
  const next = first ? leafWithout(nodes, first) : null;
  await chats.update(chat.id, { leafId: next });
  return { leafId: next };
}

/** What went with it comes back with it, and what it grew from; its newest leaf is the chat's. */
export async function restoreMessages(database: Database, nodeId: string): Promise<boolean> {
  const { chats, messages } = database;
  const row = await messages.get(nodeId);
  const chat = row && (await chats.get(row.chatId));
  if (!row || !chat || isBinned(chat)) return false;
  if (!isBinned(row)) return true;
  const { nodes } = readNodes(await messages.where({ chatId: chat.id }).toArray());
  const grown = subtreeOf(nodes, nodeId);
  const restored = nodes.filter((node) => grown.has(node.id) && node.deletedAt === row.deletedAt);
  const shown = [...restored, ...binnedParents(nodes, nodeId)];
  await messages.bulkUpdate(shown.map(({ id }) => ({ key: id, changes: { deletedAt: undefined } })));
  const agents = (await agentsOf(database, chat.id, shown)).filter((agent) => isBinned(agent.chat));
  await chats.bulkUpdate(agents.map((agent) => ({ key: agent.chat.id, changes: { deletedAt: undefined } })));
  await chats.update(chat.id, { leafId: newestLeafOf(restored, nodeId) });
  return true;
}

function binnedParents(nodes: readonly MessageNode[], nodeId: string): MessageNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents: MessageNode[] = [];
  let node = byId.get(nodeId);
  while (node) {
    // Each only once: a damaged tree may run in a circle.
    byId.delete(node.id);
    node = node.parentId === null ? undefined : byId.get(node.parentId);
    if (node && isBinned(node)) parents.push(node);
  }
  return parents;
}

/** The chats of sub-agents that go with some messages of a chat, and with none that are left. */
export async function agentsOf(
  { chats, messages }: Database,
  chatId: string,
  nodes: readonly MessageNode[],
  left: readonly MessageNode[] = [],
): Promise<(AgentChat & { chat: Pick<ChatRecord, 'id' | 'agentOf' | 'deletedAt'> })[]> {
  const rows = await chats.where('agentOf.chatId').equals(chatId).toArray();
  const agents = rows.map(async (chat) => ({
    chat,
    nodes: readNodes(await messages.where({ chatId: chat.id }).toArray()).nodes,
  }));
  return agentChatsOfOnly(nodes, left, await Promise.all(agents));
}
