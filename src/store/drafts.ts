/** Keeps what was typed and not sent. */
import { Draft } from '../contracts/chat';
import { read } from '../contracts/schema';
import { filesIn } from './attachments';
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

  async save(chatId: string, text: string, others: Omit<Draft, 'chatId' | 'text'> = {}): Promise<void> {
    const { drafts, attachments } = this.#database;
    const { attached, edits } = others;
    if (text === '' && !attached && !edits) return attempt(() => drafts.delete(chatId));
    const draft = { chatId, text, ...others };
    const files = filesIn(attached).map(({ fileId }) => fileId);
    if (files.length === 0) {
      await attempt(() => drafts.put(draft));
      return;
    }
    await attempt(() =>
      this.#database.transaction('rw', drafts, attachments, async () => {
        await drafts.put(draft);
        // A draft that was written in a chat that was never begun is taken over by another, with its files.
        const moved = attachments.where('id').anyOf(files);
        await moved.filter((file) => file.chatId !== chatId).modify({ chatId });
      }),
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
