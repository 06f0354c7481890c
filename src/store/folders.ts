/** Keeps the folders of the list of chats. */
import { liveQuery } from 'dexie';
import { Folder } from '../contracts/folder';
import { read } from '../contracts/schema';
import type { FolderStore } from '../contracts/store';
import type { Database } from './database';
import { attempt, toAppError } from './storage-error';

export class Folders implements FolderStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  watch(onList: (folders: Folder[]) => void, onError: (error: Error) => void): () => void {
    const { folders } = this.#database;
    const subscription = liveQuery((): Promise<unknown[]> => folders.toArray()).subscribe({
      next: (rows) => onList(readFolders(rows)),
      error: (error: unknown) => onError(toAppError(error)),
    });
    return () => subscription.unsubscribe();
  }

  async save(folder: Folder): Promise<void> {
    await attempt(() => this.#database.folders.put(folder));
  }

  async remove(id: string): Promise<void> {
    await attempt(() => this.#database.folders.delete(id));
  }
}

/** One that cannot be read is left out: its chats are shown, in none. */
function readFolders(rows: readonly unknown[]): Folder[] {
  return rows
    .flatMap((row) => {
      const folder = read(Folder, row);
      return folder.ok ? [folder.value] : [];
    })
    .sort((a, b) => a.createdAt - b.createdAt);
}
