/** Stores the search index in a separate database, so we can delete it without touching any chat. */
import { Dexie, type EntityTable, type Table } from 'dexie';
import { read, z } from '../contracts/schema';
import { type Chunk, DamagedIndexError, type NewSegment, SegmentRow } from './segment';
import { wordsVersion } from './words';

const MetaRow = z.object({
  id: z.string(),
  version: z.number(),
  /** Increases with every change. Another tab that sees a new value reloads the segments. */
  generation: z.number(),
});
type MetaRow = z.infer<typeof MetaRow>;

const ChunkRow = z.object({
  segment: z.number(),
  number: z.number(),
  terms: z.string(),
  ends: z.instanceof(Uint32Array),
  bytes: z.instanceof(Uint8Array),
});
type ChunkRow = Chunk & { segment: number; number: number };

export type ChunkKey = [segment: number, number: number];

class IndexDatabase extends Dexie {
  declare readonly meta: EntityTable<MetaRow, 'id'>;
  declare readonly segments: EntityTable<SegmentRow, 'id'>;
  declare readonly chunks: Table<ChunkRow, ChunkKey>;

  constructor(name: string) {
    // Relaxed durability is faster. A power failure may lose the last changes, but we can rebuild the index.
    super(name, { autoOpen: false, cache: 'disabled', chromeTransactionDurability: 'relaxed' });
    this.version(1).stores({ meta: 'id', segments: '++id', chunks: '[segment+number]' });
  }
}

const metaRowId = 'index';

export class OutdatedIndexError extends Error {}

export class IndexStore {
  segments: readonly SegmentRow[] = [];
  readonly #database: IndexDatabase;
  #generation = 0;

  constructor(name: string) {
    this.#database = new IndexDatabase(name);
  }

  async open(): Promise<void> {
    await this.#database.open();
    await this.loadSegments();
  }

  /** Loads changes from other tabs. Clears the index if another version of the app wrote it. */
  async loadSegments(): Promise<void> {
    const { meta, segments } = this.#database;
    const [state, rows] = await this.#database.transaction('r', meta, segments, () =>
      Promise.all([meta.get(metaRowId), segments.toArray()]),
    );
    const known = read(MetaRow, state);
    if (!known.ok || known.value.version !== wordsVersion) {
      await this.clear();
      return;
    }
    this.segments = rows.map((row) => {
      const segment = read(SegmentRow, row);
      if (!segment.ok) throw new DamagedIndexError(segment.reason);
      return row;
    });
    this.#generation = known.value.generation;
  }

  async readChunks(keys: readonly ChunkKey[]): Promise<Chunk[]> {
    const { meta, chunks } = this.#database;
    const [state, rows] = await this.#database.transaction('r', meta, chunks, () =>
      Promise.all([meta.get(metaRowId), chunks.bulkGet([...keys])]),
    );
    if (state?.generation !== this.#generation) throw new OutdatedIndexError();
    return rows.map((row) => checkChunk(row));
  }

  readSegment({ id, firsts }: SegmentRow): Promise<Chunk[]> {
    return this.readChunks(firsts.map((_, number): ChunkKey => [id, number]));
  }

  /** Replaces segments in one transaction. Rejects with an `OutdatedIndexError` if another tab has changed the index. */
  async replaceSegments(gone: readonly SegmentRow[], made: readonly NewSegment[]): Promise<void> {
    const { meta, segments, chunks } = this.#database;
    const added: SegmentRow[] = [];
    await this.#database.transaction('rw', meta, segments, chunks, async () => {
      const state = await meta.get(metaRowId);
      if (state?.generation !== this.#generation) throw new OutdatedIndexError();
      await segments.bulkDelete(gone.map(({ id }) => id));
      await chunks.bulkDelete(gone.flatMap(({ id, firsts }) => firsts.map((_, at): ChunkKey => [id, at])));
      for (const { row, chunks: own } of made) {
        if (row.messageIds.length === 0) continue;
        const id = await segments.add(row);
        added.push({ ...row, id });
        await chunks.bulkAdd(own.map((chunk, number) => ({ ...chunk, segment: id, number })));
      }
      await meta.put({ ...state, generation: state.generation + 1 });
    });
    this.segments = [...this.segments.filter((segment) => !gone.includes(segment)), ...added];
    this.#generation += 1;
  }

  close(): void {
    this.#database.close();
  }

  async delete(): Promise<void> {
    await this.#database.delete();
  }

  async clear(): Promise<void> {
    const { meta, segments, chunks } = this.#database;
    await this.#database.transaction('rw', meta, segments, chunks, async () => {
      const state = await meta.get(metaRowId);
      this.#generation = (state?.generation ?? 0) + 1;
      await Promise.all([segments.clear(), chunks.clear()]);
      await meta.put({ id: metaRowId, version: wordsVersion, generation: this.#generation });
    });
    this.segments = [];
  }
}

function checkChunk(row: ChunkRow | undefined): Chunk {
  const chunk = read(ChunkRow, row);
  if (!chunk.ok || row === undefined)
    throw new DamagedIndexError(chunk.ok ? 'A chunk is missing.' : chunk.reason);
  return row;
}
