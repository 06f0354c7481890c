/** Keeps prompts of one's own. */
import { liveQuery } from 'dexie';
import { AppError } from '../contracts/app-error';
import { OwnPrompt, type OwnPromptList } from '../contracts/own-prompt';
import { mostPrompts } from '../contracts/prompt-template';
import { read } from '../contracts/schema';
import type { OwnPromptStore } from '../contracts/store';
import type { Database } from './database';
import { attempt, toAppError } from './storage-error';
import { isBinned, shownOf } from './tree';

/** A row as it comes from the disk: only its key is certain. */
type Row = Pick<OwnPrompt, 'id'>;

export class OwnPrompts implements OwnPromptStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(): Promise<OwnPromptList> {
    const rows: Row[] = shownOf(await attempt(() => this.#database.prompts.toArray()));
    const list = readPrompts(rows);
    await this.#quarantine(rows, list);
    return list;
  }

  watch(onList: (list: OwnPromptList) => void, onError: (error: Error) => void): () => void {
    const { prompts } = this.#database;
    const subscription = liveQuery(async (): Promise<Row[]> => shownOf(await prompts.toArray())).subscribe({
      next: (rows) => {
        const list = readPrompts(rows);
        onList(list);
        this.#quarantine(rows, list).catch((error: unknown) => onError(toAppError(error)));
      },
      error: (error: unknown) => onError(toAppError(error)),
    });
    return () => subscription.unsubscribe();
  }

  async add(prompt: Omit<OwnPrompt, 'place'>): Promise<void> {
    const { prompts } = this.#database;
    await attempt(() =>
      this.#database.transaction('rw', prompts, async () => {
        // What is in the bin takes no one's place.
        const shown: Row[] = shownOf(await prompts.toArray());
        if (shown.length >= mostPrompts) throw full();
        await prompts.add({ ...prompt, place: placeAfter(readPrompts(shown).prompts) });
      }),
    );
  }

  async edit(id: string, changed: Pick<OwnPrompt, 'name' | 'text' | 'updatedAt'>): Promise<void> {
    const { prompts } = this.#database;
    await attempt(() =>
      this.#database.transaction('rw', prompts, async () => {
        const row = await prompts.get(id);
        if (!row || isBinned(row)) throw deleted(id);
        await prompts.update(id, changed);
      }),
    );
  }

  async order(ids: readonly string[]): Promise<void> {
    const { prompts } = this.#database;
    await attempt(() =>
      this.#database.transaction('rw', prompts, async () => {
        // Not put: one that another tab has deleted meanwhile does not come back.
        for (const [place, id] of ids.entries()) await prompts.update(id, { place });
      }),
    );
  }

  async remove(id: string): Promise<void> {
    await attempt(() => this.#database.prompts.delete(id));
  }

  /** The rows themselves stay in their table. */
  async #quarantine(rows: readonly Row[], { damaged }: OwnPromptList): Promise<void> {
    const records = damaged.map(({ id, reason }) => ({
      ...{ id: `prompts/${id}`, chatId: '', reason },
      row: rows.find((row) => row.id === id),
    }));
    if (records.length > 0) await attempt(() => this.#database.quarantine.bulkPut(records));
  }
}

export function full(): AppError {
  return new AppError('prompts-full', `${mostPrompts} prompts are kept already.`);
}

export function deleted(id: string): AppError {
  return new AppError('prompt-deleted', `Prompt ${id} is not there.`);
}

export function placeAfter(prompts: readonly OwnPrompt[]): number {
  return Math.max(-1, ...prompts.map(({ place }) => place)) + 1;
}

/** Two may have one place: of two tabs, or of a file that came in. The older comes first then. */
export function inPlace(prompts: readonly OwnPrompt[]): OwnPrompt[] {
  return [...prompts].sort((one, other) => one.place - other.place || one.createdAt - other.createdAt);
}

function readPrompts(rows: readonly Row[]): OwnPromptList {
  const prompts: OwnPrompt[] = [];
  const damaged: { id: string; reason: string }[] = [];
  for (const row of rows) {
    const prompt = read(OwnPrompt, row);
    if (prompt.ok) prompts.push(prompt.value);
    else damaged.push({ id: row.id, reason: prompt.reason });
  }
  return { prompts: inPlace(prompts), damaged };
}
