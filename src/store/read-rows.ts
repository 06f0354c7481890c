/** Parses stored rows. Reports damaged ones and keeps their readable fields, so the messages after them stay visible. */
import { ChatRecord, MessageNode, MessagePosition } from '../contracts/chat';
import { appendEvent } from '../contracts/chat-logic';
import type { Origin } from '../contracts/origin';
import { read, type z } from '../contracts/schema';
import type { LoadedChat, QuarantineRecord } from '../contracts/store';
import { DeltaRecord } from './tables';
import { isSurelyValidChat } from './first-chats';

/** An unparsed row. Only the indexed fields are certain to be valid. */
export type MessageRow = Pick<MessageNode, 'id' | 'chatId'>;
type DeltaRow = Pick<DeltaRecord, 'sequence' | 'messageId'>;
export type ParsedMessages = Pick<LoadedChat, 'nodes' | 'damaged'>;

export function parseReadableRows<Row>(schema: z.ZodMiniType<Row>, rows: readonly unknown[]): Row[] {
  return rows.flatMap((row) => {
    const parsed = read(schema, row);
    return parsed.ok ? [parsed.value] : [];
  });
}

export function textAtPath(row: object, path: readonly string[]): string {
  const value = path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    row,
  );
  return typeof value === 'string' ? value : '';
}

/** Creates the row of a new reply. Checkpoints store the reply's content. */
export function createReplyRow(place: MessagePosition, origins: readonly Origin[] = []): MessageNode {
  const marks = origins.length > 0 && { origins: [...origins] };
  return { ...place, message: { role: 'assistant', content: [], finishReason: 'aborted', ...marks } };
}

/** True if the row is as `createReplyRow` made it, so the reply is only in its checkpoints. */
export function isUnfinishedReply({ message }: MessageNode): boolean {
  if (message.role !== 'assistant' || message.finishReason !== 'aborted') return false;
  return message.content.length === 0 && message.raw === undefined;
}

/** Parses the messages of a chat and sorts them so that parents come before children. */
export function readNodes(rows: readonly MessageRow[]): ParsedMessages {
  const damaged: QuarantineRecord[] = [];
  const nodes = rows.map((row) => {
    const node = read(MessageNode, row);
    if (node.ok) return node.value;
    damaged.push({ id: `messages/${row.id}`, chatId: row.chatId, row, reason: node.reason });
    return createUnreadableMessage(row, node.reason);
  });
  return { nodes: sortMessages(nodes), damaged };
}

/** Completes unfinished replies from their checkpoints, which must be sorted by sequence number. */
export function applyCheckpoints(nodes: readonly MessageNode[], deltas: readonly DeltaRow[]): ParsedMessages {
  const damaged: QuarantineRecord[] = [];
  const byMessage = new Map<string, DeltaRow[]>();
  for (const row of deltas) byMessage.set(row.messageId, []);
  for (const row of deltas) byMessage.get(row.messageId)?.push(row);

  const grown = nodes.map((node) => {
    if (node.message.role !== 'assistant') return node;
    let { content } = node.message;
    for (const row of byMessage.get(node.id) ?? []) {
      const delta = read(DeltaRecord, row);
      if (delta.ok) content = delta.value.events.reduce(appendEvent, content);
      else damaged.push({ id: `deltas/${row.sequence}`, chatId: node.chatId, row, reason: delta.reason });
    }
    return { ...node, message: { ...node.message, content } };
  });
  return { nodes: grown, damaged };
}

export function readChat(row: Pick<ChatRecord, 'id'>): { chat: ChatRecord; damaged: QuarantineRecord[] } {
  if (isSurelyValidChat(row)) return { chat: row, damaged: [] };
  const chat = read(ChatRecord, row);
  if (chat.ok) return { chat: chat.value, damaged: [] };
  const fields = Object.entries(row).filter(([field, value]) => {
    const schema = Object.entries(ChatRecord.shape).find(([name]) => name === field)?.[1];
    return schema?.safeParse(value).success;
  });
  const empty = { title: '', isNamed: false, createdAt: 0, updatedAt: 0, leafId: null, toolsOff: [] };
  return {
    chat: { ...empty, ...Object.fromEntries(fields), id: row.id },
    damaged: [{ id: `chats/${row.id}`, chatId: row.id, row, reason: chat.reason }],
  };
}

