/**
 * Makes Chromium start a new log file twice a visit. When a browser is killed, it can leave half a record at the end of its
 * log. Chromium appends to that log, later takes everything after the half record for damage, and deletes all databases. See
 * docs/decisions/2026-11-27-half-a-record.md.
 */

/** Deletes an empty database, which makes Chromium start a new log, and creates it again for the next visit to delete. */
export async function beginNewLog(name = 'hearth-log'): Promise<void> {
  if ((await deleteDatabase(name)) === 0) {
    // There was nothing to delete: this is the first visit, or the last one ended too early to create the database.
    await createDatabase(name);
    await deleteDatabase(name);
  }
  await createDatabase(name);
}

/** Deletes a database. Resolves to its version, or 0 if it did not exist. */
function deleteDatabase(name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = (event) => resolve((event as IDBVersionChangeEvent).oldVersion);
    request.onerror = () => reject(errorOf(request));
  });
}

function createDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name);
    request.onsuccess = () => {
      request.result.close();
      resolve();
    };
    request.onerror = () => reject(errorOf(request));
  });
}

const errorOf = ({ error }: IDBRequest) => error ?? new Error('No reason given.');
