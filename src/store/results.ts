/** Stores the whole text of results that were cut for the model, up to a size limit. Never evicts results of existing chats. */
import type { MessageNode } from '../contracts/chat';
import type { ResultStore } from '../contracts/store';
import { runQuery } from './storage-error';
import type { Tables } from './tables';
import { readResultToolName } from '../contracts/tool-names';

/** Maximum bytes of one result, and of all results together. */
export const maxResultBytes = { one: 4_000_000, all: 200_000_000 };

export function createResults(tables: Tables): ResultStore {
  async function hasRoom(bytes: number): Promise<boolean> {
    const sizes = await runQuery(() => tables.results.orderBy('bytes').keys());
    const used = sizes.reduce<number>((sum, size) => sum + Number(size), 0);
    return used + bytes <= maxResultBytes.all;
  }
  return {
    async keep(result) {
      const bytes = new TextEncoder().encode(result.text).length;
      if (bytes > maxResultBytes.one) return 'too-long';
      if (!(await hasRoom(bytes))) {
        await runQuery(() => deleteOrphanedResults(tables));
        if (!(await hasRoom(bytes))) return 'full';
      }
      await tables.write(['chats', 'results'], async ({ chats, results }) => {
        const isThere = (await chats.where('id').equals(result.chatId).count()) > 0;
        if (isThere) await results.put({ ...result, bytes });
      });
      return undefined;
    },
    async load(id) {
      const text: unknown = (await runQuery(() => tables.results.get(id)))?.text;
      return typeof text === 'string' ? text : undefined;
    },
  };
}

/** Deletes results whose chat is gone. Another tab may have deleted the chat while a result was being written. */
export async function deleteOrphanedResults({ chats, results }: Tables): Promise<void> {
  // Read results before chats, because a chat is written before its first result.
  const used = await results.orderBy('chatId').uniqueKeys();
  const isThere = new Set<unknown>(await chats.toCollection().primaryKeys());
  for (const chatId of used) {
    if (!isThere.has(chatId)) await results.where('chatId').equals(String(chatId)).delete();
  }
}

/** Returns the ids of the stored results of these messages. Skips `read_result`, which only reads the stored result of another message. */
export function storedResultIdsOf(nodes: readonly MessageNode[]): string[] {
  return nodes
    .flatMap(({ message }) => (message.role === 'tool' ? message.results : []))
    .flatMap(({ toolName, whole }) => (toolName === readResultToolName ? [] : (whole?.id ?? [])));
}
