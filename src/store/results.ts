/** Keeps results whole that were too long for a model, within bounds: those of chats that are there are never dropped for others. */
import type { MessageNode } from '../contracts/chat';
import type { KeptResult, ResultStore } from '../contracts/store';
import { readResultName } from '../contracts/whole-result';
import type { Database } from './database';
import { attempt } from './storage-error';

/** Bytes of one result, and of all together. */
export const mostResultBytes = { one: 4_000_000, all: 200_000_000 };

export class Results implements ResultStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async keep(result: KeptResult): Promise<'full' | 'too-long' | undefined> {
    const bytes = bytesOf(result.text);
    if (bytes > mostResultBytes.one) return 'too-long';
    if (!(await this.#hasRoom(bytes))) {
      await attempt(() => dropOrphans(this.#database));
      if (!(await this.#hasRoom(bytes))) return 'full';
    }
    const { chats, results } = this.#database;
    await attempt(() =>
      this.#database.transaction('rw', chats, results, async () => {
        const isThere = (await chats.where({ id: result.chatId }).count()) > 0;
        if (isThere) await results.put({ ...result, bytes });
      }),
    );
    return undefined;
  }

  load(id: string): Promise<string | undefined> {
    return attempt(async () => {
      const text: unknown = (await this.#database.results.get(id))?.text;
      return typeof text === 'string' ? text : undefined;
    });
  }

  async #hasRoom(bytes: number): Promise<boolean> {
    // By the index alone: no text is read.
    const sizes = await attempt(() => this.#database.results.orderBy('bytes').keys());
    const used = sizes.reduce<number>((sum, size) => sum + Number(size), 0);
    return used + bytes <= mostResultBytes.all;
  }
}

/** Results whose chat is gone: another tab may have deleted it while one was being written. */
export async function dropOrphans({ chats, results }: Database): Promise<void> {
  // In this order: a chat is there before its first result.
  const used = await results.orderBy('chatId').uniqueKeys();
  const isThere = new Set<unknown>(await chats.toCollection().primaryKeys());
  for (const chatId of used) if (!isThere.has(chatId)) await results.where('chatId').equals(chatId).delete();
}

/** Ids of the results that go with these messages. What was read again belongs to the message that brought it first. */
export function keptResultsOf(nodes: readonly MessageNode[]): string[] {
  return nodes
    .flatMap(({ message }) => (message.role === 'tool' ? message.results : []))
    .flatMap(({ toolName, whole }) => (toolName === readResultName ? [] : (whole?.id ?? [])));
}

export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
