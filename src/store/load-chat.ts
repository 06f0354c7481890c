/** Reads chats: whole, or of a long one only what is looked at. All of it within a transaction. */
import type { ChatRecord, MessageNode } from '../contracts/chat';
import type { LoadedChat } from '../contracts/store';
import { isBegunReply, type MessageRow, readChat, readGrowth, readNodes } from './read-rows';
import type { Tables } from './tables';
import { depthsOf, isBinned, shownOf } from './tree';

/** Messages of a branch that are read at once: more than a screen shows. A chat of up to twice as many is read whole. */
export const tailLength = 40;

type Read = Pick<LoadedChat, 'nodes' | 'damaged'>;

/** All of a chat; undefined where it is gone or in the bin. */
export async function loadWhole(tables: Tables, chatId: string): Promise<LoadedChat | undefined> {
  const row = await tables.chats.get(chatId);
  if (!row || isBinned(row)) return undefined;
  const own = await readRecord(tables, row);
  return withAgents(own, await readAgents(tables, await agentRowsOf(tables, chatId)));
}

/** As `loadWhole`, but of a long chat the end of its branch. */
export async function loadTail(tables: Tables, chatId: string): Promise<LoadedChat | undefined> {
  // Asked for together: each question to the database and back takes as long as reading some rows.
  const [row, deepest, agents] = await Promise.all([
    tables.chats.get(chatId),
    deepestOf(tables, chatId),
    agentRowsOf(tables, chatId),
  ]);
  if (!row || isBinned(row)) return undefined;
  const { chat, damaged } = readChat(row);
  // To count the messages of a long chat takes as long as reading its end: they are counted only where it may be short.
  const isLong =
    deepest >= 2 * tailLength ||
    (await tables.messages.where('chatId').equals(chatId).count()) > 2 * tailLength;
  const read = isLong ? await readEnd(tables, chat, deepest) : undefined;
  if (!read) return loadWhole(tables, chatId);
  const own = { chat, nodes: read.nodes, damaged: [...(damaged ? [damaged] : []), ...read.damaged] };
  return { ...withAgents(own, await readAgents(tables, agents, read.nodes)), from: read.from };
}

/** How deep the deepest of all branches is; -1 where no depth is known. */
async function deepestOf({ messages }: Tables, chatId: string): Promise<number> {
  const all = messages.where('[chatId+depth]').between([chatId, 0], [chatId, Infinity], true, false);
  const key: unknown = await all.lastKey();
  return Array.isArray(key) && typeof key[1] === 'number' ? key[1] : -1;
}

/** The end of the branch of a chat; undefined where all of it must be read. */
async function readEnd(
  tables: Tables,
  { id, leafId }: ChatRecord,
  deepest: number,
): Promise<(Read & { from: number }) | undefined> {
  if (leafId === null) return undefined;
  const readFrom = async (from: number, to: number) => {
    const read = await readBetween(tables, id, from, to);
    return reaches(read.nodes, leafId, from) ? { ...read, from } : undefined;
  };
  const from = Math.max(0, deepest - tailLength + 1);
  // Most often the branch that is looked at is the deepest.
  const read = await readFrom(from, deepest);
  const found = read?.nodes.find((node) => node.id === leafId);
  if (found?.depth === deepest) return read;
  const leaf = await tables.messages.get(leafId);
  const depth: unknown = leaf?.depth;
  if (!leaf || isBinned(leaf) || typeof depth !== 'number') return undefined;
  // A chain that breaks off, or a depth that is wrong: damaged, and mended by reading all.
  return readFrom(Math.max(0, depth - tailLength + 1), depth);
}

/** What stands before a depth, as `loadTail` reads it. */
export async function loadBefore(
  tables: Tables,
  chatId: string,
  depth: number,
): Promise<Omit<LoadedChat, 'chat'>> {
  const from = Math.max(0, depth - tailLength);
  const read = await readBetween(tables, chatId, from, depth - 1);
  const agents = await agentRowsOf(tables, chatId);
  return { ...withAgents(read, await readAgents(tables, agents, read.nodes)), from };
}

