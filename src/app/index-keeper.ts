/** Keeps the index of the chats up to them: as they change, in small steps, and never beside an answer. */
import { AppError } from '../contracts/app-error';
import type { BinPlace } from '../contracts/store';
import type { ChatRecord } from '../contracts/chat';
import type { IndexProgress } from '../contracts/search';
import type { RemoteSearch } from '../search/remote-search';
import type { Search } from '../state/search.svelte';

/** Milliseconds after a change until it is looked at: changes seldom come alone. */
const usualSettleMs = 1000;
/** How often a failure is followed by another try. */
const mostTries = 2;

interface KeeperParts {
  remote: RemoteSearch;
  search: Search;
  /** Whether a model is answering. */
  isBusy: () => boolean;
  /** Runs a task while no other tab runs one. */
  alone: (task: () => Promise<void>) => Promise<void>;
  settleMs?: number;
}

export class IndexKeeper {
  readonly #parts: KeeperParts;
  readonly #remote: RemoteSearch;
  readonly #search: Search;
  /** When each chat was changed last, and its title: as it was when the index was told. */
  #known: ReadonlyMap<string, string> | undefined;
  /** Chats to be looked at. */
  #changed: Set<string> | 'all' = new Set();
  #binned: ReadonlySet<string> = new Set();
  #growing: Promise<void> | undefined;
  #isOver = false;
  #tries = 0;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.#remote = parts.remote;
    this.#search = parts.search;
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

  /** What is in the bin now. Of what has left it, words that were deleted for good must not stay in the index. */
  takeBin(entries: readonly BinPlace[]): void {
    const now = new Set(
      entries.flatMap(({ kind, id }) => (kind === 'chat' || kind === 'messages' ? [`${kind} ${id}`] : [])),
    );
    const hasLeft = [...this.#binned].some((entry) => !now.has(entry));
    this.#binned = now;
    if (!hasLeft) return;
    this.#changed = 'all';
    void this.#grow();
  }

  /** Resolves once it has all chats, or cannot: `fault` says why. */
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

  /** Resolves once nothing is left to be looked at. */
  async #grow(): Promise<void> {
    if (this.#isNeeded) this.#growing ??= this.#growOn();
    await this.#growing;
  }

  async #growOn(): Promise<void> {
    try {
      while (this.#isNeeded) {
        await this.#quiet(this.#parts.settleMs ?? usualSettleMs);
        await this.#parts.alone(() => this.#growOnce());
      }
    } finally {
      this.#growing = undefined;
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
    while (this.#parts.isBusy() && !this.#isOver) await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
