/** Keeps the settings that were changed. */
import { liveQuery } from 'dexie';
import { Settings } from '../contracts/settings';
import type { Database } from './database';
import { attempt, toAppError } from './storage-error';
import type { SettingsStore } from '../contracts/store';

export class SavedSettings implements SettingsStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async load(): Promise<Settings> {
    const rows = await attempt(() => this.#database.settings.toArray());
    return parse(rows);
  }

  async save(changed: Partial<Settings>): Promise<void> {
    const rows = Object.entries(changed).map(([key, value]) => ({ key, value }));
    await attempt(() => this.#database.settings.bulkPut(rows));
  }

  watchModels(
    onModels: (models: Pick<Settings, 'ownModels' | 'binnedModels'>) => void,
    onError: (error: Error) => void,
  ): void {
    liveQuery(() => this.#database.settings.bulkGet(['ownModels', 'binnedModels'])).subscribe({
      next(rows) {
        const { ownModels, binnedModels } = parse(rows.flatMap((row) => row ?? []));
        onModels({ ownModels, binnedModels });
      },
      error: (error: unknown) => onError(toAppError(error)),
    });
  }
}

/** Each field falls back for itself; that is in its schema. */
function parse(rows: readonly { key: string; value: unknown }[]): Settings {
  return Settings.parse(Object.fromEntries(rows.map(({ key, value }) => [key, value])));
}