/** Counts the depths of messages of which they are not known: those of a chat that an older version wrote. */
export async function countDepths({ messages }: Tables, nodes: readonly MessageNode[]): Promise<void> {
  const depths = depthsOf(nodes);
  const wrong = nodes.filter(({ id, depth }) => depths.get(id) !== depth);
  await messages.bulkUpdate(wrong.map(({ id }) => ({ key: id, changes: { depth: depths.get(id) } })));
}

async function readBetween(tables: Tables, chatId: string, from: number, to: number): Promise<Read> {
  const rows = await tables.messages
    .where('[chatId+depth]')
    .between([chatId, from], [chatId, to], true, true)
    .toArray();
  return readGrown(tables, rows);
}

/** Whether the branch of a leaf is there up to a depth. */
function reaches(nodes: readonly MessageNode[], leafId: string, from: number): boolean {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  let node = byId.get(leafId);
  while (node && node.depth !== from) {
    byId.delete(node.id);
    node = node.parentId === null ? undefined : byId.get(node.parentId);
  }
  return node !== undefined;
}

async function readRecord(
  tables: Tables,
  row: Pick<ChatRecord, 'id'>,
): Promise<Pick<LoadedChat, 'chat' | 'nodes' | 'damaged'>> {
  const { chat, damaged } = readChat(row);
  const read = await readGrown(tables, await tables.messages.where('chatId').equals(row.id).toArray());
  return {
    chat: withLeaf(chat, read.nodes, damaged !== undefined),
    nodes: read.nodes,
    damaged: [...(damaged ? [damaged] : []), ...read.damaged],
  };
}

/** Rows as messages, those in the bin left out, replies that were never finished put together. */
async function readGrown({ deltas }: Tables, rows: readonly MessageRow[]): Promise<Read> {
  const whole = readNodes(shownOf(rows));
  const begun = whole.nodes.filter(isBegunReply).map(({ id }) => id);
  if (begun.length === 0) return whole;
  const grown = readGrowth(whole.nodes, await deltas.where('messageId').anyOf(begun).toArray());
  return { nodes: grown.nodes, damaged: [...whole.damaged, ...grown.damaged] };
}

type Agent = Awaited<ReturnType<typeof readRecord>>;

/** Of the hidden chats of its sub-agents. */
async function agentRowsOf({ chats }: Tables, chatId: string): Promise<ChatRecord[]> {
  return shownOf(await chats.where('agentOf.chatId').equals(chatId).toArray());
}

/** The chats of sub-agents: all, or those whose calls stand in some messages, and theirs. */
async function readAgents(
  tables: Tables,
  rows: readonly ChatRecord[],
  nodes?: readonly MessageNode[],
): Promise<Agent[]> {
  if (!nodes) return Promise.all(rows.map((row) => readRecord(tables, row)));
  const found: Agent[] = [];
  let waiting = rows;
  for (let calls = callIdsOf(nodes); calls.size > 0 && waiting.length > 0;) {
    const mine = waiting.filter((row) => calls.has(readChat(row).chat.agentOf?.callId ?? ''));
    waiting = waiting.filter((row) => !mine.includes(row));
    const read = await Promise.all(mine.map((row) => readRecord(tables, row)));
    found.push(...read);
    calls = callIdsOf(read.flatMap((agent) => agent.nodes));
  }
  return found;
}

function callIdsOf(nodes: readonly MessageNode[]): Set<string> {
  return new Set(
    nodes.flatMap(({ message }) =>
      message.role === 'assistant'
        ? message.content.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []))
        : [],
    ),
  );
}

function withAgents<Own extends Pick<LoadedChat, 'damaged'>>(
  own: Own,
  agents: readonly Agent[],
): Own & Pick<LoadedChat, 'agents' | 'damaged'> {
  return {
    ...own,
    damaged: [own, ...agents].flatMap(({ damaged }) => damaged),
    agents: [...agents],
  };
}

/** A leaf that is lost would hide the whole chat. */
function withLeaf(chat: ChatRecord, nodes: readonly MessageNode[], isDamaged = false): ChatRecord {
  const isThere = chat.leafId === null ? !isDamaged : nodes.some(({ id }) => id === chat.leafId);
  return isThere ? chat : { ...chat, leafId: nodes.at(-1)?.id ?? null };
}
