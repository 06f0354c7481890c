/** What the page keeps in this browser: how much, whether it may stay, and all of it gone. */

/**
 * Measures what all pages of this origin keep together, in bytes; 0 where the browser does not say. Chromium says no true quota: it tells every
 * page that so many whole gibibytes are free, so that pages learn nothing about the disk (measured in Chromium 156).
 */
export async function measureUse(): Promise<{ bytes: number; quota: number; isPersisted: boolean }> {
  const storage = findStorage();
  if (!storage) return { bytes: 0, quota: 0, isPersisted: false };
  const [{ usage = 0, quota = 0 }, isPersisted] = await Promise.all([
    storage.estimate(),
    storage.persisted(),
  ]);
  const isMadeUp = quota > usage && (quota - usage) % gibibyte === 0;
  return { bytes: usage, quota: isMadeUp ? 0 : quota, isPersisted };
}

const gibibyte = 2 ** 30;

/**
 * Whether so many bytes could still be stored. It makes an empty file that long, which the browser counts as it counts all others, and which
 * takes no room on the disk. True where it cannot be tried, and the browser does not say otherwise.
 */
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

/** Asks the browser never to clear it by itself; some ask the person, some decide. Resolves to the answer. */
export async function askToPersist(): Promise<boolean> {
  return (await findStorage()?.persist()) ?? false;
}

/** How long another tab may hold on to a database, or write to a file, in milliseconds. */
const heldOpenMs = 5000;
/** How long until a file that is being written is tried again, in milliseconds. */
const lookAgainMs = 100;

export interface Undeleted {
  what: string;
  reason: string;
  /** Another tab has it open, or something writes to it: it can go when that has ended. Else the browser itself cannot get at it. */
  isHeld: boolean;
}

class HeldOpen extends Error {}

/**
 * Deletes all that this origin keeps, as the browser's own "clear site data" does: databases, caches, files,
 * service workers. Close the store first; start the page anew after it.
 *
 * Resolves to what could not be deleted.
 */
export async function deleteEverything(): Promise<Undeleted[]> {
  const failed: Undeleted[] = [];
  const attempt = async (what: string, task: () => unknown) => {
    try {
      await task();
    } catch (error) {
      failed.push({ what, reason: String(error), isHeld: error instanceof HeldOpen });
    }
  };
  /** Of what there is none of where the browser refuses it, as Firefox does in a private window: databases tell whether it refuses all. */
  const attemptAllowed = (what: string, task: () => Promise<unknown>) =>
    attempt(what, () =>
      task().catch((error: unknown) => {
        if (!(error instanceof DOMException) || error.name !== 'SecurityError') throw error;
      }),
    );

  // First of all: what remembers how many messages there were must not outlive them.
  await attempt('local storage', () => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await Promise.all([
    attempt('databases', async () => {
      const names = (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
      await Promise.all(names.map((name) => attempt(`database ${name}`, () => deleteDatabase(name))));
      // Where the browser cannot read its own files, it may list none, and say that what was to be deleted is.
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
    // Ours let go when they are asked. It is still deleted later, when the last tab that holds it is closed.
    request.onblocked = () => {
      setTimeout(() => reject(new HeldOpen('another tab holds it open')), heldOpenMs);
    };
  });
}

/** One that is being written, as by a look for room, cannot be deleted, and is whole or gone in a moment. */
async function deleteFile(root: FileSystemDirectoryHandle, name: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += lookAgainMs) {
    try {
      await root.removeEntry(name, { recursive: true });
      return;
    } catch (error) {
      const reason = error instanceof DOMException ? error.name : '';
      if (reason === 'NotFoundError') return;
      if (reason !== 'NoModificationAllowedError') throw error;
      if (waitedMs >= heldOpenMs) throw new HeldOpen('something writes to it');
    }
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
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

/** Missing where the page was not loaded over HTTPS or from localhost. */
function findStorage(): StorageManager | undefined {
  return 'storage' in navigator ? navigator.storage : undefined;
}
