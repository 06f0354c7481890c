/**
 * Parses stored rows into chats and messages. A damaged row is reported, and its readable fields keep its place, so that it never hides
 * what follows it.
 */
import { ChatRecord, MessageNode, Place } from '../contracts/chat';
import type { AssistantMessage } from '../contracts/message';
import { appendEvent } from '../contracts/chat-logic';
import { read } from '../contracts/schema';
import type { QuarantineRecord } from '../contracts/store';
import { DeltaRecord } from './tables';
import { isPlainChat } from './first-chats';
import { inOrder } from './tree';

/** A row as stored. Only the indexed fields are certain. */
export type MessageRow = Pick<MessageNode, 'id' | 'chatId'>;
type DeltaRow = Pick<DeltaRecord, 'sequence' | 'messageId'>;

/** Makes the row of a new reply. Its content is in its checkpoints. */
export function beginReply(place: Place): MessageNode {
  return { ...place, message: interruptedReply('aborted') };
}

/** Whether a row was made by `beginReply`. Only such rows have checkpoints: writing the whole message deletes them. */
export function isBegunReply({ message }: MessageNode): boolean {
  if (message.role !== 'assistant' || message.finishReason !== 'aborted') return false;
  return message.content.length === 0 && message.raw === undefined;
}

/** Parses the messages of a chat, and sorts parents before children. */
export function readNodes(rows: readonly MessageRow[]): {
  nodes: MessageNode[];
  damaged: QuarantineRecord[];
} {
  const damaged: QuarantineRecord[] = [];
  const nodes = rows.map((row) => {
    const node = read(MessageNode, row);
    if (node.ok) return node.value;
    damaged.push({ id: `messages/${row.id}`, chatId: row.chatId, row, reason: node.reason });
    return unreadableMessage(row, node.reason);
  });
  return { nodes: inOrder(nodes), damaged };
}

/** Completes unfinished replies from their checkpoints, which must be sorted by sequence. */
export function readGrowth(
  nodes: readonly MessageNode[],
  deltas: readonly DeltaRow[],
): { nodes: MessageNode[]; damaged: QuarantineRecord[] } {
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

/** Parses a chat record. A damaged one keeps its readable fields. */
export function readChat(row: Pick<ChatRecord, 'id'>): { chat: ChatRecord; damaged?: QuarantineRecord } {
  if (isPlainChat(row)) return { chat: row };
  const chat = read(ChatRecord, row);
  if (chat.ok) return { chat: chat.value };
  const fields = Object.entries(row).filter(([field, value]) => {
    const schema = Object.entries(ChatRecord.shape).find(([name]) => name === field)?.[1];
    return schema?.safeParse(value).success;
  });
  const empty = { title: '', isNamed: false, createdAt: 0, updatedAt: 0, leafId: null, toolsOff: [] };
  return {
    chat: { ...empty, ...Object.fromEntries(fields), id: row.id },
    damaged: { id: `chats/${row.id}`, chatId: row.id, row, reason: chat.reason },
  };
}

/** Makes a placeholder for an unreadable message: its place, and why it cannot be shown. */
function unreadableMessage(row: MessageRow, reason: string): MessageNode {
  const { parentId, createdAt } = { parentId: null, createdAt: 0, ...row };
  const parent = Place.shape.parentId.safeParse(parentId);
  const created = Place.shape.createdAt.safeParse(createdAt);
  return {
    id: row.id,
    chatId: row.chatId,
    parentId: parent.success ? parent.data : null,
    createdAt: created.success ? created.data : 0,
    message: interruptedReply('error', reason),
  };
}

function interruptedReply(finishReason: 'aborted' | 'error', errorMessage?: string): AssistantMessage {
  return {
    role: 'assistant',
    content: [],
    finishReason,
    ...(errorMessage !== undefined && { errorMessage }),
  };
}
