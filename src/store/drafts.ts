/** Keeps what was typed and not sent. */
import { Draft } from '../contracts/chat';
import { read } from '../contracts/schema';
import type { Database } from './database';
import { attempt } from './storage-error';
import type { DraftStore } from '../contracts/store';

export class Drafts implements DraftStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async load(chatId: string): Promise<Draft | undefined> {
    const row = await attempt(() => this.#database.drafts.get(chatId));
    return row && this.#read(row);
  }

  async listUnbegun(): Promise<Draft[]> {
    const { chats, drafts } = this.#database;
    const rows = await attempt(() => drafts.toArray());
    const found = await attempt(() => chats.bulkGet(rows.map(({ chatId }) => chatId)));
    const unbegun = rows.filter((_, index) => !found[index]);
    const texts = await Promise.all(unbegun.map((row) => this.#read(row)));
    return texts.filter((draft) => draft !== undefined);
  }

  async save(chatId: string, text: string, outside: Pick<Draft, 'sources' | 'attached'> = {}): Promise<void> {
    const { drafts } = this.#database;
    const isEmpty = text === '' && !outside.attached;
    await attempt<unknown>(() =>
      isEmpty ? drafts.delete(chatId) : drafts.put({ chatId, text, ...outside }),
    );
  }

  async #read(row: Draft): Promise<Draft | undefined> {
    const draft = read(Draft, row);
    if (draft.ok) return draft.value;
    const { chatId } = row;
    // The next letter typed writes over it.
    await attempt(() =>
      this.#database.quarantine.put({ id: `drafts/${chatId}`, chatId, row, reason: draft.reason }),
    );
    return undefined;
  }
}
