/** Keeps the log of what left the device: the newest requests, for the person to look through. */
import { liveQuery } from 'dexie';
import { RequestRecord } from '../contracts/egress';
import { read } from '../contracts/schema';
import type { Database } from './database';
import { attempt, toAppError } from './storage-error';
import type { RequestStore } from '../contracts/store';

export const keptRequests = 500;

export class Requests implements RequestStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(record: RequestRecord): Promise<void> {
    const { requests } = this.#database;
    await attempt(() =>
      this.#database.transaction('rw', requests, async () => {
        await requests.add(record);
        const surplus = (await requests.count()) - keptRequests;
        if (surplus <= 0) return;
        await requests.bulkDelete(await requests.orderBy('at').limit(surplus).primaryKeys());
      }),
    );
  }

  watch(onList: (records: RequestRecord[]) => void, onError: (error: Error) => void): () => void {
    const { requests } = this.#database;
    const subscription = liveQuery(() => requests.orderBy('at').reverse().toArray()).subscribe({
      // A row that cannot be read is left out of the list, and where it is.
      next: (rows) => onList(rows.flatMap(readRow)),
      error: (error: unknown) => onError(toAppError(error)),
    });
    return () => subscription.unsubscribe();
  }

  async clear(): Promise<void> {
    await attempt(() => this.#database.requests.clear());
  }
}

function readRow(row: unknown): RequestRecord[] {
  const record = read(RequestRecord, row);
  return record.ok ? [record.value] : [];
}
