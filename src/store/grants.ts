/** Keeps what a person allowed for longer than one call. */
import { liveQuery } from 'dexie';
import { Grant } from '../contracts/permission';
import { read } from '../contracts/schema';
import type { Database } from './database';
import { attempt, toAppError } from './storage-error';
import type { GrantStore } from '../contracts/store';

export class Grants implements GrantStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(): Promise<Grant[]> {
    const rows: unknown[] = await attempt(() => this.#database.grants.toArray());
    // A row that cannot be read allows nothing.
    const grants = rows.map((row) => read(Grant, row)).flatMap((grant) => (grant.ok ? [grant.value] : []));
    return grants.sort((a, b) => b.createdAt - a.createdAt);
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
