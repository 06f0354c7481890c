/**
 * Counts the messages, so that a loss is noticed.
 *
 * The count changes in the transaction that writes or deletes messages, so a kill leaves both or neither. The
 * sentinel outside is told after the commit, so a kill between the two leaves it behind, which is no alarm: it
 * is ahead only if the database forgot what it had committed.
 */
import { Dexie } from 'dexie';
import { read } from '../contracts/schema';
import type { Shortage } from '../contracts/store';
import { type Database, TallyRecord } from './database';
import type { Sentinel } from './sentinel';

export const tallyId = 'messages';
const id = tallyId;

export class Tally {
  readonly #database: Database;
  readonly #sentinel: Sentinel;

  constructor(database: Database, sentinel: Sentinel) {
    this.#database = database;
    this.#sentinel = sentinel;
  }

  /** To be called in the transaction that changes the messages. */
  async add(change: { written?: number; deleted?: number }): Promise<void> {
    const next = countOn(await this.#database.tally.get(id), change);
    await this.#database.tally.put(next);
    Dexie.currentTransaction.on('complete', () => this.#sentinel.remember(next));
  }

  /**
   * Where the sentinel knows of more, the database fell back to an older state. Writes that down in the database,
   * before anything else is written there: it must outlast what this visit adds.
   */
  async catchUp(): Promise<void> {
    const { tally } = this.#database;
    // Before the transaction: what the sentinel knows by then is what had been committed by then.
    const remembered = this.#sentinel.read();
    await this.#database.transaction('rw', tally, async () => {
      const { written, deleted } = await this.#read();
      if (written >= remembered.written) return;
      // Deletions were forgotten too, so some rows may be back: never expect fewer than there were in either state.
      const isLonger = remembered.written - remembered.deleted > written - deleted;
      await tally.put({ id, written: remembered.written, deleted: isLonger ? remembered.deleted : deleted });
    });
  }

  async check(): Promise<Shortage | undefined> {
    const { tally, messages } = this.#database;
    const [{ written, deleted }, found] = await this.#database.transaction('r', tally, messages, () =>
      Promise.all([this.#read(), messages.count()]),
    );
    const expected = written - deleted;
    if (found < expected) return { expected, found };
    // More than were counted: the tally itself was lost. Left so, it would hide the next loss.
    if (found > expected) await this.accept();
    return undefined;
  }

  /** Accepts the rows that are there as all there are, and counts on from them. */
  async accept(): Promise<void> {
    const { tally, messages } = this.#database;
    await this.#database.transaction('rw', tally, messages, async () => {
      const { written, deleted } = await this.#read();
      const found = await messages.count();
      const next = {
        written: Math.max(written, deleted + found),
        deleted: Math.max(deleted, written - found),
      };
      await tally.put({ id, ...next });
    });
  }

  async #read(): Promise<TallyRecord> {
    return countOn(await this.#database.tally.get(id), {});
  }
}

/** The row that comes after this one. */
export function countOn(row: unknown, change: { written?: number; deleted?: number }): TallyRecord {
  const kept = read(TallyRecord, row);
  const { written, deleted } = kept.ok ? kept.value : { written: 0, deleted: 0 };
  return { id, written: written + (change.written ?? 0), deleted: deleted + (change.deleted ?? 0) };
}
