/** Bytes that this origin uses. The quota is 0 if unknown, because Chromium 156 reports a rounded fake. */
export async function measureUse(): Promise<{ bytes: number; quota: number; isPersisted: boolean }> {
  const storage = findStorage();
  if (!storage) return { bytes: 0, quota: 0, isPersisted: false };
  const [{ usage = 0, quota = 0 }, isPersisted] = await Promise.all([
    storage.estimate(),
    storage.persisted(),
  ]);
  const isFakeQuota = quota > usage && (quota - usage) % gibibyte === 0;
  return { bytes: usage, quota: isFakeQuota ? 0 : quota, isPersisted };
}

const gibibyte = 2 ** 30;

/** The number of bytes this origin may still store, according to the browser. Also works in workers. */
export async function freeBytes(): Promise<number> {
  const { usage = 0, quota } =
    (await findStorage()
      ?.estimate()
      .catch(() => undefined)) ?? {};
  return quota === undefined ? Infinity : Math.max(0, quota - usage);
}

/** Whether this many bytes could still be stored: tries an empty file of that length. True if it cannot tell. */
export async function hasRoomFor(bytes: number): Promise<boolean> {
  const storage = findStorage();
  if (!storage) return true;
  try {
    const root = await storage.getDirectory();
    const name = `room-${crypto.randomUUID()}`;
    try {
      const writable = await (await root.getFileHandle(name, { create: true })).createWritable();
      await writable.truncate(bytes).then(
        () => writable.close(),
        (error: unknown) => writable.abort().then(() => Promise.reject(error as Error)),
      );
      return true;
    } finally {
      await root.removeEntry(name).catch(() => undefined);
    }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'QuotaExceededError') return false;
    const { usage = 0, quota = 0 } = await storage.estimate();
    return quota === 0 || quota - usage >= bytes;
  }
}

export async function askToPersist(): Promise<boolean> {
  return (await findStorage()?.persist()) ?? false;
}

const blockedMs = 5000;
const retryMs = 100;

export interface Undeleted {
  what: string;
  reason: string;
  /** Another tab or a write blocks the deletion, so it can succeed later. Otherwise the browser itself failed. */
  isHeld: boolean;
}

class BlockedError extends Error {}

/**
 * Deletes all data of this origin; resolves to what could not be deleted. Close the store first, reload afterwards.
 */
export async function deleteEverything(): Promise<Undeleted[]> {
  const failed: Undeleted[] = [];
  const attempt = async (what: string, task: () => unknown) => {
    try {
      await task();
    } catch (error) {
      failed.push({ what, reason: String(error), isHeld: error instanceof BlockedError });
    }
  };
  /** Ignores a refused API, as in a private window of Firefox. Databases reveal whether everything is refused. */
  const attemptAllowed = (what: string, task: () => Promise<unknown>) =>
    attempt(what, () =>
      task().catch((error: unknown) => {
        if (!(error instanceof DOMException) || error.name !== 'SecurityError') throw error;
      }),
    );

  // Delete the message counts first, because they must not outlive the messages.
  await attempt('local storage', () => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await Promise.all([
    attempt('databases', async () => {
      const names = (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
      await Promise.all(names.map((name) => attempt(`database ${name}`, () => deleteDatabase(name))));
      // A browser that cannot read its own files may list none and report success. This call detects that.
      await openAndDelete('hearth-proof');
    }),
    attemptAllowed('caches', async () => {
      if (!('caches' in globalThis)) return;
      const names = await caches.keys();
      await Promise.all(names.map((name) => attempt(`cache ${name}`, () => caches.delete(name))));
    }),
    attemptAllowed('files', async () => {
      const root = await findStorage()?.getDirectory();
      if (!root) return;
      const names: string[] = [];
      for await (const name of root.keys()) names.push(name);
      await Promise.all(names.map((name) => attempt(`file ${name}`, () => deleteFile(root, name))));
    }),
    attemptAllowed('service workers', async () => {
      if (!('serviceWorker' in navigator)) return;
      const registrations = await navigator.serviceWorker.getRegistrations();
      await Promise.all(registrations.map((registration) => registration.unregister()));
    }),
  ]);
  return failed;
}

function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(new Error(request.error?.message));
    // Our own tabs close it on request. The deletion still happens once the last tab lets it go.
    request.onblocked = () => {
      setTimeout(() => reject(new BlockedError('another tab holds it open')), blockedMs);
    };
  });
}

/** Retries, because a file that is being written cannot be deleted. */
async function deleteFile(root: FileSystemDirectoryHandle, name: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += retryMs) {
    try {
      await root.removeEntry(name, { recursive: true });
      return;
    } catch (error) {
      const reason = error instanceof DOMException ? error.name : '';
      if (reason === 'NotFoundError') return;
      if (reason !== 'NoModificationAllowedError') throw error;
      if (waitedMs >= blockedMs) throw new BlockedError('something writes to it');
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

async function openAndDelete(name: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.open(name);
    request.onerror = () => reject(new Error(request.error?.message));
    request.onsuccess = () => {
      request.result.close();
      resolve();
    };
  });
  await deleteDatabase(name);
}

/** Missing unless the page uses HTTPS or localhost. */
function findStorage(): StorageManager | undefined {
  return 'storage' in navigator ? navigator.storage : undefined;
}
