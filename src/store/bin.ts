/**
 * The bin: what was deleted, each row still in its table, with a mark. What is deleted for good is looked at once more in the transaction
 * that deletes it: a tab that restored it meanwhile wins.
 */
import { liveQuery } from 'dexie';
import type { BinEntry, BinKind, BinPlace } from '../contracts/bin';
import type { BinStore, ChatStore, Store } from '../contracts/store';
import { binChat, binMessages, restoreChat, restoreMessages } from './bin-chats';
import { deletedAtOf, entriesOfMessages, entryOf, nameIn } from './bin-entries';
import type { Database } from './database';
import { readChat, readNodes } from './read-rows';
import { attempt, toAppError } from './storage-error';
import { isBinned } from './tree';

/** How each kind is deleted for good: by what keeps it. */
export type Removers = Pick<ChatStore, 'delete' | 'removeFrom'> &
  Record<'persona' | 'tool' | 'note' | 'server', (id: string) => Promise<void>>;

export class Bin implements BinStore {
  readonly #database: Database;
  readonly #removers: Removers;
  readonly #now: () => number;

  constructor(database: Database, removers: Removers, now: () => number) {
    this.#database = database;
    this.#removers = removers;
    this.#now = now;
  }

  put(places: readonly BinPlace[]): Promise<void> {
    const deletedAt = this.#now();
    return this.#write(async () => {
      for (const { kind, id } of places) {
        if (kind === 'chat') await binChat(this.#database, id, deletedAt);
        else if (kind === 'messages') await binMessages(this.#database, id, deletedAt);
        else {
          const table = this.#tableOf(kind);
          const row = await table.get(id);
          if (row && !isBinned(row)) await table.update(id, { deletedAt });
        }
      }
    });
  }

  watch(onList: (entries: BinEntry[]) => void, onError: (error: Error) => void): () => void {
    const subscription = liveQuery(() => this.#list()).subscribe({
      next: onList,
      error: (error: unknown) => onError(toAppError(error)),
    });
    return () => subscription.unsubscribe();
  }

  restore(place: BinPlace): Promise<boolean> {
    return this.#write(() => this.#restore(place));
  }

  restoreAll(places: readonly BinPlace[]): Promise<void> {
    return this.#write(async () => {
      for (const place of places) await this.#restore(place);
    });
  }

  async #restore({ kind, id }: BinPlace): Promise<boolean> {
    if (kind === 'chat') return restoreChat(this.#database, id);
    if (kind === 'messages') return restoreMessages(this.#database, id);
    const table = this.#tableOf(kind);
    if (!(await table.get(id))) return false;
    await table.update(id, { deletedAt: undefined });
    return true;
  }

  async purge(places: readonly BinPlace[]): Promise<void> {
    // One after another: each is whole or not begun, and a tab that restores another waits for one at most.
    for (const place of places) await this.#purge(place);
  }

  async purgeBefore(time: number): Promise<void> {
    for (const entry of await this.#list()) if (entry.deletedAt < time) await this.#purge(entry, time);
  }

  #purge({ kind, id }: BinPlace, before = Infinity): Promise<void> {
    return this.#write(async () => {
      const row: object | undefined = await this.#tableOf(kind).get(id);
      if (!row || deletedAtOf(row) >= before) return;
      if (kind === 'chat') await this.#removers.delete(id);
      else if (kind === 'messages') await this.#removers.removeFrom(id);
      else await this.#removers[kind](id);
    });
  }

  #list(): Promise<BinEntry[]> {
    return attempt(async () => {
      const { customTools, notes, personas, mcpServers } = this.#database;
      const [chats, tools, kept, people, servers] = await Promise.all([
        this.#listChats(),
        customTools.where('deletedAt').above(0).toArray(),
        notes.where('deletedAt').above(0).toArray(),
        personas.where('deletedAt').above(0).toArray(),
        mcpServers.where('deletedAt').above(0).toArray(),
      ]);
      return [
        ...chats,
        ...tools.map((row) => entryOf('tool', row, nameIn(row, 'content', 'title'))),
        ...kept.map((row) => entryOf('note', row, nameIn(row, 'text'))),
        ...people.map((row) => entryOf('persona', row, nameIn(row, 'content', 'name'))),
        ...servers.map((row) => entryOf('server', row, nameIn(row, 'name'))),
      ].sort((a, b) => b.deletedAt - a.deletedAt);
    });
  }

  async #listChats(): Promise<BinEntry[]> {
    const { chats, messages } = this.#database;
    const rows = await chats.where('deletedAt').above(0).toArray();
    const read = rows.map((row) => readChat(row).chat).filter(({ agentOf }) => !agentOf);
    const { nodes } = readNodes(await messages.where('deletedAt').above(0).toArray());
    const keys = [...new Set(nodes.map(({ chatId }) => chatId))];
    const found = await chats.bulkGet(keys);
    // Of a chat that is in the bin itself, they come back when it does.
    const isShown = new Set(keys.filter((_, at) => found[at] && !isBinned(found[at])));
    const inShown = nodes.filter(({ chatId }) => isShown.has(chatId));
    return [...read.map((chat) => entryOf('chat', chat, chat.title)), ...entriesOfMessages(inShown)];
  }

  #tableOf(kind: BinKind) {
    const { chats, messages, customTools, notes, personas, mcpServers } = this.#database;
    const tables = {
      chat: chats,
      messages,
      tool: customTools,
      note: notes,
      persona: personas,
      server: mcpServers,
    };
    return tables[kind];
  }

  /** On all tables: what is deleted for good is in many. */
  #write<Value>(scope: () => Promise<Value>): Promise<Value> {
    // An async function: of any other Dexie does not know that it waits.
    return attempt(() => this.#database.transaction('rw', this.#database.tables, async () => scope()));
  }
}

/** What the bin deletes with, of a store. */
export function removersOf(
  store: Pick<Store, 'chats' | 'personas' | 'customTools' | 'notes' | 'mcpServers'>,
): Removers {
  const { chats, personas, customTools, notes, mcpServers } = store;
  return {
    delete: (id) => chats.delete(id),
    removeFrom: (id) => chats.removeFrom(id),
    persona: (id) => personas.remove(id),
    tool: (id) => customTools.remove(id),
    note: (id) => notes.remove(id),
    server: (id) => mcpServers.remove(id),
  };
}
