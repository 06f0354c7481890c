/** Keeps the index by which tools are found, in one row: it is read and written as a whole. */
import { read } from '../contracts/schema';
import type { ToolIndexStore } from '../contracts/store';
import { ToolIndex } from '../contracts/tool-searcher';
import type { Database } from './database';
import { attempt } from './storage-error';

const id = 'tools';

export class SavedToolIndex implements ToolIndexStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  load(): Promise<ToolIndex | undefined> {
    return attempt(async () => {
      const index = read(ToolIndex, (await this.#database.toolIndex.get(id))?.index);
      // One that cannot be read is made anew from the tools.
      return index.ok ? index.value : undefined;
    });
  }

  save(index: ToolIndex): Promise<void> {
    return attempt(async () => {
      await this.#database.toolIndex.put({ id, index });
    });
  }
}
