/** Makes a chat of its own of a branch. Within a transaction on `tables`. */
import { branchOf } from '../contracts/chat-logic';
import type { ChatRecord, MessageNode } from '../contracts/chat';
import { agentsOf } from './remove-chats';
import { loadWhole } from './load-chat';
import { filesOf } from './attachments';
import { keptResultsOf } from './results';
import type { Table, TableName, Tables } from './tables';
import { depthsOf } from './tree';

export const tablesOfCopy = [
  'chats',
  'messages',
  'deltas',
  'results',
  'attachments',
  'tally',
] as const satisfies readonly TableName[];

/** Resolves to how many messages were written; undefined where the message is gone. */
export async function copyBranch(
  tables: Tables,
  nodeId: string,
  chat: ChatRecord,
  newId: () => string,
): Promise<number | undefined> {
  const { chats, messages } = tables;
  const source = await messages.get(nodeId);
  const loaded = source && (await loadWhole(tables, source.chatId));
  if (!loaded) return undefined;
  const branch = branchOf(loaded.nodes, nodeId);
  if (branch.length === 0) return undefined;
  const agents = await agentsOf(tables, loaded.chat.id, branch);
  const agentNodes = loaded.agents.filter((agent) => agents.some(({ chat: { id } }) => id === agent.chat.id));

  const target = { chatId: chat.id, newId };
  const all = [branch, ...agentNodes.map(({ nodes }) => nodes)].flat();
  const copies: Copies = {
    results: await copyRows(tables.results, keptResultsOf(all), target),
    files: await copyRows(tables.attachments, [...filesOf(branch)], target),
  };
  const copied = copyNodes(branch, chat.id, copies, newId);
  await chats.add({ ...chat, leafId: copied.at(-1)?.id ?? null });
  await messages.bulkAdd(copied);
  let written = copied.length;
  for (const agent of agentNodes) {
    const id = newId();
    const nodes = copyNodes(agent.nodes, id, copies, newId);
    const leaf = agent.nodes.findIndex((node) => node.id === agent.chat.leafId);
    const agentOf = { chatId: chat.id, callId: agent.chat.agentOf?.callId ?? '' };
    await chats.add({ ...agent.chat, id, agentOf, leafId: nodes[leaf]?.id ?? null });
    await messages.bulkAdd(nodes);
    written += nodes.length;
  }
  return written;
}

/** New ids of what belongs to the messages and lies in rows of its own, by the old ones. */
interface Copies {
  results: ReadonlyMap<string, string>;
  files: ReadonlyMap<string, string>;
}

async function copyRows<Row extends { id: string; chatId: string }>(
  table: Table<Row, string>,
  ids: readonly string[],
  { chatId, newId }: { chatId: string; newId: () => string },
): Promise<Map<string, string>> {
  const rows = (await table.bulkGet([...ids])).filter((row) => row !== undefined);
  const copies = new Map(rows.map(({ id }) => [id, newId()]));
  await table.bulkAdd(rows.map((row) => ({ ...row, id: copies.get(row.id) ?? newId(), chatId })));
  return copies;
}

function copyNodes(
  nodes: readonly MessageNode[],
  chatId: string,
  copies: Copies,
  newId: () => string,
): MessageNode[] {
  const ids = new Map(nodes.map(({ id }) => [id, newId()]));
  const depths = depthsOf(nodes);
  return nodes.map((node) => ({
    ...node,
    depth: depths.get(node.id),
    id: ids.get(node.id) ?? newId(),
    chatId,
    parentId: node.parentId === null ? null : (ids.get(node.parentId) ?? null),
    message: withCopies(node.message, copies),
  }));
}

function withCopies(message: MessageNode['message'], { results, files }: Copies): MessageNode['message'] {
  if (message.role === 'user' && message.attached) {
    const attached = message.attached.map((one) =>
      'fileId' in one ? { ...one, fileId: files.get(one.fileId) ?? one.fileId } : one,
    );
    return { ...message, attached };
  }
  if (message.role !== 'tool') return message;
  const copied = message.results.map((result) => {
    const { whole } = result;
    const id = whole?.id === undefined ? undefined : (results.get(whole.id) ?? files.get(whole.id));
    return whole && id !== undefined ? { ...result, whole: { ...whole, id } } : result;
  });
  return { ...message, results: copied };
}
