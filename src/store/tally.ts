/**
 * Counts messages in the database to detect data loss. The sentinel is a copy of the count outside the database, updated after each commit.
 * If the sentinel's count is higher, the database has lost committed data.
 */
import { read } from '../contracts/schema';
import type { LostMessages } from '../contracts/store';
import type { Sentinel } from './sentinel';
import { TallyRecord, type Tables } from './tables';

export const tallyId = 'messages';

export class Tally {
  readonly #tables: Tables;
  readonly #sentinel: Sentinel;

  constructor(tables: Tables, sentinel: Sentinel) {
    this.#tables = tables;
    this.#sentinel = sentinel;
  }

  async addChange(tables: Tables, change: { written?: number; deleted?: number }): Promise<void> {
    const next = addToTally(await tables.tally.get(tallyId), change);
    await tables.tally.put(next);
    tables.onCommit(() => this.#sentinel.remember(next));
  }

  /** If the database lost recent writes, raises its count to the one in `localStorage`. Otherwise, new messages would hide that loss. */
  async catchUpWithSentinel(): Promise<void> {
    // Read the count in `localStorage` before the transaction. Later, the count could include messages that the transaction does not see.
    const remembered = this.#sentinel.read();
    await this.#tables.write(['tally'], async ({ tally }) => {
      const { written, deleted } = addToTally(await tally.get(tallyId), {});
      if (written >= remembered.written) return;
      // The database may also have lost deletions, so deleted messages may be back. Expect the larger of the stored and remembered counts.
      const isLonger = remembered.written - remembered.deleted > written - deleted;
      await tally.put({
        id: tallyId,
        written: remembered.written,
        deleted: isLonger ? remembered.deleted : deleted,
      });
    });
  }

  async findLostMessages(): Promise<LostMessages | undefined> {
    const [{ written, deleted }, found] = await this.#tables.read(['tally', 'messages'], readCounts);
    const expected = written - deleted;
    if (found < expected) return { expected, found };
    // There are more messages than counted, so the tally itself was lost. Correct it, or it would hide the next loss.
    if (found > expected) await this.acceptCurrentCount();
    return undefined;
  }

  async acceptCurrentCount(): Promise<void> {
    await this.#tables.write(['tally', 'messages'], async (tables) => {
      const [{ written, deleted }, found] = await readCounts(tables);
      const next = {
        written: Math.max(written, deleted + found),
        deleted: Math.max(deleted, written - found),
      };
      await tables.tally.put({ id: tallyId, ...next });
    });
  }
}

async function readCounts({ tally, messages }: Tables): Promise<[TallyRecord, number]> {
  const [row, found] = await Promise.all([tally.get(tallyId), messages.count()]);
  return [addToTally(row, {}), found];
}

export function addToTally(row: unknown, change: { written?: number; deleted?: number }): TallyRecord {
  const stored = read(TallyRecord, row);
  const { written, deleted } = stored.ok ? stored.value : { written: 0, deleted: 0 };
  return { id: tallyId, written: written + (change.written ?? 0), deleted: deleted + (change.deleted ?? 0) };
}
