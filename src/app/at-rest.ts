/** Starts last, when the page is idle: the offline copy, a new log, the storage check, the index, and backups. */
import { watchForUpdates } from '../platform/updates';
import type { App } from '../state/app.svelte';
import { beginNewLog } from '../store/new-log';
import type { OpenStore } from '../store/open-store';

/** Rejects if code cannot be fetched. The rest then starts with the next visit. */
export async function beginAtRest(app: App, store: OpenStore): Promise<void> {
  void watchForUpdates((update) => (app.update = update));
  // The log of the opening is sometimes skipped because of other writes.
  if (store.condition === 'ok') await beginNewLog().catch(() => undefined);
  const shortage = await store.inspect();
  if (shortage) app.storage = { type: 'shortened', ...shortage };
  await app.functions.loadSearch();
  await app.functions
    .loadBackups()
    .then(({ folder }) => folder.begin())
    // Settings show why no backup can be made. Nothing else waits for it.
    .catch(() => undefined);
  await (await app.functions.loadStorage()).lookForRoom();
}
