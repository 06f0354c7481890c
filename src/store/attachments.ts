/** Keeps the files of messages and of drafts: a row each, with the file itself and what was read of it. */
import { Draft, type MessageNode } from '../contracts/chat';
import { FollowUp } from '../contracts/follow-up';
import type { Attached, AttachedFile } from '../contracts/message';
import { read, z } from '../contracts/schema';
import type { AttachmentStore, KeptAttachment } from '../contracts/store';
import type { Database } from './database';
import { readNodes } from './read-rows';
import { attempt } from './storage-error';

export class Attachments implements AttachmentStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(attachment: KeptAttachment): Promise<void> {
    await attempt(() => this.#database.attachments.put(attachment));
  }

  async load(id: string): Promise<KeptAttachment | undefined> {
    const row: unknown = await attempt(() => this.#database.attachments.get(id));
    return isAttachment(row) ? row : undefined;
  }

  async remove(id: string): Promise<void> {
    await attempt(() => this.#database.attachments.delete(id));
  }
}

export function filesIn(attached: readonly Attached[] = []): AttachedFile[] {
  return attached.filter((one) => 'fileId' in one);
}

/** Ids of the files that go with these messages. */
export function filesOf(nodes: readonly MessageNode[]): Set<string> {
  const attached = nodes.flatMap(({ message }) => (message.role === 'user' ? (message.attached ?? []) : []));
  return new Set(filesIn(attached).map(({ fileId }) => fileId));
}

/** A row that is read by its parts: a table of large rows is checked without a copy of each. */
export function isAttachment(row: unknown): row is KeptAttachment {
  if (typeof row !== 'object' || row === null) return false;
  const { id, chatId, name, kind, type, text, data, createdAt } = row as Partial<
    Record<keyof KeptAttachment, unknown>
  >;
  const areTexts = [id, chatId, name, kind, type, text].every((value) => typeof value === 'string');
  return areTexts && data instanceof Uint8Array && typeof createdAt === 'number';
}

/**
 * Milliseconds. A file is added before the draft that names it is written, and the page may be at it just now; one that is older than a
 * week was looked at before.
 */
const [graceMs, lookedAtMs] = [60 * 60_000, 7 * 24 * 60 * 60_000];

/** Files that nothing names: a page that was ended between the file and its draft left them. For this all messages of a chat are read. */
export async function dropStrayFiles(database: Database, now: number): Promise<void> {
  const { attachments, drafts, followUps, messages } = database;
  for (const chatId of await attachments.orderBy('chatId').uniqueKeys()) {
    await database.transaction('rw', attachments, drafts, followUps, messages, async () => {
      const fresh = attachments.where({ chatId }).filter(({ createdAt }) => {
        return now - createdAt > graceMs && now - createdAt < lookedAtMs;
      });
      const ids = await fresh.primaryKeys();
      if (ids.length === 0) return;
      const { nodes, damaged } = readNodes(await messages.where({ chatId }).toArray());
      const draft = read(z.optional(Draft), await drafts.get(chatId as string));
      const waiting = read(z.array(FollowUp), await followUps.where({ chatId }).toArray());
      // What cannot be read may name them.
      if (damaged.length > 0 || !draft.ok || !waiting.ok) return;
      const used = new Set([
        ...filesOf(nodes),
        ...[draft.value, ...waiting.value].flatMap((one) =>
          filesIn(one?.attached).map(({ fileId }) => fileId),
        ),
      ]);
      await attachments.bulkDelete(ids.filter((id) => !used.has(id)));
    });
  }
}
