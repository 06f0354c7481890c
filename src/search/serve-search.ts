/** The worker's end of the search: opens the index, lets it grow in steps, and answers what is asked of it. */
import { writeError } from '../contracts/app-error';
import { z } from '../contracts/schema';
import type { IndexProgress, SearchAnswer } from '../contracts/search';
import { toAppError } from '../store/storage-error';
import { ChatSource, type SourceChat } from './chat-source';
import { find } from './find';
import { Growth } from './growth';
import { IndexStore, OutdatedIndexError } from './index-store';
import { DamagedIndexError } from './postings';
import type { Answered, SearchWorkerApi } from './remote-search';

const Names = z.object({ chats: z.string(), index: z.string() });
const ChatIds = z.optional(z.array(z.string()));
const Question = z.object({ query: z.string(), most: z.number().check(z.int(), z.gte(1), z.lte(1000)) });

/** As often as another tab may change the index while one thing is asked of it. */
const mostTries = 5;

export function serveSearch(): SearchWorkerApi {
  let searcher: Searcher | undefined;
  /** What changes the index happens one after another; questions are answered in between. */
  let changing: Promise<unknown> = Promise.resolve();

  const opened = () => {
    if (!searcher) throw new Error('The index is not open.');
    return searcher;
  };
  const change = <Value>(task: () => Promise<Value>): Promise<Answered<Value>> => {
    const changed = changing.then(() => answer(task));
    changing = changed;
    return changed;
  };
  return {
    open: (names) =>
      change(async () => {
        searcher = new Searcher(Names.parse(names));
        await searcher.open();
        return undefined;
      }),
    begin: (chatIds) => change(() => opened().begin(ChatIds.parse(chatIds))),
    step: () => change(() => opened().step()),
    find: (question) => answer(() => opened().find(Question.parse(question))),
    forget: () =>
      change(async () => {
        await opened().forget();
        return undefined;
      }),
  };
}

async function answer<Value>(task: () => Promise<Value>): Promise<Answered<Value>> {
  try {
    return { value: await task() };
  } catch (error) {
    return { failure: writeError(toAppError(error)) };
  }
}

class Searcher {
  readonly #source: ChatSource;
  readonly #indexName: string;
  #store: IndexStore;
  #chats: ReadonlyMap<string, SourceChat> = new Map();
  #growth: Growth | undefined;
  /** What the growth looks at. */
  #only: readonly string[] | undefined;

  constructor(names: z.infer<typeof Names>) {
    this.#source = new ChatSource(names.chats);
    this.#indexName = names.index;
    this.#store = new IndexStore(names.index);
  }

  async open(): Promise<void> {
    await this.#source.open();
    this.#source.ended.addEventListener('abort', () => this.#store.close(), { once: true });
    try {
      await this.#store.open();
    } catch {
      // Whatever is wrong with it: the chats are whole, and it is made of them.
      await this.#store.delete();
      this.#source.ended.throwIfAborted();
      this.#store = new IndexStore(this.#indexName);
      await this.#store.open();
    }
    await this.#readChats();
  }

  async begin(only: readonly string[] | undefined): Promise<IndexProgress> {
    await this.#readChats();
    this.#only = only;
    for (let tries = 1; ; tries++) {
      try {
        this.#growth = new Growth(this.#source, this.#store, [...this.#chats.values()]);
        await this.#growth.begin(only);
        return this.#growth.progress;
      } catch (error) {
        if (tries === mostTries) throw error;
        await this.#mend(error);
      }
    }
  }

  /** Resolves to undefined where all is done. */
  async step(): Promise<IndexProgress | undefined> {
    try {
      if (await this.#growth?.step()) return this.#growth?.progress;
      this.#growth = undefined;
      return undefined;
    } catch (error) {
      await this.#mend(error);
      return this.begin(this.#only);
    }
  }

  /** Where the index turns out to be damaged, it is empty after it: it is to grow anew. */
  async find({ query, most }: z.infer<typeof Question>): Promise<SearchAnswer> {
    for (let tries = 1; ; tries++) {
      try {
        return await find(query, most, { source: this.#source, store: this.#store, chats: this.#chats });
      } catch (error) {
        await this.#mend(error);
        if (tries === mostTries || error instanceof DamagedIndexError) throw error;
      }
    }
  }

  async forget(): Promise<void> {
    this.#growth = undefined;
    await this.#store.clear();
  }

  async #readChats(): Promise<void> {
    this.#chats = new Map((await this.#source.readChats()).map((chat) => [chat.id, chat]));
  }

  /** Reads what another tab has changed, and empties what is damaged, to be built anew. Rejects with what it cannot mend. */
  async #mend(error: unknown): Promise<void> {
    if (error instanceof OutdatedIndexError) await this.#store.load();
    else if (error instanceof DamagedIndexError) await this.#store.clear();
    else throw error;
  }
}
