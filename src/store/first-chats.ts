/** Reads the list of chats and folders before the store's large code is loaded. Rows that need the full parser wait for the store. */
import type { ChatRecord, Folder } from '../contracts/chat';

interface FirstChats {
  /** Newest first, at least one. Each has only the fields that the list shows. */
  chats: readonly ChatRecord[];
  folders: readonly Folder[];
}

export async function readFirstChats(name = 'hearth'): Promise<FirstChats | undefined> {
  const connection = await openConnection(name);
  if (!connection) return undefined;
  try {
    if (connection.version !== indexedDbVersion) return undefined;
    const transaction = connection.transaction(['chats', 'folders'], 'readonly');
    const [chats, folders] = await Promise.all([
      readAllRows(transaction.objectStore('chats')),
      readAllRows(transaction.objectStore('folders')),
    ]);
    const listed = chats.flatMap((row) => toListedChat(row) ?? []);
    if (listed.length === 0) return undefined;
    return {
      chats: listed.sort((a, b) => b.updatedAt - a.updatedAt),
      folders: folders.filter(isFolder).sort((a, b) => a.createdAt - b.createdAt),
    };
  } catch {
    return undefined;
  } finally {
    connection.close();
  }
}

function openConnection(name: string): Promise<IDBDatabase | undefined> {
  return new Promise((resolve) => {
    const request = indexedDB.open(name);
    // If there is no database yet, abort: only the store may create it.
    request.onupgradeneeded = () => request.transaction?.abort();
    request.onerror = (event) => {
      event.preventDefault();
      resolve(undefined);
    };
    request.onsuccess = () => {
      const { result } = request;
      result.onversionchange = () => result.close();
      resolve(result);
    };
  });
}

function readAllRows(store: IDBObjectStore): Promise<StoredRow[]> {
  return new Promise((resolve, reject) => {
    const request = store.getAll();
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB gave no reason.'));
  });
}

function isFolder(row: Partial<Record<keyof Folder, unknown>>): row is Folder {
  return isText(row.id) && isText(row.name) && typeof row.isFolded === 'boolean' && isTime(row.createdAt);
}

/** The newest version of the database. Defined here because database.ts imports Dexie, which this file must not load. */
export const schemaVersion = 12;

const indexedDbVersion = schemaVersion * 10;

type StoredRow = Readonly<Record<string, unknown>>;

const isText = (value: unknown) => typeof value === 'string';
const isTime = (value: unknown) => Number.isFinite(value);
const isTextOrNone = (value: unknown) => value === undefined || isText(value);
const isTimeOrNone = (value: unknown) => value === undefined || isTime(value);

/** A check for each field of a plain chat. A row with any other field needs zod. */
const chatFieldChecks = new Map<string, (value: unknown) => boolean>(
  Object.entries({
    id: isText,
    title: isText,
    isNamed: (value) => typeof value === 'boolean',
    createdAt: isTime,
    updatedAt: isTime,
    leafId: (value) => value === null || isText(value),
    // Unlike `every`, `findIndex` also visits holes in the array.
    toolsOff: (value) => Array.isArray(value) && value.findIndex((name) => !isText(name)) < 0,
    persona: isTextOrNone,
    pinnedAt: isTimeOrNone,
    archivedAt: isTimeOrNone,
    folderId: isTextOrNone,
    deletedAt: isTimeOrNone,
  } satisfies Partial<Record<keyof ChatRecord, (value: unknown) => boolean>>),
);

/** Whether a row is surely a valid chat record. False means "unknown". We do not use zod here, because it is slow for thousands of rows. */
export function isSurelyValidChat(row: StoredRow): row is ChatRecord {
  for (const field in row) if (!chatFieldChecks.has(field)) return false;
  for (const [field, isValid] of chatFieldChecks) if (!isValid(row[field])) return false;
  return true;
}

function toListedChat(row: StoredRow): ChatRecord | undefined {
  if (row['deletedAt'] !== undefined || row['agentOf'] !== undefined) return undefined;
  if (isSurelyValidChat(row)) return row;
  const part = Object.fromEntries(Object.entries(row).filter(([field]) => chatFieldChecks.has(field)));
  return isSurelyValidChat(part) ? part : undefined;
}
