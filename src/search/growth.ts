/**
 * Brings the index to what the chats are: what is missing is read, what is gone is taken out. It begins with what is there, so it goes on
 * after a kill where that was, and finds whatever else has happened.
 */
import type { IndexProgress } from '../contracts/search';
import type { ChatSource, SourceChat } from './chat-source';
import type { IndexStore } from './index-store';
import {
  type MergedSegment,
  merge,
  messagesOf,
  type NewSegment,
  SegmentBuilder,
  type SegmentRow,
} from './segment';

/** Messages read at once. */
const batch = 100;
/** Segments of about one size are made into one when there are so many; none becomes larger than this. */
const mergeAt = 8;
const mostMessages = 65_536;

export class Growth {
  readonly #source: ChatSource;
  readonly #store: IndexStore;
  readonly #agents: ReadonlySet<string>;
  #builder = new SegmentBuilder();
  #total = 0;
  /** Messages that are still to be read, and the chats they are looked for in, those changed last first. */
  readonly #missing = new Set<string>();
  #queue: string[] = [];
  #chats: SourceChat[];

  /** `chats`: all there are. */
  constructor(source: ChatSource, store: IndexStore, chats: readonly SourceChat[]) {
    this.#source = source;
    this.#store = store;
    this.#agents = new Set(chats.flatMap(({ id, agentOf }) => (agentOf ? [id] : [])));
    this.#chats = [...chats].sort((one, other) => other.updatedAt - one.updatedAt);
  }

  /** Finds what is missing, and takes out what is gone. Looks at the chats in `only`, at all where it is undefined. */
  async begin(only?: readonly string[]): Promise<void> {
    const scope = only && this.#withOthers(only);
    if (scope) this.#chats = this.#chats.filter(({ id }) => scope.has(id));
    for (const id of await this.#idsIn(scope)) this.#missing.add(id);
    this.#total = this.#missing.size;
    for (const segment of this.#store.segments) await this.#compare(segment, scope);
  }

  get progress(): IndexProgress {
    return { done: this.#total - this.#missing.size - this.#queue.length, total: this.#total };
  }

  /** Reads some more, and writes it down where it is enough. Resolves to false where all is done. */
  async step(): Promise<boolean> {
    const ids = await this.#next();
    const wasLast = ids.length === 0;
    for (const message of await this.#source.readMessages(ids)) {
      const isAgent = this.#agents.has(message.node.chatId);
      this.#builder.add(await this.#source.describe(message, isAgent));
    }
    if (this.#builder.isFull || (wasLast && !this.#builder.isEmpty)) await this.#write();
    return !wasLast;
  }

  /** With the hidden chats of their sub-agents, and with those whose record is gone. */
  #withOthers(only: readonly string[]): Set<string> {
    const scope = new Set(only);
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

  /** What of a segment is there is not missing; what is there no more, or was being written then, is taken out. */
  async #compare(segment: SegmentRow, scope: ReadonlySet<string> | undefined): Promise<void> {
    if (scope && !segment.chatIds.some((id) => scope.has(id))) return;
    const dropped = new Set<number>();
    const begun: string[] = [];
    const numbers = new Map<string, number>();
    for (const [number, { id, chatId, isBegun }] of messagesOf(segment).entries()) {
      if (scope && !scope.has(chatId)) continue;
      if (isBegun) begun.push(id);
      numbers.set(id, number);
      // One that is in two segments is left in the first.
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

  /** Ids of the next messages to be read; none where all have been. */
  async #next(): Promise<string[]> {
    while (this.#missing.size > 0 && this.#queue.length < batch) {
      const chat = this.#chats.shift();
      // Those without a chat's record come last.
      const some = chat ? await this.#source.messageIds(chat.id) : [...this.#missing];
      for (const id of some) if (this.#missing.delete(id)) this.#queue.push(id);
    }
    return this.#queue.splice(0, batch);
  }

  async #write(): Promise<void> {
    const built = this.#builder.finish();
    this.#builder = new SegmentBuilder();
    await this.#store.replace([], [built]);
    for (let some = alike(this.#store.segments); some.length > 0; some = alike(this.#store.segments)) {
      await this.#merge(some);
    }
  }

  async #merge(segments: readonly SegmentRow[], dropped: ReadonlySet<number> = new Set()): Promise<void> {
    const merged: MergedSegment[] = [];
    for (const row of segments) merged.push({ row, chunks: await this.#store.readSegment(row), dropped });
    await this.#store.replace(segments, [await inPieces(merge(merged))]);
  }
}

/** Segments of one size, so many that they are to be one. None where there are not. */
function alike(segments: readonly SegmentRow[]): SegmentRow[] {
  const bySize = new Map<number, SegmentRow[]>();
  for (const segment of segments) {
    const size = Math.floor(Math.log(segment.times.length) / Math.log(mergeAt));
    bySize.set(size, [...(bySize.get(size) ?? []), segment]);
  }
  for (const some of bySize.values()) {
    const messages = some.reduce((sum, { times }) => sum + times.length, 0);
    if (some.length >= mergeAt && messages <= mostMessages) return some;
  }
  return [];
}

/** Between the pieces of a long work, the worker answers what it was asked meanwhile. */
async function inPieces(work: Generator<undefined, NewSegment>): Promise<NewSegment> {
  for (;;) {
    const piece = work.next();
    if (piece.done) return piece.value;
    await new Promise((resolve) => setTimeout(resolve));
  }
}
