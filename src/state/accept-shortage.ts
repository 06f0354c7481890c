/** What the browser gave back is all there is from now on, and nothing more is said of it. */
import type { App } from './app.svelte';

/** Rejects with an `AppError` where that cannot be written down. */
export async function acceptShortage(app: App): Promise<void> {
  if (app.storage.type !== 'shortened') return;
  await app.functions.acceptShortage();
  app.storage = { type: 'ok' };
}
