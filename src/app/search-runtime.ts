/** Part of the composition root: chat search. Loaded when the page is idle or someone searches. */
import searchWorkerUrl from '../../workers/search.worker?worker&url';
import { tryLock, whenFree } from '../platform/locks';
import { startWorker } from '../platform/start-worker';
import { createRemoteSearch } from '../search/remote-search';
import { Search } from '../state/search.svelte';
import type { OpenStore } from '../store/open-store';
import { IndexKeeper } from './index-keeper';

export interface SearchRuntime {
  search: Search;
  /** Ends it for good, because everything will be deleted. */
  end: () => void;
}

interface SearchParts {
  store: Promise<Pick<OpenStore, 'condition' | 'chats' | 'bin'>>;
  /** A model is answering or an update is being installed, so the index waits. */
  isBusy: () => boolean;
}

export async function createSearchRuntime({ store, isBusy }: SearchParts): Promise<SearchRuntime> {
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
  const keeper: IndexKeeper = new IndexKeeper({ remote, search, isBusy, alone });
  const { condition, chats, bin } = await store;
  search.isUnkept = condition !== 'ok';
  if (condition === 'ok') {
    chats.watch(
      (list) => keeper.take(list),
      () => undefined,
    );
    bin.watch(
      (entries) => keeper.takeBin(entries),
      () => undefined,
    );
  }
  return { search, end: () => keeper.end() };
}

const lockName = 'search-index';

/** Waits while another tab writes the index, whose work need not be repeated. */
async function alone(task: () => Promise<void>): Promise<void> {
  for (;;) {
    const release = await tryLock(lockName);
    if (!release) {
      await whenFree(lockName);
      continue;
    }
    try {
      await task();
    } finally {
      release();
    }
    return;
  }
}
