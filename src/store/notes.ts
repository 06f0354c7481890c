/** Keeps notes. */
import { liveQuery } from 'dexie';
import { AppError } from '../contracts/app-error';
import { Note, type NoteList } from '../contracts/note';
import { mostNotes } from '../contracts/note-text';
import { read } from '../contracts/schema';
import type { NoteStore } from '../contracts/store';
import type { Database } from './database';
import { attempt, toAppError } from './storage-error';
import { isBinned, shownOf } from './tree';

/** A row as it comes from the disk: only its key is certain. */
type Row = Pick<Note, 'id'>;

export class Notes implements NoteStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(): Promise<NoteList> {
    const rows: Row[] = shownOf(await attempt(() => this.#database.notes.toArray()));
    const list = readNotes(rows);
    await this.#quarantine(rows, list);
    return list;
  }

  watch(onList: (list: NoteList) => void, onError: (error: Error) => void): () => void {
    const { notes } = this.#database;
    const subscription = liveQuery(async (): Promise<Row[]> => shownOf(await notes.toArray())).subscribe({
      next: (rows) => {
        const list = readNotes(rows);
        onList(list);
        this.#quarantine(rows, list).catch((error: unknown) => onError(toAppError(error)));
      },
      error: (error: unknown) => onError(toAppError(error)),
    });
    return () => subscription.unsubscribe();
  }

  async add(note: Note): Promise<void> {
    const { notes } = this.#database;
    await attempt(() =>
      this.#database.transaction('rw', notes, async () => {
        // What is in the bin takes no one's place.
        const binned = await notes.where('deletedAt').above(0).count();
        if ((await notes.count()) - binned >= mostNotes) throw full();
        await notes.add(note);
      }),
    );
  }

  async edit(id: string, changed: Pick<Note, 'text' | 'updatedAt'>): Promise<void> {
    const { notes } = this.#database;
    await attempt(() =>
      this.#database.transaction('rw', notes, async () => {
        const row = await notes.get(id);
        if (!row || isBinned(row)) throw deleted(id);
        await notes.update(id, changed);
      }),
    );
  }

  async remove(id: string): Promise<void> {
    await attempt(() => this.#database.notes.delete(id));
  }

  /** The rows themselves stay in their table. */
  async #quarantine(rows: readonly Row[], { damaged }: NoteList): Promise<void> {
    const records = damaged.map(({ id, reason }) => ({
      ...{ id: `notes/${id}`, chatId: '', reason },
      row: rows.find((row) => row.id === id),
    }));
    if (records.length > 0) await attempt(() => this.#database.quarantine.bulkPut(records));
  }
}

export function full(): AppError {
  return new AppError('notes-full', `${mostNotes} notes are kept already.`);
}

export function deleted(id: string): AppError {
  return new AppError('note-deleted', `Note ${id} is not there.`);
}

export function newestFirst(notes: readonly Note[]): Note[] {
  return [...notes].sort((one, other) => other.updatedAt - one.updatedAt);
}

function readNotes(rows: readonly Row[]): NoteList {
  const notes: Note[] = [];
  const damaged: { id: string; reason: string }[] = [];
  for (const row of rows) {
    const note = read(Note, row);
    if (note.ok) notes.push(note.value);
    else damaged.push({ id: row.id, reason: note.reason });
  }
  return { notes: newestFirst(notes), damaged };
}
