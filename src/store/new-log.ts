/**
 * Has Chromium begin a new file for what it writes down first: it goes on with the old one also where that ends in half a record, which a
 * browser that was killed leaves behind, and takes what it wrote after it for damage at the opening after the next. All databases are
 * gone then. Why and how in docs/decisions/2026-11-27-half-a-record.md.
 */

/**
 * Deleting a database makes it begin one. The database is there for that alone, from the last visit, so that its deletion is the first
 * thing that is written. Elsewhere than in Chromium this changes nothing.
 */
export async function beginNewLog(name = 'hearth-log'): Promise<void> {
  if ((await remove(name)) === 0) {
    // The first visit, or the last one ended before it came to this.
    await make(name);
    await remove(name);
  }
  await make(name);
}

/** Resolves to the version of what was there, 0 where there was nothing. */
function remove(name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = (event) => resolve((event as IDBVersionChangeEvent).oldVersion);
    request.onerror = () => reject(failure(request));
  });
}

function make(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name);
    request.onsuccess = () => {
      request.result.close();
      resolve();
    };
    request.onerror = () => reject(failure(request));
  });
}

const failure = ({ error }: IDBRequest) => error ?? new Error('No reason given.');
