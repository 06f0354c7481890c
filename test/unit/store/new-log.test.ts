import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { startNewLog } from '../../../src/store/new-log';

/** Runs a task and records the requests to the database of this name, in order. */
async function watched(task: () => Promise<void>): Promise<string[]> {
  const asked: string[] = [];
  const plain = globalThis.indexedDB;
  globalThis.indexedDB = new Proxy(plain, {
    get(target, method: 'open' | 'deleteDatabase') {
      return (name: string) => {
        asked.push(`${method} ${name}`);
        return target[method](name);
      };
    },
  });
  await task();
  globalThis.indexedDB = plain;
  return asked;
}

test('each visit deletes the log database of the last visit and creates a new one', async () => {
  const [make, remove] = ['open log', 'deleteDatabase log'];
  // The first visit has nothing to delete.
  expect(await watched(() => startNewLog('log'))).toEqual([remove, make, remove, make]);
  expect(await watched(() => startNewLog('log'))).toEqual([remove, make]);
  expect((await indexedDB.databases()).map(({ name }) => name)).toEqual(['log']);
});
