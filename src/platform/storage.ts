import type { StoredKind, StoredBytes } from '../contracts/store';
import { untilAborted } from '../contracts/until-aborted';

/** Bytes that this origin uses and may use. `quota` is 0 if unknown: Chromium 156 reports a made-up quota. */
export async function measureUsage(): Promise<{ bytes: number; quota: number; isPersisted: boolean }> {
  const storage = findStorage();
  if (!storage) return { bytes: 0, quota: 0, isPersisted: false };
  const [estimate, isPersisted] = await Promise.all([storage.estimate(), storage.persisted()]);
  const { usage = 0, quota = 0 } = estimate;
  const isFakeQuota = quota > usage && (quota - usage) % gibibyte === 0;
  return { bytes: usage, quota: isFakeQuota ? 0 : quota, isPersisted };
}

const gibibyte = 2 ** 30;

/** Tests whether this many more bytes fit: reserves an empty file of that length. True if we cannot tell. */
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

const maxBlockedDeletionMs = 5000;
const deletionRetryMs = 100;

interface DeletionFailure {
  what: string;
  reason: string;
  /** If true, another tab or a write blocks the deletion, and a retry can succeed. If false, the browser failed. */
  isHeld: boolean;
}

class BlockedError extends Error {}

/** Resolves to the data that it could not delete. Close the store first, reload the page afterwards. */
export async function deleteEverything(): Promise<DeletionFailure[]> {
  const failed: DeletionFailure[] = [];
  const attempt = async (what: string, task: () => unknown) => {
    try {
      await task();
    } catch (error) {
      failed.push({ what, reason: String(error), isHeld: error instanceof BlockedError });
    }
  };
  /** Ignores a storage API that the browser denies, such as caches in Firefox's private windows. If it denies all storage, the error for the databases reports that. */
  const attemptAllowed = (what: string, task: () => Promise<unknown>) =>
    attempt(what, () =>
      task().catch((error: unknown) => {
        if (!(error instanceof DOMException) || error.name !== 'SecurityError') throw error;
      }),
    );

  // Delete local storage first: its message counts must not outlive the messages.
  await attempt('local storage', () => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await Promise.all([
    attempt('databases', async () => {
      const names = (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
      await Promise.all(names.map((name) => attempt(`database ${name}`, () => deleteDatabase(name))));
      // If the browser cannot read its own files, it may list no databases. To detect that, open a database.
      (await whenRequestDone(indexedDB.open('hearth-proof'))).close();
      await deleteDatabase('hearth-proof');
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
    whenRequestDone(request).then(() => resolve(), reject);
    // Wait: our tabs close the database on request. The deletion still happens when the last tab closes it.
    request.onblocked = () => {
      setTimeout(() => reject(new BlockedError('another tab holds it open')), maxBlockedDeletionMs);
    };
  });
}

/** Retries: the browser cannot delete a file while something writes to it. */
async function deleteFile(root: FileSystemDirectoryHandle, name: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += deletionRetryMs) {
    try {
      await root.removeEntry(name, { recursive: true });
      return;
    } catch (error) {
      const reason = error instanceof DOMException ? error.name : '';
      if (reason === 'NotFoundError') return;
      if (reason !== 'NoModificationAllowedError') throw error;
      if (waitedMs >= maxBlockedDeletionMs) throw new BlockedError('something writes to it');
    }
    await new Promise((resolve) => setTimeout(resolve, deletionRetryMs));
  }
}

function findStorage(): StorageManager | undefined {
  return 'storage' in navigator ? navigator.storage : undefined;
}

interface StorageLayout {
  main: string;
  index: string;
  /** The kind of data in each table of the main database. Other tables count as `rest`. */
  tables: Readonly<Partial<Record<string, StoredKind>>>;
  modelCaches: string;
  modelFolders: readonly string[];
}

type AddBytes = (kind: StoredKind, bytes: number) => void;

const maxOpenMs = 3000;

/** Counts unreadable data as 0 bytes. Rejects only if it cannot list the databases. */
export async function measureStorage(places: StorageLayout, patienceMs = maxOpenMs): Promise<StoredBytes> {
  const parts = { chats: 0, attachments: 0, results: 0, prompts: 0, models: 0, index: 0, app: 0, rest: 0 };
  const add: AddBytes = (kind, bytes) => (parts[kind] += bytes);
  const databases = (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
  for (const name of databases) {
    await measureDatabase(name, patienceMs, (table, bytes) => {
      if (name === places.index) add('index', bytes);
      else add((name === places.main ? places.tables[table] : undefined) ?? 'rest', bytes);
    }).catch(() => undefined);
  }
  await measureCaches(places.modelCaches, add).catch(() => undefined);
  await measureFiles(places.modelFolders, add).catch(() => undefined);
  return parts;
}

/** A database row can contain up to 4 MB, so we read only a few rows at once to save memory. */
const rowsPerBatch = 50;

async function measureDatabase(
  name: string,
  patienceMs: number,
  add: (table: string, bytes: number) => void,
): Promise<void> {
  const database = await openExistingDatabase(name, patienceMs);
  // Close the database if another tab wants to upgrade or delete it.
  database.onversionchange = () => database.close();
  try {
    for (const table of database.objectStoreNames) {
      let last: IDBValidKey | undefined;
      for (;;) {
        const store = database.transaction(table, 'readonly').objectStore(table);
        const range = last === undefined ? null : IDBKeyRange.lowerBound(last, true);
        const [keys, rows] = await Promise.all([
          whenRequestDone(store.getAllKeys(range, rowsPerBatch)),
          whenRequestDone<unknown[]>(store.getAll(range, rowsPerBatch)),
        ]);
        for (const row of rows) add(table, estimateBytes(row));
        last = keys.at(-1);
        if (keys.length < rowsPerBatch) break;
      }
    }
  } finally {
    database.close();
  }
}

/** Needs a timeout: opening may wait for a deletion that another tab blocks. */
async function openExistingDatabase(name: string, patienceMs: number): Promise<IDBDatabase> {
  const request = indexedDB.open(name);
  // The database no longer exists. Abort, or we would create an empty one.
  request.onupgradeneeded = () => request.transaction?.abort();
  const opening = whenRequestDone(request);
  try {
    return await untilAborted(opening, AbortSignal.timeout(patienceMs));
  } catch (error) {
    void opening.then((database) => database.close()).catch(() => undefined);
    throw error;
  }
}

function whenRequestDone<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new Error(request.error?.message));
  });
}

