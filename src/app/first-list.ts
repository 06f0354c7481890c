/** Shows the list of chats before the store is loaded. */
import { afterPaint } from '../platform/page-events';
import type { App } from '../state/app.svelte';
import { readFirstChats } from '../store/first-chats';

/** Maximum milliseconds that a slow database or network may delay the store. */
const maxListWaitMs = 3000;

export async function showFirstChats(app: Pick<App, 'chats' | 'folders'>): Promise<void> {
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, maxListWaitMs));
  const first = await Promise.race([readFirstChats().catch(() => undefined), timeout]);
  if (!first) return;
  Object.assign(app, first);
  // Load the list's component before the store: otherwise both would compete for the network.
  await Promise.race([import('../ui/chats/Rail.svelte').then(afterPaint), timeout]);
}
