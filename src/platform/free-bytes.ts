/** How many bytes this origin may still keep, as far as the browser says; also in a worker. */
export async function freeBytes(): Promise<number> {
  // Missing where the page was not loaded over HTTPS or from localhost.
  const { storage } = navigator as { storage?: StorageManager };
  const { usage = 0, quota } = (await storage?.estimate().catch(() => undefined)) ?? {};
  return quota === undefined ? Infinity : Math.max(0, quota - usage);
}
