/** Measures what this origin keeps by what it is for: rows of databases, caches and files are read in small steps, which stall no page. */
import type { StoredKind, StoredParts } from '../contracts/store';

interface Places {
  /** Names of databases. */
  main: string;
  index: string;
  /** Tables of the main database that are more than "the rest". */
  tables: Readonly<Partial<Record<string, StoredKind>>>;
  /** What the name of a cache of models begins with. */
  modelCaches: string;
  /** Folders of the origin's private files that hold models. */
  modelFolders: readonly string[];
}

type Add = (kind: StoredKind, bytes: number) => void;

/** How long one database may take to open, in milliseconds. */
const openMs = 3000;

/** What cannot be looked at counts as nothing; rejects where databases cannot even be listed. */
export async function measureParts(places: Places, patienceMs = openMs): Promise<StoredParts> {
  const parts = { chats: 0, attachments: 0, results: 0, prompts: 0, models: 0, index: 0, app: 0, rest: 0 };
  const add: Add = (kind, bytes) => (parts[kind] += bytes);
  const databases = (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
  for (const name of databases) {
    // One that is deleted meanwhile, as what an import has put down is, counts as far as it was read.
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

/** Rows that are read at once: of the largest, 4 MB each, this is a moment's memory. */
const rowsAtOnce = 50;

async function measureDatabase(
  name: string,
  patienceMs: number,
  add: (table: string, bytes: number) => void,
): Promise<void> {
  const database = await openIfThere(name, patienceMs);
  // Whoever wants to change or delete it does not wait for this.
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

/** Where somebody waits to delete or change it, and a worker or another tab still holds it, opening it waits as long as they do. */
function openIfThere(name: string, patienceMs: number): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name);
    let isGivenUp = false;
    const timer = setTimeout(() => {
      isGivenUp = true;
      reject(new Error('Something holds the database.'));
    }, patienceMs);
    // It is not there any more: opening it would make an empty one.
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

const encoder = new TextEncoder();

/** Bytes, about, of what can be stored in a row. A number takes eight. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return encoder.encode(value).length;
  if (typeof value !== 'object' || value === null) return 8;
  if (value instanceof Blob) return value.size;
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength;
  const parts: Iterable<unknown> =
    value instanceof Map ? [...value].flat() : value instanceof Set ? value : Object.entries(value).flat();
  let bytes = 0;
  for (const part of parts) bytes += sizeOf(part);
  return bytes;
}

async function measureCaches(kindOf: (name: string) => StoredKind, add: Add): Promise<void> {
  if (!('caches' in globalThis)) return;
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const response = await cache.match(request);
      // A server may have sent it packed, and said the size of that: near enough, and nothing is read for it.
      const said = Number(response?.headers.get('content-length') ?? 0);
      add(kindOf(name), said > 0 ? said : ((await response?.blob())?.size ?? 0));
    }
  }
}

async function measureFiles(kindOf: (folder: string) => StoredKind, add: Add): Promise<void> {
  if (!('storage' in navigator) || !('getDirectory' in navigator.storage)) return;
  const walk = async (folder: FileSystemDirectoryHandle, kind: StoredKind | undefined): Promise<void> => {
    for await (const entry of folder.values()) {
      if (entry.kind === 'directory') await walk(entry, kind ?? kindOf(entry.name)).catch(() => undefined);
      else add(kind ?? 'rest', await bytesOf(entry));
    }
  };
  await walk(await navigator.storage.getDirectory(), undefined);
}

/** One that goes meanwhile counts as nothing, as the file does that tries how much room there is. */
const bytesOf = (file: FileSystemFileHandle): Promise<number> =>
  file.getFile().then(
    ({ size }) => size,
    () => 0,
  );
