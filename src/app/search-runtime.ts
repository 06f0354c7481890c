/** Chat search and its index, which grows in small steps and never during an answer. Loaded when the page is idle or the user searches. */
import searchWorkerUrl from '../../workers/search.worker.ts?worker&url';
import { tryLock, whenLockFree } from '../platform/locks';
import { startWorker } from '../platform/start-worker';
import { createRemoteSearch, type RemoteSearch } from '../search/remote-search';
import { Search } from '../state/search.svelte';
import type { OpenStore } from '../store/open-store';
import { AppError } from '../contracts/app-error';
import type { BinItemKey } from '../contracts/store';
import type { ChatRecord } from '../contracts/chat';
import type { IndexProgress } from '../contracts/search';

export async function createSearchRuntime(parts: {
  store: Promise<Pick<OpenStore, 'condition' | 'chats' | 'bin'>>;
  /** Whether indexing must wait, because a model is answering or an update is being installed. */
  isBusy: () => boolean;
}) {
  const { store, isBusy } = parts;
  const remote = createRemoteSearch({
    startWorker: () => startWorker(searchWorkerUrl),
    names: { chats: 'hearth', index: 'hearth-search' },
  });
  const search = new Search({
    warm: () => void remote.open().catch(() => undefined),
    rebuild: () => keeper.rebuild(),
    async find(query, most) {
      try {
        return await remote.find(query, most);
      } catch (error) {
        keeper.onFault(error);
        throw error;
      }
    },
  });
  const keeper: IndexUpdater = createIndexUpdater({ remote, search, isBusy, alone: withIndexLock });
  const { condition, chats, bin } = await store;
  search.isNothingStored = condition !== 'ok';
  if (condition === 'ok') {
    chats.watch(keeper.take, () => undefined);
    bin.watch(keeper.takeBin, () => undefined);
  }
  return { search, end: keeper.end };
}

const indexLockName = 'search-index';

/** Waits until no other tab updates the index, then runs `task`, which indexes what is still missing. */
async function withIndexLock(task: () => Promise<void>): Promise<void> {
  let release = await tryLock(indexLockName);
  while (!release) {
    await whenLockFree(indexLockName);
    release = await tryLock(indexLockName);
  }
  await task().finally(release);
}

const maxIndexTries = 2;

type IndexUpdater = ReturnType<typeof createIndexUpdater>;

export function createIndexUpdater(parts: {
  remote: RemoteSearch;
  search: Search;
  isBusy: () => boolean;
  alone: (task: () => Promise<void>) => Promise<void>;
  /** Milliseconds from a change to its indexing. Changes come in groups, which we index together. */
  settleMs?: number;
}) {
  const { remote, search, isBusy, alone, settleMs = 1000 } = parts;
  let known: ReadonlyMap<string, string> | undefined;
  let changed: Set<string> | 'all' = new Set();
  let binned: ReadonlySet<string> = new Set();
  let updating: Promise<void> | undefined;
  let hasEnded = false;
  let tries = 0;

  const isNeeded = () => !hasEnded && (changed === 'all' || changed.size > 0);

  async function update(): Promise<void> {
    if (isNeeded()) updating ??= updateUntilCurrent().finally(() => (updating = undefined));
    await updating;
  }

  async function updateUntilCurrent(): Promise<void> {
    while (isNeeded()) {
      await new Promise((resolve) => setTimeout(resolve, settleMs));
      await waitUntilIdle();
      await alone(updateOnce);
    }
  }

  async function updateOnce(): Promise<void> {
    const only = changed === 'all' ? undefined : [...changed];
    changed = new Set();
    try {
      let progress: IndexProgress | undefined = await remote.begin(only);
      for (let steps = 1; progress && !hasEnded; steps++) {
        search.progress = progress.done < progress.total ? progress : undefined;
        if (steps % 20 === 0) void search.searchAgain();
        await waitUntilIdle();
        progress = await remote.step();
      }
      search.fault = undefined;
      tries = 0;
      void search.searchAgain();
    } catch (error) {
      remote.end();
      changed = new Set();
      onFault(error);
    } finally {
      search.progress = undefined;
    }
  }

  /** Waits until no model is answering, because a model needs all processor cores. */
  async function waitUntilIdle(): Promise<void> {
    while (isBusy() && !hasEnded) await new Promise((resolve) => setTimeout(resolve, 500));
  }

  function updateAll(): Promise<void> {
    changed = 'all';
    return update();
  }

  /** Called when the search or the index fails. After the first failure, updates the index. After the next, reports the fault. */
  function onFault(error: unknown): void {
    if (hasEnded) return;
    tries += 1;
    if (tries < maxIndexTries) void updateAll();
    else search.fault = error instanceof AppError ? error.code : 'search-broken';
  }

  return {
    onFault,
    /** Called with the current chats. The first call indexes all chats, later calls only those that changed. */
    take: (list: readonly ChatRecord[]) => {
      const before = known;
      if (!before && list.length === 0) return;
      const now = new Map(list.map((chat) => [chat.id, `${chat.updatedAt} ${chat.leafId} ${chat.title}`]));
      known = now;
      if (!before) changed = 'all';
      else if (changed !== 'all') {
        for (const [id, state] of now) if (before.get(id) !== state) changed.add(id);
        for (const id of before.keys()) if (!now.has(id)) changed.add(id);
      }
      void update();
    },
    /** Called with the current items in the bin. Once an item has left the bin, its words must leave the index. */
    takeBin: (entries: readonly BinItemKey[]) => {
      const before = binned;
      const now = new Set(
        entries.flatMap(({ kind, id }) => (kind === 'chat' || kind === 'messages' ? [`${kind} ${id}`] : [])),
      );
      binned = now;
      if ([...before].some((entry) => !now.has(entry))) void updateAll();
    },
    async rebuild(): Promise<void> {
      search.fault = undefined;
      tries = 0;
      // If the worker cannot empty the index, end it. The next call starts a new worker, which opens the index again or deletes it.
      await remote.forget().catch(() => remote.end());
      await updateAll();
    },
    end: () => {
      hasEnded = true;
      remote.end();
    },
  };
}
