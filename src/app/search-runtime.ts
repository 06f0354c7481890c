/** Chat search and its index, which grows in small steps and never during an answer. Loaded when the page is idle or someone searches. */
import searchWorkerUrl from '../../workers/search.worker.ts?worker&url';
import { tryLock, whenFree } from '../platform/locks';
import { startWorker } from '../platform/start-worker';
import { createRemoteSearch, type RemoteSearch } from '../search/remote-search';
import { Search } from '../state/search.svelte';
import type { OpenStore } from '../store/open-store';
import { AppError } from '../contracts/app-error';
import type { BinPlace } from '../contracts/store';
import type { ChatRecord } from '../contracts/chat';
import type { IndexProgress } from '../contracts/search';

interface SearchParts {
  store: Promise<Pick<OpenStore, 'condition' | 'chats' | 'bin'>>;
  /** Whether the index must wait, because a model is answering or an update is being installed. */
  isBusy: () => boolean;
}

export async function createSearchRuntime({ store, isBusy }: SearchParts) {
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
  const keeper: IndexKeeper = new IndexKeeper({ remote, search, isBusy, alone: withIndexLock });
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
  return {
    search,
    /** Stops for good, because all data is about to be deleted. */
    end: () => keeper.end(),
  };
}

const indexLockName = 'search-index';

/** Waits while another tab writes the index, then runs `task`, which finds that tab's work done. */
async function withIndexLock(task: () => Promise<void>): Promise<void> {
  for (;;) {
    const release = await tryLock(indexLockName);
    if (!release) {
      await whenFree(indexLockName);
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

/** Milliseconds from a change to its indexing. Changes come in groups, which are indexed together. */
const defaultSettleMs = 1000;
const maxTries = 2;

interface KeeperParts {
  remote: RemoteSearch;
  search: Search;
  isBusy: () => boolean;
  alone: (task: () => Promise<void>) => Promise<void>;
  settleMs?: number;
}

export class IndexKeeper {
  readonly #parts: KeeperParts;
  readonly #remote: RemoteSearch;
  readonly #search: Search;
  #known: ReadonlyMap<string, string> | undefined;
  #changed: Set<string> | 'all' = new Set();
  #binned: ReadonlySet<string> = new Set();
  #updating: Promise<void> | undefined;
  #hasEnded = false;
  #tries = 0;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.#remote = parts.remote;
    this.#search = parts.search;
  }

  /** Called with the current chats. The first call indexes all chats, later calls only those that changed. */
  take(list: readonly ChatRecord[]): void {
    const now = new Map(list.map((chat) => [chat.id, `${chat.updatedAt} ${chat.leafId} ${chat.title}`]));
    const before = this.#known;
    // There is nothing to index on a first visit.
    if (!before && list.length === 0) return;
    this.#known = now;
    if (!before) this.#changed = 'all';
    else if (this.#changed !== 'all') {
      for (const [id, state] of now) if (before.get(id) !== state) this.#changed.add(id);
      for (const id of before.keys()) if (!now.has(id)) this.#changed.add(id);
    }
    void this.#update();
  }

  /** Called with the current items in the bin. An item that left the bin may be deleted for good, so its words must leave the index. */
  takeBin(entries: readonly BinPlace[]): void {
    const now = new Set(
      entries.flatMap(({ kind, id }) => (kind === 'chat' || kind === 'messages' ? [`${kind} ${id}`] : [])),
    );
    const hasLeft = [...this.#binned].some((entry) => !now.has(entry));
    this.#binned = now;
    if (!hasLeft) return;
    this.#changed = 'all';
    void this.#update();
  }

  async rebuild(): Promise<void> {
    this.#search.fault = undefined;
    this.#tries = 0;
    try {
      await this.#remote.forget();
    } catch {
      // The index cannot be emptied, so let a new worker open or delete it.
      this.#remote.end();
    }
    this.#changed = 'all';
    await this.#update();
  }

  /** Called when the search or the index fails. Rebuilds the index once, then reports the fault. */
  onFault(error: unknown): void {
    if (this.#hasEnded) return;
    this.#tries += 1;
    if (this.#tries < maxTries) {
      this.#changed = 'all';
      void this.#update();
    } else this.#search.fault = error instanceof AppError ? error.code : 'search-broken';
  }

  end(): void {
    this.#hasEnded = true;
    this.#remote.end();
  }

  async #update(): Promise<void> {
    if (this.#isNeeded) this.#updating ??= this.#updateUntilCurrent();
    await this.#updating;
  }

  async #updateUntilCurrent(): Promise<void> {
    try {
      while (this.#isNeeded) {
        await this.#waitUntilIdle(this.#parts.settleMs ?? defaultSettleMs);
        await this.#parts.alone(() => this.#updateOnce());
      }
    } finally {
      this.#updating = undefined;
    }
  }

  get #isNeeded(): boolean {
    return !this.#hasEnded && (this.#changed === 'all' || this.#changed.size > 0);
  }

  async #updateOnce(): Promise<void> {
    const changed = this.#changed;
    this.#changed = new Set();
    try {
      let progress: IndexProgress | undefined = await this.#remote.begin(
        changed === 'all' ? undefined : [...changed],
      );
      for (let steps = 1; progress && !this.#hasEnded; steps++) {
        this.#search.progress = progress.done < progress.total ? progress : undefined;
        if (steps % 20 === 0) void this.#search.lookAgain();
        await this.#waitUntilIdle(0);
        progress = await this.#remote.step();
      }
      this.#search.fault = undefined;
      this.#tries = 0;
      void this.#search.lookAgain();
    } catch (error) {
      // Continue with another worker.
      this.#remote.end();
      this.#changed = new Set();
      this.onFault(error);
    } finally {
      this.#search.progress = undefined;
    }
  }

  /** Waits until no model is answering, because a model needs all processor cores. */
  async #waitUntilIdle(ms: number): Promise<void> {
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    while (this.#parts.isBusy() && !this.#hasEnded) await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
