import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { RequestRecord } from '../../../src/contracts/egress';
import { createMemoryStore, openStore } from '../../../src/store/open-store';
import type { RequestStore } from '../../../src/contracts/store';
import { thorough } from '../../support/matrix';

let opened = 0;
const fail = (error: Error) => {
  throw error;
};
const recordAt = (at: number): RequestRecord => ({
  id: `request ${at}`,
  at,
  tool: 'fetch_page',
  method: 'GET',
  host: 'example.com',
  sentBytes: 30,
  receivedBytes: 1000,
  durationMs: 12,
  outcome: at % 2 === 0 ? 200 : 'timeout',
});

describe.for([
  { kept: 'on the disk', open: async () => (await openStore({ name: `requests-${opened++}` })).requests },
  { kept: 'in memory', open: () => Promise.resolve(createMemoryStore().requests) },
])('logged requests stored $kept', ({ open }) => {
  let requests: RequestStore;
  beforeEach(async () => {
    requests = await open();
  });

  test('are listed newest first, and watchers see every change until they stop', async () => {
    const lists: number[][] = [];
    const stop = requests.watch((list) => lists.push(list.map(({ at }) => at)), fail);
    await vi.waitFor(() => expect(lists).toEqual([[]]));
    for (const at of [2, 3, 1]) await requests.add(recordAt(at));
    await vi.waitFor(() => expect(lists.at(-1)).toEqual([3, 2, 1]));
    stop();
    const heard = lists.length;
    await requests.add(recordAt(4));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(lists).toHaveLength(heard);
  });

  test('are loaded unchanged', async () => {
    await requests.add(recordAt(1));
    await requests.add(recordAt(2));
    const list = await new Promise((resolve) => void requests.watch(resolve, fail));
    expect(list).toEqual([recordAt(2), recordAt(1)]);
  });

  thorough(
    'are limited to the newest 500',
    async () => {
      await Promise.all(Array.from({ length: 503 }, (_, index) => requests.add(recordAt(index + 1))));
      const list = await new Promise<RequestRecord[]>((resolve) => void requests.watch(resolve, fail));
      expect([list.length, list[0]?.at, list.at(-1)?.at]).toEqual([500, 503, 4]);
    },
    30_000,
  );

  test('can be cleared', async () => {
    await requests.add(recordAt(1));
    await requests.clear();
    const list = await new Promise((resolve) => void requests.watch(resolve, fail));
    expect(list).toEqual([]);
  });
});

test('an unreadable logged request stays stored, and all others are still listed', async () => {
  const name = `requests-${opened++}`;
  const { requests, close } = await openStore({ name });
  await requests.add(recordAt(1));
  const raw = await new Dexie(name).open();
  await raw.table('requests').put({ id: 'damaged', at: 2, outcome: {} });
  raw.close();
  const list = await new Promise((resolve) => void requests.watch(resolve, fail));
  expect(list).toEqual([recordAt(1)]);
  close();
});
