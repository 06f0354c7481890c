/** Shows the list of chats before the store is there, which takes longer to load. */
import { afterPaint } from '../platform/page-events';
import type { App } from '../state/app.svelte';
import { readFirstChats } from '../store/first-chats';

/** Milliseconds. The store is not kept waiting for longer, by a database that cannot be opened (it can say why) or by the network. */
const mostWait = 3000;

/** Resolves when the list has been drawn, or there is none to draw. */
export async function showFirstList(app: Pick<App, 'chats' | 'folders'>): Promise<void> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, mostWait));
  const first = await Promise.race([readFirstChats().catch(() => undefined), late]);
  // Later the store has its own, which may be newer.
  if (!first) return;
  Object.assign(app, first);
  // It is loaded at the start of the page anyhow. What comes now would take its place on the network.
  await Promise.race([import('../ui/chats/Rail.svelte').then(afterPaint), late]);
}
