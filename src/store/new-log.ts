/**
 * Makes Chromium start a new log file twice a visit. When a browser is killed, it can leave half a record at the end of its
 * log. Chromium appends to that log, later takes everything after the half record for damage, and deletes all databases. See
 * docs/decisions/2026-11-27-half-a-record.md.
 */

/** Deletes an empty database, which makes Chromium start a new log, and creates it again for the next visit to delete. */
export async function startNewLog(name = 'hearth-log'): Promise<void> {
  if ((await deleteDatabase(name)) === 0) {
    // There was nothing to delete: this is the first visit, or the last one ended too early to create the database.
    await createDatabase(name);
    await deleteDatabase(name);
  }
  await createDatabase(name);
}

/** Resolves to the version of the deleted database, or 0 if it did not exist. */
async function deleteDatabase(name: string): Promise<number> {
  const event = await waitForSuccess(indexedDB.deleteDatabase(name));
  return (event as IDBVersionChangeEvent).oldVersion;
}

async function createDatabase(name: string): Promise<void> {
  const request = indexedDB.open(name);
  await waitForSuccess(request);
  request.result.close();
}

function waitForSuccess(request: IDBRequest): Promise<Event> {
  return new Promise((resolve, reject) => {
    request.onsuccess = resolve;
    request.onerror = () => reject(request.error ?? new Error('No reason given.'));
  });
}
