import { expect, test, vi } from 'vitest';
import { createIndexUpdater } from '../../../src/app/search-runtime';
import { AppError } from '../../../src/contracts/app-error';
import { Search } from '../../../src/state/search.svelte';
import { chatRecord } from '../../support/stored-chat';

// The worker's security policies need a page.
vi.mock('../../../src/platform/start-worker', () => ({}));

/** The keeper of an index that takes three steps to build. */
function stage() {
  const state = { isBusy: false, faults: 0 };
  const begun: (readonly string[] | undefined)[] = [];
  const shown: number[] = [];
  let left = 0;
  const remote = {
    open: async () => undefined,
    begin: async (only?: readonly string[]) => {
      if (state.faults > 0) {
        state.faults -= 1;
        throw new AppError('search-broken', 'broken');
      }
      begun.push(only);
      left = 3;
      return { done: 0, total: 3 };
    },
    step: async () => {
      left -= 1;
      shown.push(search.progress?.done ?? -1);
      return left > 0 ? { done: 3 - left, total: 3 } : undefined;
    },
    find: async () => ({ hits: [], hasMore: false }),
    forget: vi.fn(async () => undefined),
    end: vi.fn(),
  };
  const search = new Search({ find: remote.find, warm: () => undefined, rebuild: async () => undefined });
  const keeper = createIndexUpdater({
    remote,
    search,
    settleMs: 1,
    isBusy: () => state.isBusy,
    alone: (task) => task(),
  });
  return { keeper, remote, search, state, begun, shown };
}

const some = [chatRecord('a', { updatedAt: 1 }), chatRecord('b', { updatedAt: 2 })];

test('the search index is updated only for changed, new and deleted chats', async () => {
  const { keeper, begun } = stage();
  keeper.take(some);
  await expect.poll(() => begun).toEqual([undefined]);
  keeper.take([chatRecord('a', { updatedAt: 3 }), chatRecord('c')]);
  await expect.poll(() => begun.length).toBe(2);
  expect(begun[1]?.toSorted()).toEqual(['a', 'b', 'c']);
  keeper.take([chatRecord('a', { updatedAt: 3 }), chatRecord('c')]);
  keeper.take([chatRecord('a', { updatedAt: 3, title: 'New name' }), chatRecord('c')]);
  await expect.poll(() => begun.length).toBe(3);
  expect(begun[2]).toEqual(['a']);
});

test('the search index is checked against all chats when a message is restored or removed from the bin', async () => {
  const { keeper, begun } = stage();
  keeper.take(some);
  await expect.poll(() => begun).toEqual([undefined]);
  const [branch, note] = [
    { kind: 'messages' as const, id: 'q' },
    { kind: 'note' as const, id: 'n' },
  ];
  keeper.takeBin([branch, note]);
  keeper.takeBin([branch]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(begun).toHaveLength(1);
  keeper.takeBin([]);
  await expect.poll(() => begun).toEqual([undefined, undefined]);
});

test('on a first visit, indexing for search starts with the first chat', async () => {
  const { keeper, begun } = stage();
  keeper.take([]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(begun).toEqual([]);
  keeper.take(some);
  await expect.poll(() => begun).toEqual([undefined]);
});

test('indexing progress is reported until the search index is complete', async () => {
  const { keeper, search, shown } = stage();
  keeper.take(some);
  await expect.poll(() => shown).toEqual([0, 1, 2]);
  await expect.poll(() => search.progress).toBeUndefined();
});

test('indexing for search waits while a model is answering', async () => {
  const { keeper, state, begun } = stage();
  state.isBusy = true;
  keeper.take(some);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(begun).toEqual([]);
  state.isBusy = false;
  await expect.poll(() => begun, { timeout: 5000 }).toEqual([undefined]);
});

test('the first indexing failure is retried in a new worker, and the next one is reported', async () => {
  const { keeper, remote, search, state, begun } = stage();
  state.faults = 1;
  keeper.take(some);
  await expect.poll(() => begun).toEqual([undefined]);
  expect(remote.end).toHaveBeenCalledTimes(1);
  expect(search.fault).toBeUndefined();
  state.faults = 2;
  keeper.take([chatRecord('a', { updatedAt: 9 })]);
  await expect.poll(() => search.fault).toBe('search-broken');
  await keeper.rebuild();
  expect(remote.forget).toHaveBeenCalled();
  expect(search.fault).toBeUndefined();
  expect(begun).toEqual([undefined, undefined]);
});

test('the search index can be rebuilt while indexing is running', async () => {
  const { keeper, search, begun } = stage();
  keeper.take(some);
  await keeper.rebuild();
  expect(begun.at(-1)).toBeUndefined();
  expect(search.progress).toBeUndefined();
  const before = begun.length;
  const again = keeper.rebuild();
  await keeper.rebuild();
  await again;
  expect(begun.slice(before).every((only) => only === undefined)).toBe(true);
  expect(begun.length).toBeGreaterThan(before);
});

test('no chat is indexed after the page is closed', async () => {
  const { keeper, remote, begun } = stage();
  keeper.end();
  keeper.take(some);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(begun).toEqual([]);
  expect(remote.end).toHaveBeenCalled();
});
