import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { startIdleTasks } from '../../../src/app/launch';
import type { App } from '../../../src/state/app.svelte';
import type { OpenStore } from '../../../src/store/open-store';

/** A service worker needs a page. */
vi.mock('../../../src/platform/updates', () => ({ watchForUpdates: () => Promise.resolve() }));

/** Records the deletions of databases and the calls to services, in order. */
async function askedAtRest(condition: OpenStore['condition']): Promise<string[]> {
  const asked: string[] = [];
  const plain = indexedDB.deleteDatabase.bind(indexedDB);
  vi.spyOn(indexedDB, 'deleteDatabase').mockImplementation((name) => {
    asked.push(`delete ${name}`);
    return plain(name);
  });
  const note = (name: string, value: object) => () => (asked.push(name), Promise.resolve(value));
  const app = {
    services: {
      loadSearch: note('search', {}),
      loadBackups: note('backups', { folder: { begin: () => Promise.resolve() } }),
      storage: { lookForRoom: note('storage', {}) },
    },
  } as unknown as App;
  const store = { condition, inspect: () => (asked.push('inspect'), Promise.resolve(undefined)) };
  await startIdleTasks(app, store as Partial<OpenStore> as OpenStore);
  vi.restoreAllMocks();
  return asked;
}

test('at startup, the old log database is deleted before any other background task', async () => {
  const rest = ['inspect', 'search', 'backups', 'storage'];
  // At first there is nothing to delete, so the database is created and deleted again.
  expect(await askedAtRest('ok')).toEqual(['delete hearth-log', 'delete hearth-log', ...rest]);
  expect(await askedAtRest('ok')).toEqual(['delete hearth-log', ...rest]);
});

test('the log database is not deleted if the main database has a newer version', async () => {
  expect(await askedAtRest('newer')).not.toContain('delete hearth-log');
});