/** Creates a placeholder for an unreadable message, with its place and the reason why it cannot be shown. */
function createUnreadableMessage(row: MessageRow, reason: string): MessageNode {
  const { parentId, createdAt } = { parentId: null, createdAt: 0, ...row };
  const parent = MessagePosition.shape.parentId.safeParse(parentId);
  const created = MessagePosition.shape.createdAt.safeParse(createdAt);
  return {
    id: row.id,
    chatId: row.chatId,
    parentId: parent.success ? parent.data : null,
    createdAt: created.success ? created.data : 0,
    message: { role: 'assistant', content: [], finishReason: 'error', errorMessage: reason },
  };
}

export function subtreeIdsOf(nodes: readonly MessageNode[], id: string): Set<string> {
  const children = new Map<string | null, string[]>();
  for (const node of nodes) {
    const siblings = children.get(node.parentId);
    if (siblings) siblings.push(node.id);
    else children.set(node.parentId, [node.id]);
  }
  const ids = new Set([id]);
  // Iterating a set also visits items added meanwhile, but each only once. So this ends even if a damaged tree has a cycle.
  for (const parent of ids) for (const child of children.get(parent) ?? []) ids.add(child);
  return ids;
}

/** Sorts messages oldest first, but always a parent before its children, even if the clock was set back. */
function sortMessages(nodes: readonly MessageNode[]): MessageNode[] {
  const waiting = new Map(
    nodes
      .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
      .map((node) => [node.id, node]),
  );
  const ordered: MessageNode[] = [];
  for (const first of waiting.values()) {
    const line: MessageNode[] = [];
    for (let node: MessageNode | undefined = first; node;) {
      line.push(node);
      waiting.delete(node.id);
      node = node.parentId === null ? undefined : waiting.get(node.parentId);
    }
    ordered.push(...line.reverse());
  }
  return ordered;
}

/** Whether a row is in the bin. Code that reads rows for a screen, a model or the search must skip these rows, using `withoutBinned`. */
export function isBinned(row: object): boolean {
  return 'deletedAt' in row && typeof row.deletedAt === 'number';
}

export function withoutBinned<Row extends object>(rows: readonly Row[]): Row[] {
  return rows.filter((row) => !isBinned(row));
}

/** For each message, returns the number of messages before it in its branch. Expects parents before children. */
export function depthsOf(nodes: readonly MessageNode[]): Map<string, number> {
  const depths = new Map<string, number>();
  for (const { id, parentId } of nodes) {
    const parent = parentId === null ? undefined : depths.get(parentId);
    depths.set(id, parent === undefined ? 0 : parent + 1);
  }
  return depths;
}

/** Moves messages to the top of the tree if their parent is missing or their parents form a cycle. `movedCount`: number of moved ones. */
export function repairTree(nodes: readonly MessageNode[]): { nodes: MessageNode[]; movedCount: number } {
  const parents = new Map(nodes.map(({ id, parentId }) => [id, parentId]));
  const settled = new Set<string>();
  const uprooted = new Set<string>();
  for (const { id } of nodes) {
    const line = new Set<string>();
    let at: string | null = id;
    while (at !== null && !settled.has(at)) {
      line.add(at);
      const parent: string | null = parents.get(at) ?? null;
      if (parent !== null && (!parents.has(parent) || line.has(parent))) {
        uprooted.add(at);
        parents.set(at, null);
        at = null;
      } else at = parent;
    }
    for (const seen of line) settled.add(seen);
  }
  if (uprooted.size === 0) return { nodes: [...nodes], movedCount: 0 };
  // Drop the depths, which belong to the old tree. The next load counts them again.
  const repaired = nodes.map((node) => {
    const { depth, ...rest } = node;
    const parentId = uprooted.has(node.id) ? null : node.parentId;
    return depth === undefined && parentId === node.parentId ? node : { ...rest, parentId };
  });
  return { nodes: repaired, movedCount: uprooted.size };
}
