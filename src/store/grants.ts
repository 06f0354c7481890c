/** Keeps what a person allowed for longer than one call. */
import { liveQuery } from 'dexie';
import { Grant } from '../contracts/permission';
import { read } from '../contracts/schema';
import { isGrantOfTool, nameOfTool } from './custom-tools';
import type { Database } from './database';
import { isGrantOf } from './mcp-servers';
import { attempt, toAppError } from './storage-error';
import { shownOf } from './tree';
import type { GrantStore } from '../contracts/store';

export class Grants implements GrantStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(): Promise<Grant[]> {
    const [rows, isOfBin]: [unknown[], (grant: Grant) => boolean] = await attempt(() =>
      Promise.all([this.#database.grants.toArray(), this.#readBin()]),
    );
    // A row that cannot be read allows nothing.
    const grants = rows.map((row) => read(Grant, row)).flatMap((grant) => (grant.ok ? [grant.value] : []));
    return grants.filter((grant) => !isOfBin(grant)).sort((a, b) => b.createdAt - a.createdAt);
  }

  /** What was allowed to something in the bin, or in a chat that is there: it comes back with it. */
  async #readBin(): Promise<(grant: Grant) => boolean> {
    const { chats, mcpServers, customTools } = this.#database;
    const [ofChats, servers, tools] = await Promise.all([
      chats.where('deletedAt').above(0).primaryKeys(),
      mcpServers.where('deletedAt').above(0).primaryKeys(),
      customTools.where('deletedAt').above(0).toArray(),
    ]);
    const shown = tools.length === 0 ? [] : shownOf(await customTools.toArray());
    const taken = new Set(shown.map(nameOfTool));
    const names = tools.map(nameOfTool).filter((name) => !taken.has(name));
    return (grant) =>
      ofChats.some((id) => id === grant.chatId) ||
      servers.some((id) => isGrantOf(id, grant)) ||
      names.some((name) => isGrantOfTool(name, grant));
  }

  watch(onList: (grants: Grant[]) => void, onError: (error: Error) => void): () => void {
    const subscription = liveQuery(() => this.list()).subscribe({
      next: onList,
      error: (error: unknown) => onError(toAppError(error)),
    });
    return () => subscription.unsubscribe();
  }

  async add(grant: Grant): Promise<void> {
    const { grants, chats } = this.#database;
    await attempt(() =>
      this.#database.transaction('rw', grants, chats, async () => {
        // The chat may have been deleted meanwhile: no permission for it may stay behind.
        if (grant.chatId !== null && !(await chats.get(grant.chatId))) return;
        await grants.put(grant);
      }),
    );
  }

  async remove(id: string): Promise<void> {
    await attempt(() => this.#database.grants.delete(id));
  }
}
