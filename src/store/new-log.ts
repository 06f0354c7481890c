/**
 * Makes Chromium start a new log file twice a visit. If a killed browser leaves half a record at the end of the log, Chromium later treats
 * everything after that as damage and deletes all databases (docs/decisions/2026-11-27-half-a-record.md).
 */

/** Makes Chromium start a new log by deleting an empty database. Creates the database again, so the next visit can delete it. */
export async function startNewLog(name = 'hearth-log'): Promise<void> {
  if ((await deleteDatabase(name)) === 0) {
    // Nothing was deleted: this is the first visit, or the last one ended too early to create the database.
    await createDatabase(name);
    await deleteDatabase(name);
  }
  await createDatabase(name);
}

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
