/**
 * The bin: what was deleted, each row still in its table, with a mark. What is deleted for good is looked at once more in the transaction
 * that deletes it: a tab that restored it meanwhile wins.
 */
import { liveQuery } from 'dexie';
import type { BinEntry, BinKind, BinPlace } from '../contracts/bin';
import type { BinStore } from '../contracts/store';
import { entriesOfMessages, entryOf, entryOfRow } from './bin-entries';
import { binnedKinds } from './bin-kinds';
import { entryOfModel } from './bin-models';
import type { BinnedKind, BinnedStores } from './binned-kind';
import type { Database } from './database';
import { readChat, readNodes } from './read-rows';
import { attempt, toAppError } from './storage-error';
import { isBinned } from './tree';

export class Bin implements BinStore {
  readonly #database: Database;
  readonly #kept: BinnedStores;
  readonly #kinds: Readonly<Record<BinKind, BinnedKind>>;
  readonly #now: () => number;

  constructor(database: Database, kept: BinnedStores, now: () => number) {
    this.#database = database;
    this.#kept = kept;
    this.#kinds = binnedKinds(database, kept);
    this.#now = now;
  }

  put(places: readonly BinPlace[]): Promise<void> {
    const deletedAt = this.#now();
    return this.#write(async () => {
      for (const { kind, id } of places) await this.#kinds[kind].put(id, deletedAt);
    });
  }

  watch(onList: (entries: BinEntry[]) => void, onError: (error: Error) => void): () => void {
    const subscription = liveQuery(() => this.#list()).subscribe({
      next: onList,
      error: (error: unknown) => onError(toAppError(error)),
    });
    return () => subscription.unsubscribe();
  }

  restore({ kind, id }: BinPlace): Promise<boolean> {
    return this.#write(() => this.#kinds[kind].restore(id));
  }

  restoreAll(places: readonly BinPlace[]): Promise<void> {
    return this.#write(async () => {
      for (const { kind, id } of places) await this.#kinds[kind].restore(id);
    });
  }

  purge(places: readonly BinPlace[]): Promise<void> {
    return this.#write(async () => {
      for (const place of places) await this.#purge(place, Infinity);
    });
  }

  async purgeBefore(time: number): Promise<void> {
    // One after another: nobody waits for it, and what a person writes meanwhile waits for one at most.
    for (const entry of await this.#list())
      if (entry.deletedAt < time) await this.#write(() => this.#purge(entry, time));
  }

  async #purge({ kind, id }: BinPlace, before: number): Promise<void> {
    const { deletedAt, remove } = this.#kinds[kind];
    if (((await deletedAt(id)) ?? Infinity) < before) await remove(id);
  }

  #list(): Promise<BinEntry[]> {
    return attempt(async () => {
      const { customTools, notes, prompts, personas, mcpServers } = this.#database;
      const [chats, tools, kept, own, people, servers, { binnedModels = [] }] = await Promise.all([
        this.#listChats(),
        customTools.where('deletedAt').above(0).toArray(),
        notes.where('deletedAt').above(0).toArray(),
        prompts.where('deletedAt').above(0).toArray(),
        personas.where('deletedAt').above(0).toArray(),
        mcpServers.where('deletedAt').above(0).toArray(),
        this.#kept.settings.load(),
      ]);
      return [
        ...chats,
        ...tools.map((row) => entryOfRow('tool', row)),
        ...kept.map((row) => entryOfRow('note', row)),
        ...own.map((row) => entryOfRow('prompt', row)),
        ...people.map((row) => entryOfRow('persona', row)),
        ...servers.map((row) => entryOfRow('server', row)),
        ...binnedModels.map(entryOfModel),
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

  /** On all tables: what is deleted for good is in many. */
  #write<Value>(scope: () => Promise<Value>): Promise<Value> {
    // An async function: of any other Dexie does not know that it waits.
    return attempt(() => this.#database.transaction('rw', this.#database.tables, async () => scope()));
  }
}
