/**
 * Makes Chromium start a new log file at the beginning of a visit. A killed browser can leave half a record at the end of the log. Chromium
 * appends to it, and later takes everything after the half record for damage and deletes all databases. See
 * docs/decisions/2026-11-27-half-a-record.md.
 */

/** Deleting a database starts a new log. This database exists only to be deleted as the first write of the next visit. */
export async function beginNewLog(name = 'hearth-log'): Promise<void> {
  if ((await remove(name)) === 0) {
    // The first visit, or the last one ended before the database was created.
    await make(name);
    await remove(name);
  }
  await make(name);
}

/** Resolves to the version of the deleted database, 0 if there was none. */
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
