/**
 * Counts the messages, so that a loss is noticed.
 *
 * The count changes in the transaction that writes or deletes messages, so a kill leaves both or neither. The
 * sentinel outside is told after the commit, so a kill between the two leaves it behind, which is no alarm: it
 * is ahead only if the database forgot what it had committed.
 */
import { read } from '../contracts/schema';
import type { Shortage } from '../contracts/store';
import type { Sentinel } from './sentinel';
import { TallyRecord, type Tables } from './tables';

export const tallyId = 'messages';
const id = tallyId;

export class Tally {
  readonly #tables: Tables;
  readonly #sentinel: Sentinel;

  constructor(tables: Tables, sentinel: Sentinel) {
    this.#tables = tables;
    this.#sentinel = sentinel;
  }

  /** Call it in the transaction that changes the messages. */
  async add(tables: Tables, change: { written?: number; deleted?: number }): Promise<void> {
    const next = countOn(await tables.tally.get(id), change);
    await tables.tally.put(next);
    tables.onCommit(() => this.#sentinel.remember(next));
  }

  /**
   * Where the sentinel knows of more, the database fell back to an older state. Writes that down in the database,
   * before anything else is written there: it must outlast what this visit adds.
   */
  async catchUp(): Promise<void> {
    // Read before the transaction, so that it was committed before the transaction.
    const remembered = this.#sentinel.read();
    await this.#tables.write(['tally'], async ({ tally }) => {
      const { written, deleted } = countOn(await tally.get(id), {});
      if (written >= remembered.written) return;
      // Deletions were forgotten too, so some rows may be back: never expect fewer than there were in either state.
      const isLonger = remembered.written - remembered.deleted > written - deleted;
      await tally.put({ id, written: remembered.written, deleted: isLonger ? remembered.deleted : deleted });
    });
  }

  async check(): Promise<Shortage | undefined> {
    const [{ written, deleted }, found] = await this.#tables.read(['tally', 'messages'], readCounts);
    const expected = written - deleted;
    if (found < expected) return { expected, found };
    // There are more than were counted, so the tally itself was lost. Left so, it would hide the next loss.
    if (found > expected) await this.accept();
    return undefined;
  }

  /** Accepts the rows that are there as all there are, and counts on from them. */
  async accept(): Promise<void> {
    await this.#tables.write(['tally', 'messages'], async (tables) => {
      const [{ written, deleted }, found] = await readCounts(tables);
      const next = {
        written: Math.max(written, deleted + found),
        deleted: Math.max(deleted, written - found),
      };
      await tables.tally.put({ id, ...next });
    });
  }
}

async function readCounts({ tally, messages }: Tables): Promise<[TallyRecord, number]> {
  const [row, found] = await Promise.all([tally.get(id), messages.count()]);
  return [countOn(row, {}), found];
}

/** The row that comes after this one. */
export function countOn(row: unknown, change: { written?: number; deleted?: number }): TallyRecord {
  const kept = read(TallyRecord, row);
  const { written, deleted } = kept.ok ? kept.value : { written: 0, deleted: 0 };
  return { id, written: written + (change.written ?? 0), deleted: deleted + (change.deleted ?? 0) };
}
