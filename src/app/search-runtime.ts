/** A part of the composition root: keeps the index of the chats up to them, and asks it. Loaded when the page is idle, or something is looked for. */
import searchWorkerUrl from '../../workers/search.worker?worker&url';
import { AppError } from '../contracts/app-error';
import type { ChatRecord } from '../contracts/chat';
import type { IndexProgress } from '../contracts/search';
import { tryLock, whenFree } from '../platform/locks';
import { startWorker } from '../platform/start-worker';
import { createRemoteSearch, type RemoteSearch } from '../search/remote-search';
import { Search } from '../state/search.svelte';
import type { OpenStore } from '../store/open-store';

export interface SearchRuntime {
  search: Search;
  /** Ends what is under way: everything is about to be deleted. */
  end: () => void;
}

interface SearchParts {
  store: Promise<Pick<OpenStore, 'condition' | 'chats'>>;
  /** Whether a model is answering: the index waits for it. */
  isBusy: () => boolean;
}

/** One tab at a time writes the index. */
const lockName = 'search-index';
/** Milliseconds after a change until it is looked at: changes seldom come alone. */
const settleMs = 1000;
/** How often a failure is followed by another try. */
const mostTries = 2;

export async function createSearchRuntime({ store, isBusy }: SearchParts): Promise<SearchRuntime> {
  const remote = createRemoteSearch({
    startWorker: () => startWorker(searchWorkerUrl),
    names: { chats: 'hearth', index: 'hearth-search' },
  });
  const search = new Search({
    warm: () => void remote.open().catch(() => undefined),
    rebuild: () => void keeper.rebuild(),
    async find(query, most) {
      try {
        return await remote.find(query, most);
      } catch (error) {
        keeper.onFault(error);
        throw error;
      }
    },
  });
  const keeper = new IndexKeeper(remote, search, isBusy);
  const { condition, chats } = await store;
  search.isUnkept = condition !== 'ok';
  if (condition === 'ok') {
    chats.watch(
      (list) => keeper.take(list),
      () => undefined,
    );
  }
  return { search, end: () => keeper.end() };
}

class IndexKeeper {
  readonly #remote: RemoteSearch;
  readonly #search: Search;
  readonly #isBusy: () => boolean;
  /** When each chat was changed last, and its title: as it was when the index was told. */
  #known: ReadonlyMap<string, string> | undefined;
  /** Chats to be looked at. */
  #changed: Set<string> | 'all' = new Set();
  #isGrowing = false;
  #isOver = false;
  #tries = 0;

  constructor(remote: RemoteSearch, search: Search, isBusy: () => boolean) {
    this.#remote = remote;
    this.#search = search;
    this.#isBusy = isBusy;
  }

  /** The chats as they are now: the first time all are looked at, later those that have changed. */
  take(list: readonly ChatRecord[]): void {
    const now = new Map(list.map((chat) => [chat.id, `${chat.updatedAt} ${chat.leafId} ${chat.title}`]));
    const before = this.#known;
    // Of a first visit nothing is there to be looked at.
    if (!before && list.length === 0) return;
    this.#known = now;
    if (!before) this.#changed = 'all';
    else if (this.#changed !== 'all') {
      for (const [id, state] of now) if (before.get(id) !== state) this.#changed.add(id);
      for (const id of before.keys()) if (!now.has(id)) this.#changed.add(id);
    }
    void this.#grow();
  }

  async rebuild(): Promise<void> {
    this.#search.fault = undefined;
    this.#tries = 0;
    try {
      await this.#remote.forget();
    } catch {
      // It cannot even be emptied: another worker opens it anew, or throws it away.
      this.#remote.end();
    }
    this.#changed = 'all';
    await this.#grow();
  }

  /** A question could not be answered: the index is made anew, and what was asked is asked again. */
  onFault(error: unknown): void {
    if (this.#isOver) return;
    this.#tries += 1;
    if (this.#tries < mostTries) {
      this.#changed = 'all';
      void this.#grow();
    } else this.#search.fault = error instanceof AppError ? error.code : 'search-broken';
  }

  end(): void {
    this.#isOver = true;
    this.#remote.end();
  }

  async #grow(): Promise<void> {
    if (this.#isGrowing || this.#isOver) return;
    this.#isGrowing = true;
    try {
      while (this.#isNeeded) {
        await this.#quiet(settleMs);
        await this.#alone(() => this.#growOnce());
      }
    } finally {
      this.#isGrowing = false;
    }
  }

  get #isNeeded(): boolean {
    return !this.#isOver && (this.#changed === 'all' || this.#changed.size > 0);
  }

  async #growOnce(): Promise<void> {
    const changed = this.#changed;
    this.#changed = new Set();
    try {
      let progress: IndexProgress | undefined = await this.#remote.begin(
        changed === 'all' ? undefined : [...changed],
      );
      for (let steps = 1; progress && !this.#isOver; steps++) {
        this.#search.progress = progress.done < progress.total ? progress : undefined;
        if (steps % 20 === 0) void this.#search.lookAgain();
        await this.#quiet(0);
        progress = await this.#remote.step();
      }
      this.#search.fault = undefined;
      this.#tries = 0;
      void this.#search.lookAgain();
    } catch (error) {
      // Another worker may have better luck, once.
      this.#remote.end();
      this.#changed = new Set();
      this.onFault(error);
    } finally {
      this.#search.progress = undefined;
    }
  }

  /** Not beside an answer: a model needs all there is. */
  async #quiet(ms: number): Promise<void> {
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    while (this.#isBusy() && !this.#isOver) await new Promise((resolve) => setTimeout(resolve, 500));
  }

  /** While another tab writes the index, this one waits: what that has done need not be done twice. */
  async #alone(task: () => Promise<void>): Promise<void> {
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
}
