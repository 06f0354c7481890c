/** The worker's side of the search: opens the index, updates it in steps, and answers queries. */
import { writeError } from '../contracts/app-error';
import { z } from '../contracts/schema';
import type { IndexProgress, SearchAnswer } from '../contracts/search';
import { toAppError } from '../store/storage-error';
import { ChatSource, type SourceChat } from './chat-source';
import { findHits } from './find';
import { IndexStore, OutdatedIndexError } from './index-store';
import {
  DamagedIndexError,
  mergeSegments,
  type SegmentToMerge,
  messagesOf,
  type NewSegment,
  SegmentBuilder,
  type SegmentRow,
} from './segment';

const DatabaseNames = z.object({ chats: z.string(), index: z.string() });
const ChatIds = z.optional(z.array(z.string()));
const SearchQuery = z.object({ query: z.string(), most: z.number().check(z.int(), z.gte(1), z.lte(1000)) });

/** Maximum number of attempts per call, because another tab may change the index during an attempt. */
const maxAttempts = 5;

/** `failure`: text from `writeError`, because error codes are lost when errors cross the worker boundary. */
export type WorkerAnswer<Value> = { value: Value } | { failure: string };

export type SearchWorkerApi = ReturnType<typeof serveSearch>;

export function serveSearch() {
  let searcher: Searcher | undefined;
  /** Resolves when all changes are done. Changes run one after another, but queries can run in between. */
  let changing: Promise<unknown> = Promise.resolve();

  const opened = () => {
    if (!searcher) throw new Error('The index is not open.');
    return searcher;
  };
  const change = <Value>(task: () => Promise<Value>): Promise<WorkerAnswer<Value>> => {
    const changed = changing.then(() => toWorkerAnswer(task));
    changing = changed;
    return changed;
  };
  return {
    open: (names: unknown) =>
      change(async () => {
        searcher = new Searcher(DatabaseNames.parse(names));
        await searcher.open();
      }),
    /** Compares the index with all chats or only some. `step` then reads the missing messages. */
    begin: (chatIds: unknown) => change(() => opened().beginUpdate(ChatIds.parse(chatIds))),
    step: () => change(() => opened().continueUpdate()),
    find: (question: unknown) => toWorkerAnswer(() => opened().find(SearchQuery.parse(question))),
    forget: () => change(() => opened().clearIndex()),
  };
}

