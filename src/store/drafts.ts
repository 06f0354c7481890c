/** Keeps what was typed and not sent. */
import { read } from '../contracts/schema';
import { type Database, DraftRecord } from './database';
import { attempt } from './storage-error';
import type { DraftStore } from './store';

export class Drafts implements DraftStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async load(chatId: string): Promise<string> {
    const { drafts, quarantine } = this.#database;
    const row = await attempt(() => drafts.get(chatId));
    if (!row) return '';
    const draft = read(DraftRecord, row);
    if (draft.ok) return draft.value.text;
    // The next letter typed writes over it.
    await attempt(() => quarantine.put({ id: `drafts/${chatId}`, chatId, row, reason: draft.reason }));
    return '';
  }

  async save(chatId: string, text: string): Promise<void> {
    const { drafts } = this.#database;
    await attempt<unknown>(() => (text === '' ? drafts.delete(chatId) : drafts.put({ chatId, text })));
  }
}
