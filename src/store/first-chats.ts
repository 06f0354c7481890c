/**
 * The chats and folders of the list, read before the store is there: its code is twice that of the page until then, and the list needs
 * none of it. What is not said here (another version, a damaged row, a chat without a place in the list) the store says.
 */
import type { ChatRecord, Folder } from '../contracts/chat';
import { listedPartOf } from './is-plain-chat';
import { indexedDbVersion } from './schema-version';

export interface FirstChats {
  /** Newest first; one at least. Without what the list does not show, such as the model of a chat. */
  chats: readonly ChatRecord[];
  /** Oldest first. */
  folders: readonly Folder[];
}

/** Undefined where there is nothing to show, or it cannot be read. */
export async function readFirstChats(name = 'hearth'): Promise<FirstChats | undefined> {
  const connection = await connect(name);
  if (!connection) return undefined;
  try {
    if (connection.version !== indexedDbVersion) return undefined;
    const transaction = connection.transaction(['chats', 'folders'], 'readonly');
    const [chats, folders] = await Promise.all([
      all(transaction.objectStore('chats')),
      all(transaction.objectStore('folders')),
    ]);
    const listed = chats.flatMap((row) => listedPartOf(row) ?? []);
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

function connect(name: string): Promise<IDBDatabase | undefined> {
  return new Promise((resolve) => {
    const request = indexedDB.open(name);
    // There is none, and it is the store that makes one.
    request.onupgradeneeded = () => request.transaction?.abort();
    request.onerror = (event) => {
      event.preventDefault();
      resolve(undefined);
    };
    request.onsuccess = () => {
      const { result } = request;
      // Another tab that deletes or updates it need not wait.
      result.onversionchange = () => result.close();
      resolve(result);
    };
  });
}

function all(store: IDBObjectStore): Promise<object[]> {
  return new Promise((resolve, reject) => {
    const request = store.getAll();
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB gave no reason.'));
  });
}

function isFolder(row: Partial<Record<keyof Folder, unknown>>): row is Folder {
  return (
    typeof row.id === 'string' &&
    typeof row.name === 'string' &&
    typeof row.isFolded === 'boolean' &&
    Number.isFinite(row.createdAt)
  );
}
