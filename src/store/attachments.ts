/** Stores the files of messages and drafts. Each row contains a file and the text extracted from it. */
import { Draft, FollowUp, type MessageNode } from '../contracts/chat';
import type { AttachedItem, AttachedFile } from '../contracts/message';
import { read, z } from '../contracts/schema';
import type { AttachmentStore, StoredAttachment } from '../contracts/store';
import { readNodes } from './read-rows';
import { runQuery, runWrite } from './storage-error';
import type { Tables } from './tables';

export function createAttachments(tables: Tables): AttachmentStore {
  return {
    add: (attachment) => runWrite(() => tables.attachments.put(attachment)),
    async load(id) {
      const row: unknown = await runQuery(() => tables.attachments.get(id));
      return isAttachment(row) ? row : undefined;
    },
    remove: (id) => runQuery(() => tables.attachments.delete(id)),
  };
}

export function attachedFilesIn(attached: readonly AttachedItem[] = []): AttachedFile[] {
  return attached.filter((one) => 'fileId' in one);
}

export function fileIdsOf(nodes: readonly MessageNode[]): Set<string> {
  const attached = nodes.flatMap(({ message }) => (message.role === 'user' ? (message.attached ?? []) : []));
  return new Set(attachedFilesIn(attached).map(({ fileId }) => fileId));
}

export function isAttachment(row: unknown): row is StoredAttachment {
  const areTexts = hasTextFields(row, ['id', 'chatId', 'name', 'kind', 'type', 'text']);
  return areTexts && 'data' in row && row.data instanceof Uint8Array;
}

/** Whether a row has `createdAt` and these text fields. Does not use zod, which would copy large fields. */
export function hasTextFields(row: unknown, fields: readonly (keyof StoredAttachment)[]): row is object {
  if (typeof row !== 'object' || row === null) return false;
  const areTexts = fields.every((field) => typeof Reflect.get(row, field) === 'string');
  return areTexts && typeof Reflect.get(row, 'createdAt') === 'number';
}

/** Ages of the files to check, in milliseconds. A newer file's draft may not be saved yet. Earlier visits already checked older files. */
const [minAgeMs, maxAgeMs] = [60 * 60_000, 7 * 24 * 60 * 60_000];

/** Deletes files that no message or draft references. Such a file remains if the page is closed before it saves the draft. */
export async function deleteStrayFiles(tables: Tables, now: number): Promise<void> {
  for (const key of await tables.attachments.orderBy('chatId').uniqueKeys()) {
    const chatId = String(key);
    await tables.write(['attachments', 'drafts', 'followUps', 'messages'], async (within) => {
      const { attachments, drafts, followUps, messages } = within;
      const ids = await attachments
        .where('chatId')
        .equals(chatId)
        .filter(({ createdAt }) => now - createdAt > minAgeMs && now - createdAt < maxAgeMs)
        .primaryKeys();
      if (ids.length === 0) return;
      const { nodes, damaged } = readNodes(await messages.where('chatId').equals(chatId).toArray());
      const draft = read(z.optional(Draft), await drafts.get(chatId));
      const waiting = read(z.array(FollowUp), await followUps.where('chatId').equals(chatId).toArray());
      // An unreadable row may reference some of these files, so keep them all.
      if (damaged.length > 0 || !draft.ok || !waiting.ok) return;
      const named = [draft.value, ...waiting.value].flatMap((one) => attachedFilesIn(one?.attached));
      const used = new Set([...fileIdsOf(nodes), ...named.map(({ fileId }) => fileId)]);
      await attachments.bulkDelete(ids.filter((id) => !used.has(id)));
    });
  }
}