const textEncoder = new TextEncoder();

/** Approximate. A number counts as 8 bytes. */
export function estimateBytes(value: unknown): number {
  if (typeof value === 'string') return textEncoder.encode(value).length;
  if (typeof value !== 'object' || value === null) return 8;
  if (value instanceof Blob) return value.size;
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength;
  const parts: Iterable<unknown> =
    value instanceof Map ? [...value].flat() : value instanceof Set ? value : Object.entries(value).flat();
  let bytes = 0;
  for (const part of parts) bytes += estimateBytes(part);
  return bytes;
}

async function measureCaches(modelCaches: string, add: AddBytes): Promise<void> {
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const response = await cache.match(request);
      // The header may give the compressed size. That is good enough, and we need not read the body.
      const headerBytes = Number(response?.headers.get('content-length') ?? 0);
      const bytes = headerBytes > 0 ? headerBytes : ((await response?.blob())?.size ?? 0);
      add(name.startsWith(modelCaches) ? 'models' : 'app', bytes);
    }
  }
}

async function measureFiles(modelFolders: readonly string[], add: AddBytes): Promise<void> {
  const walk = async (folder: FileSystemDirectoryHandle, kind?: StoredKind): Promise<void> => {
    for await (const entry of folder.values()) {
      if (entry.kind === 'directory') {
        const kindInside = kind ?? (modelFolders.includes(entry.name) ? 'models' : 'rest');
        await walk(entry, kindInside).catch(() => undefined);
      } else add(kind ?? 'rest', (await entry.getFile().catch(() => undefined))?.size ?? 0);
    }
  };
  await walk(await navigator.storage.getDirectory());
}
