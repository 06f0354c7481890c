/** Measures the data of this origin by purpose. It reads in small steps, so that the page stays responsive. */
import type { StoredKind, StoredParts } from '../contracts/store';

interface Places {
  main: string;
  index: string;
  /** Kinds of the tables in the main database. Other tables count as "rest". */
  tables: Readonly<Partial<Record<string, StoredKind>>>;
  modelCaches: string;
  modelFolders: readonly string[];
}

type AddBytes = (kind: StoredKind, bytes: number) => void;

const openMs = 3000;

/** Unreadable data counts as nothing. Rejects only if the databases cannot be listed. */
export async function measureParts(places: Places, patienceMs = openMs): Promise<StoredParts> {
  const parts = { chats: 0, attachments: 0, results: 0, prompts: 0, models: 0, index: 0, app: 0, rest: 0 };
  const add: AddBytes = (kind, bytes) => (parts[kind] += bytes);
  const databases = (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
  for (const name of databases) {
    await measureDatabase(name, patienceMs, (table, bytes) => {
      if (name === places.index) add('index', bytes);
      else add((name === places.main ? places.tables[table] : undefined) ?? 'rest', bytes);
    }).catch(() => undefined);
  }
  const ofCache = (name: string) => (name.startsWith(places.modelCaches) ? 'models' : 'app');
  const ofFolder = (folder: string) => (places.modelFolders.includes(folder) ? 'models' : 'rest');
  await measureCaches(ofCache, add).catch(() => undefined);
  await measureFiles(ofFolder, add).catch(() => undefined);
  return parts;
}

/** Rows of up to 4 MB are read in batches, to bound the memory. */
const rowsAtOnce = 50;

async function measureDatabase(
  name: string,
  patienceMs: number,
  add: (table: string, bytes: number) => void,
): Promise<void> {
  const database = await openIfThere(name, patienceMs);
  // Don't block anyone who wants to change or delete the database.
  database.onversionchange = () => database.close();
  try {
    for (const table of database.objectStoreNames) {
      let last: IDBValidKey | undefined;
      for (;;) {
        const store = database.transaction(table, 'readonly').objectStore(table);
        const range = last === undefined ? null : IDBKeyRange.lowerBound(last, true);
        const [keys, rows] = await Promise.all([
          answerOf(store.getAllKeys(range, rowsAtOnce)),
          answerOf<unknown[]>(store.getAll(range, rowsAtOnce)),
        ]);
        for (const row of rows) add(table, sizeOf(row));
        last = keys.at(-1);
        if (keys.length < rowsAtOnce) break;
      }
    }
  } finally {
    database.close();
  }
}

/** Opening may wait for a pending deletion that another tab blocks, hence the timeout. */
function openIfThere(name: string, patienceMs: number): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name);
    let isGivenUp = false;
    const timer = setTimeout(() => {
      isGivenUp = true;
      reject(new Error('Something holds the database.'));
    }, patienceMs);
    // The database is gone: abort, because opening would create an empty one.
    opening.onupgradeneeded = () => opening.transaction?.abort();
    answerOf(opening)
      .then((database) => (isGivenUp ? database.close() : resolve(database)), reject)
      .finally(() => clearTimeout(timer));
  });
}

function answerOf<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The database gave no answer.'));
  });
}

const textEncoder = new TextEncoder();

/** Approximate bytes of a stored value. A number counts eight. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return textEncoder.encode(value).length;
  if (typeof value !== 'object' || value === null) return 8;
  if (value instanceof Blob) return value.size;
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength;
  const parts: Iterable<unknown> =
    value instanceof Map ? [...value].flat() : value instanceof Set ? value : Object.entries(value).flat();
  let bytes = 0;
  for (const part of parts) bytes += sizeOf(part);
  return bytes;
}

async function measureCaches(kindOf: (name: string) => StoredKind, add: AddBytes): Promise<void> {
  if (!('caches' in globalThis)) return;
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const response = await cache.match(request);
      // The header may give the compressed size, which is good enough and needs no reading.
      const said = Number(response?.headers.get('content-length') ?? 0);
      add(kindOf(name), said > 0 ? said : ((await response?.blob())?.size ?? 0));
    }
  }
}

async function measureFiles(kindOf: (folder: string) => StoredKind, add: AddBytes): Promise<void> {
  if (!('storage' in navigator) || !('getDirectory' in navigator.storage)) return;
  const walk = async (folder: FileSystemDirectoryHandle, kind: StoredKind | undefined): Promise<void> => {
    for await (const entry of folder.values()) {
      if (entry.kind === 'directory') await walk(entry, kind ?? kindOf(entry.name)).catch(() => undefined);
      else add(kind ?? 'rest', await bytesOf(entry));
    }
  };
  await walk(await navigator.storage.getDirectory(), undefined);
}

const bytesOf = (file: FileSystemFileHandle): Promise<number> =>
  file.getFile().then(
    ({ size }) => size,
    () => 0,
  );
