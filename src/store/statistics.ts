/** Keeps how each tool has fared: one row a tool, which every call adds to. */
import { liveQuery } from 'dexie';
import { read } from '../contracts/schema';
import { ToolStatistics } from '../contracts/tool-statistics';
import type { Database } from './database';
import { attempt, toAppError } from './storage-error';
import type { StatisticsStore } from '../contracts/store';

export class Statistics implements StatisticsStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** In one transaction: two tabs may count at once. */
  async add(added: ToolStatistics): Promise<void> {
    const { toolStatistics } = this.#database;
    await attempt(() =>
      this.#database.transaction('rw', toolStatistics, async () => {
        const [known] = readRow(await toolStatistics.get(added.name));
        await toolStatistics.put(known ? sum(known, added) : added);
      }),
    );
  }

  watch(onList: (list: ToolStatistics[]) => void, onError: (error: Error) => void): () => void {
    const { toolStatistics } = this.#database;
    const subscription = liveQuery(() => toolStatistics.toArray()).subscribe({
      next: (rows) => onList(rows.flatMap(readRow)),
      error: (error: unknown) => onError(toAppError(error)),
    });
    return () => subscription.unsubscribe();
  }
}

export function sum(one: ToolStatistics, other: ToolStatistics): ToolStatistics {
  return {
    name: one.name,
    calls: one.calls + other.calls,
    failures: one.failures + other.failures,
    repairs: one.repairs + other.repairs,
    totalMs: one.totalMs + other.totalMs,
  };
}

/** A row that cannot be read counts for nothing: the next call begins another in its place. */
function readRow(row: unknown): ToolStatistics[] {
  const statistics = read(ToolStatistics, row);
  return statistics.ok ? [statistics.value] : [];
}