async function toWorkerAnswer<Value>(task: () => Promise<Value>): Promise<WorkerAnswer<Value>> {
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
  #update: IndexUpdate | undefined;
  #onlyChats: readonly string[] | undefined;

  constructor(names: z.infer<typeof DatabaseNames>) {
    this.#source = new ChatSource(names.chats);
    this.#indexName = names.index;
    this.#store = new IndexStore(names.index);
  }

  async open(): Promise<void> {
    await this.#source.open();
    this.#source.endSignal.addEventListener('abort', () => this.#store.close(), { once: true });
    try {
      await this.#store.open();
    } catch {
      await this.#store.delete();
      this.#source.endSignal.throwIfAborted();
      this.#store = new IndexStore(this.#indexName);
      await this.#store.open();
    }
    await this.#readChats();
  }

  async beginUpdate(onlyChats: readonly string[] | undefined): Promise<IndexProgress> {
    await this.#readChats();
    this.#onlyChats = onlyChats;
    for (let tries = 1; ; tries++) {
      try {
        this.#update = new IndexUpdate(this.#source, this.#store, [...this.#chats.values()]);
        await this.#update.begin(onlyChats);
        return this.#update.progress;
      } catch (error) {
        if (tries === maxAttempts) throw error;
        await this.#repair(error);
      }
    }
  }

  async continueUpdate(): Promise<IndexProgress | undefined> {
    try {
      if (await this.#update?.step()) return this.#update?.progress;
      this.#update = undefined;
      return undefined;
    } catch (error) {
      await this.#repair(error);
      return this.beginUpdate(this.#onlyChats);
    }
  }

  async find({ query, most }: z.infer<typeof SearchQuery>): Promise<SearchAnswer> {
    for (let tries = 1; ; tries++) {
      try {
        return await findHits(query, most, { source: this.#source, store: this.#store, chats: this.#chats });
      } catch (error) {
        await this.#repair(error);
        if (tries === maxAttempts || error instanceof DamagedIndexError) throw error;
      }
    }
  }

  async clearIndex(): Promise<void> {
    this.#update = undefined;
    await this.#store.clear();
  }

  async #readChats(): Promise<void> {
    this.#chats = new Map((await this.#source.readChats()).map((chat) => [chat.id, chat]));
  }

  async #repair(error: unknown): Promise<void> {
    if (error instanceof OutdatedIndexError) await this.#store.loadSegments();
    else if (error instanceof DamagedIndexError) await this.#store.clear();
    else throw error;
  }
}

const messagesPerRead = 100;
/** When there are this many segments of similar size, we merge them, unless the result would exceed `maxSegmentMessages`. */
const segmentsPerMerge = 8;
const maxSegmentMessages = 65_536;

/** Updates the index to match the chats. An update starts with a comparison, so it can resume after the browser is killed. */
class IndexUpdate {
  readonly #source: ChatSource;
  readonly #store: IndexStore;
  readonly #agents: ReadonlySet<string>;
  #builder = new SegmentBuilder();
  #total = 0;
  /** Ids of messages that are not in the index. `#queue` contains those that we read next. */
  readonly #missing = new Set<string>();
  #queue: string[] = [];
  #chats: SourceChat[];

  constructor(source: ChatSource, store: IndexStore, chats: readonly SourceChat[]) {
    this.#source = source;
    this.#store = store;
    this.#agents = new Set(chats.flatMap(({ id, agentOf }) => (agentOf ? [id] : [])));
    this.#chats = [...chats].sort((a, b) => b.updatedAt - a.updatedAt);
  }

  /** Finds missing messages and removes deleted ones, in the chats of `onlyChats` or in all chats. */
  async begin(onlyChats?: readonly string[]): Promise<void> {
    const scope = onlyChats && this.#withOthers(onlyChats);
    if (scope) this.#chats = this.#chats.filter(({ id }) => scope.has(id));
    for (const id of await this.#idsIn(scope)) this.#missing.add(id);
    this.#total = this.#missing.size;
    for (const segment of this.#store.segments) await this.#compare(segment, scope);
  }

  get progress(): IndexProgress {
    return { done: this.#total - this.#missing.size - this.#queue.length, total: this.#total };
  }

  async step(): Promise<boolean> {
    const ids = await this.#next();
    const wasLast = ids.length === 0;
    for (const message of await this.#source.readMessages(ids)) {
      const isAgent = this.#agents.has(message.node.chatId);
      this.#builder.addMessage(await this.#source.toIndexedMessage(message, isAgent));
    }
    if (this.#builder.isFull || (wasLast && !this.#builder.isEmpty)) await this.#write();
    return !wasLast;
  }

  #withOthers(onlyChats: readonly string[]): Set<string> {
    const scope = new Set(onlyChats);
    const known = new Set<string>();
    for (const { id, agentOf } of this.#chats) {
      known.add(id);
      if (agentOf && scope.has(agentOf.chatId)) scope.add(id);
    }
    for (const { chatIds } of this.#store.segments) {
      for (const id of chatIds) if (!known.has(id)) scope.add(id);
    }
    return scope;
  }

  async #idsIn(scope: ReadonlySet<string> | undefined): Promise<string[]> {
    if (!scope) return this.#source.messageIds();
    return (await Promise.all([...scope].map((chatId) => this.#source.messageIds(chatId)))).flat();
  }

  /** Marks the segment's messages as not missing. Drops messages that were deleted or have been completed since. */
  async #compare(segment: SegmentRow, scope: ReadonlySet<string> | undefined): Promise<void> {
    if (scope && !segment.chatIds.some((id) => scope.has(id))) return;
    const dropped = new Set<number>();
    const begun: string[] = [];
    const numbers = new Map<string, number>();
    for (const [number, { id, chatId, isBegun }] of messagesOf(segment).entries()) {
      if (scope && !scope.has(chatId)) continue;
      if (isBegun) begun.push(id);
      numbers.set(id, number);
      // If a message is in two segments, keep it in the first one.
      if (!this.#missing.delete(id)) dropped.add(number);
    }
    for (const { node, isBegun } of begun.length > 0 ? await this.#source.readMessages(begun) : []) {
      const number = numbers.get(node.id);
      if (isBegun || number === undefined || dropped.has(number)) continue;
      dropped.add(number);
      this.#missing.add(node.id);
    }
    if (dropped.size > 0) await this.#merge([segment], dropped);
  }

  async #next(): Promise<string[]> {
    while (this.#missing.size > 0 && this.#queue.length < messagesPerRead) {
      const chat = this.#chats.shift();
      const some = chat ? await this.#source.messageIds(chat.id) : [...this.#missing];
      for (const id of some) if (this.#missing.delete(id)) this.#queue.push(id);
    }
    return this.#queue.splice(0, messagesPerRead);
  }

  async #write(): Promise<void> {
    const built = this.#builder.finish();
    this.#builder = new SegmentBuilder();
    await this.#store.replaceSegments([], [built]);
    for (;;) {
      const some = findSimilarSegments(this.#store.segments);
      if (some.length === 0) return;
      await this.#merge(some);
    }
  }

  async #merge(segments: readonly SegmentRow[], dropped: ReadonlySet<number> = new Set()): Promise<void> {
    const merged: SegmentToMerge[] = [];
    for (const row of segments) merged.push({ row, chunks: await this.#store.readSegment(row), dropped });
    await this.#store.replaceSegments(segments, [await finishInSteps(mergeSegments(merged))]);
  }
}

function findSimilarSegments(segments: readonly SegmentRow[]): SegmentRow[] {
  const bySize = new Map<number, SegmentRow[]>();
  for (const segment of segments) {
    const size = Math.floor(Math.log(segment.times.length) / Math.log(segmentsPerMerge));
    bySize.set(size, [...(bySize.get(size) ?? []), segment]);
  }
  for (const some of bySize.values()) {
    const messages = some.reduce((sum, { times }) => sum + times.length, 0);
    if (some.length >= segmentsPerMerge && messages <= maxSegmentMessages) return some;
  }
  return [];
}

async function finishInSteps(work: Generator<undefined, NewSegment>): Promise<NewSegment> {
  for (;;) {
    const piece = work.next();
    if (piece.done) return piece.value;
    await new Promise((resolve) => setTimeout(resolve));
  }
}
