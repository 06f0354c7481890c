/** Keeps the settings that were changed. */
import { Settings } from '../contracts/settings';
import type { Database } from './database';
import { attempt } from './storage-error';
import type { SettingsStore } from '../contracts/store';

export class SavedSettings implements SettingsStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async load(): Promise<Settings> {
    const rows = await attempt(() => this.#database.settings.toArray());
    // Each field falls back for itself; that is in its schema.
    return Settings.parse(Object.fromEntries(rows.map(({ key, value }) => [key, value])));
  }

  async save(changed: Partial<Settings>): Promise<void> {
    const rows = Object.entries(changed).map(([key, value]) => ({ key, value }));
    await attempt(() => this.#database.settings.bulkPut(rows));
  }
}
