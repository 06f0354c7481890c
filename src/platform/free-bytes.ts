/** Returns how many more bytes the browser lets this origin store. Also works in workers. */
export async function readFreeBytes(): Promise<number> {
  // `navigator.storage` is missing unless the page uses HTTPS or localhost.
  const { storage } = navigator as { storage?: StorageManager };
  const { usage = 0, quota } = (await storage?.estimate().catch(() => undefined)) ?? {};
  return quota === undefined ? Infinity : Math.max(0, quota - usage);
}
