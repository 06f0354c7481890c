/**
 * What is being read in: put down apart until all of it was read and found good, then taken over in one transaction. A visit
 * that ends between the two leaves it whole, and the next can go on; one that ends before leaves nothing that counts.
 */
import { Dexie, type EntityTable, type Transaction } from 'dexie';
import { ImportPreview, type PreviewCount } from '../contracts/backup';
import { read } from '../contracts/schema';
import type { Database } from './database';
import { isSame } from './is-same';
import { type CarriedTable, carriedTables } from './kept-tables';
import { attempt } from './storage-error';

interface Batch {
  id: number;
  table: string;
  rows: readonly Row[];
}
export type Row = Readonly<Record<string, unknown>>;

/** Of what was read as a whole; missing while it is being read. */
interface Staged {
  id: string;
  preview: unknown;
}

const stagedId = 'staged';

export class StagedImport extends Dexie {
  declare readonly batches: EntityTable<Batch, 'id'>;
  declare readonly staged: EntityTable<Staged, 'id'>;

  constructor(name = 'hearth-import') {
    super(name, { cache: 'disabled', chromeTransactionDurability: 'strict' });
    this.version(1).stores({ batches: '++id, table', staged: 'id' });
  }

  /** Nothing is put down any more. */
  async drop(): Promise<void> {
    await attempt(() =>
      this.transaction('rw', this.batches, this.staged, async () => {
        await this.staged.clear();
        await this.batches.clear();
      }),
    );
  }

  async put(table: CarriedTable, rows: readonly object[]): Promise<void> {
    await attempt(() => this.batches.add({ table: table.name, rows: rows as readonly Row[] }));
  }

  /** All of it was read and is good. */
  async finish(preview: Omit<ImportPreview, 'counts'>): Promise<void> {
    await attempt(() => this.staged.put({ id: stagedId, preview }));
  }

  /** What it would bring, as things are now. Undefined where nothing is put down whole; what is left of a broken one is dropped. */
  async preview(database: Database): Promise<ImportPreview | undefined> {
    const staged = await attempt(() => this.staged.get(stagedId));
    const kept = read(ImportPreview, { ...(staged?.preview as object), counts: {} });
    if (!kept.ok) {
      await this.drop();
      return undefined;
    }
    const counts: Record<string, PreviewCount> = {};
    for (const table of carriedTables) {
      const count = { total: 0, added: 0, differing: 0 };
      for (const { id } of await this.list([table])) {
        const rows = await attempt(() => this.rowsOf(id));
        const here = await attempt(() => existing(database, table, rows));
        count.total += rows.length;
        count.added += here.filter((row) => row === undefined).length;
        count.differing += here.filter(
          (row, at) => row !== undefined && isOther(table, row, rows[at] ?? {}),
        ).length;
      }
      if (count.total > 0) counts[table.name] = count;
    }
    return { ...kept.value, counts };
  }

  /** All batches of these tables, in the order of the tables. */
  async list(tables: readonly CarriedTable[]): Promise<{ table: CarriedTable; id: number }[]> {
    const lists = tables.map(async (table) => {
      const ids = await attempt(() => this.#idsOf(table));
      return ids.map((id) => ({ table, id }));
    });
    return (await Promise.all(lists)).flat();
  }

  async rowsOf(id: number): Promise<readonly Row[]> {
    return (await this.batches.get(id))?.rows ?? [];
  }

  #idsOf({ name }: CarriedTable): Promise<number[]> {
    return Promise.resolve(this.batches.where('table').equals(name).primaryKeys());
  }
}

/** The rows here with the same keys, in their order; undefined for those that are not there. */
export async function existing(
  tables: Pick<Transaction, 'table'>,
  { name, key }: CarriedTable,
  rows: readonly Row[],
): Promise<(Row | undefined)[]> {
  return tables.table<Row, unknown>(name).bulkGet(rows.map((row) => row[key]));
}

/** Whether the row that is here says something else. A field that an older version left out is as it is by default. */
export function isOther({ schema }: CarriedTable, here: Row, row: Row): boolean {
  if (isSame(here, row)) return false;
  const own = read(schema, here);
  return !own.ok || !isSame(own.value, row);
}
