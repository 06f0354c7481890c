/** What begins last, when the page is at rest: the copy for offline use, a second new log, a look at what is stored, the index, backups. */
import { watchForUpdates } from '../platform/updates';
import type { App } from '../state/app.svelte';
import { beginNewLog } from '../store/new-log';
import type { OpenStore } from '../store/open-store';

/** Fails where code cannot be fetched; what did not begin then begins with the next visit. */
export async function beginAtRest(app: App, store: OpenStore): Promise<void> {
  void watchForUpdates((update) => (app.update = update));
  // The one at the opening is passed over now and then, beside what is written there.
  if (store.condition === 'ok') await beginNewLog().catch(() => undefined);
  const shortage = await store.inspect();
  if (shortage) app.storage = { type: 'shortened', ...shortage };
  await app.functions.loadSearch();
  await app.functions
    .loadBackups()
    .then(({ folder }) => folder.begin())
    // No backup can be made: Settings say why, and nothing else waits for it.
    .catch(() => undefined);
  await (await app.functions.loadStorage()).lookForRoom();
}
