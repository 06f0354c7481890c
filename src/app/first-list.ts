/** Shows the list of chats before the store, which takes longer to load. */
import { afterPaint } from '../platform/page-events';
import type { App } from '../state/app.svelte';
import { readFirstChats } from '../store/first-chats';

/** Maximum milliseconds that the store waits for a slow database or network. */
const maxWaitMs = 3000;

export async function showFirstList(app: Pick<App, 'chats' | 'folders'>): Promise<void> {
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, maxWaitMs));
  const first = await Promise.race([readFirstChats().catch(() => undefined), timeout]);
  // The store's own list may be newer.
  if (!first) return;
  Object.assign(app, first);
  // The page loads it at the start anyway. A later load would compete with it for the network.
  await Promise.race([import('../ui/chats/Rail.svelte').then(afterPaint), timeout]);
}
