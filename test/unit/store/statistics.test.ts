import 'fake-indexeddb/auto';
import { describe, expect, test, vi } from 'vitest';
import type { ToolStatistics } from '../../../src/contracts/tool';
import { Database } from '../../../src/store/database';
import { createStatistics } from '../../../src/store/single-tables';
import { createMemoryStore } from '../../../src/store/open-store';
import { slow } from '../../support/matrix';

const row = (changed: Partial<ToolStatistics> = {}): ToolStatistics => ({
  name: 'clock',
  calls: 1,
  failures: 0,
  repairs: 0,
  totalMs: 20,
  ...changed,
});

let databases = 0;
async function onDisk() {
  const database = new Database(`statistics-${databases++}`);
  await database.open();
  return { store: createStatistics(database), database };
}

describe.for([
  { name: 'on the disk', open: async () => (await onDisk()).store },
  { name: 'in memory', open: async () => createMemoryStore().statistics },
])('statistics stored $name', ({ open }) => {
  test('are added up per tool, and watchers are notified', async () => {
    const store = await open();
    const seen = vi.fn<(list: ToolStatistics[]) => void>();
    const end = store.watch(seen, (error) => {
      throw error;
    });
    // At the same time, as from two tabs.
    await Promise.all([
      store.add(row()),
      store.add(row({ failures: 1, totalMs: 5 })),
      store.add(row({ name: 'calculator', repairs: 1 })),
    ]);
    await vi.waitFor(() => {
      const list = seen.mock.lastCall?.[0].toSorted((a, b) => a.name.localeCompare(b.name));
      expect(list).toEqual([
        row({ name: 'calculator', repairs: 1 }),
        row({ calls: 2, failures: 1, totalMs: 25 }),
      ]);
    });
    end();
  });
});

slow('unreadable statistics of a tool count as zero and are replaced', async () => {
  const { store, database } = await onDisk();
  await database.table('toolStatistics').put({ name: 'clock', calls: 'many' });
  await store.add(row());
  expect(await database.toolStatistics.toArray()).toEqual([row()]);
});
