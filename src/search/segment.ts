/** PURE: segments: a number of messages, and the terms they are found by. One is never changed, only made into another. */
import { z } from '../contracts/schema';
import { addTerms } from './words';

/** What is known of its messages without its terms: little enough to be held in memory for all. */
export const SegmentRow = z.object({
  id: z.number(),
  messageIds: z.array(z.string()),
  chatIds: z.array(z.string()),
  /** Of each message: which of `chatIds` it is in, and when it was written, in milliseconds since the epoch. */
  chats: z.instanceof(Uint32Array),
  times: z.instanceof(Float64Array),
  /** Messages that were being written when they were read: they are read again. */
  begun: z.array(z.number()),
  /** The first term of each of its chunks. */
  firsts: z.array(z.string()),
});
export type SegmentRow = z.infer<typeof SegmentRow>;

/** A segment that has no place in the database yet. */
export interface NewSegment {
  row: Omit<SegmentRow, 'id'>;
  chunks: Chunk[];
}

export interface IndexedMessage {
  id: string;
  chatId: string;
  at: number;
  isBegun: boolean;
  texts: readonly { place: Place; text: string }[];
}

/** Messages, or characters of text, after which a segment is written: so much is lost where the browser is killed. */
const full = { messages: 2048, characters: 4_000_000 };

export class SegmentBuilder {
  readonly #messages: Omit<IndexedMessage, 'texts'>[] = [];
  readonly #postings = new Map<string, Posting[]>();
  #characters = 0;

  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  get isFull(): boolean {
    return this.#messages.length >= full.messages || this.#characters >= full.characters;
  }

  add({ texts, ...message }: IndexedMessage): void {
    const number = this.#messages.push(message) - 1;
    const known = new Set<string>();
    for (const place of places) {
      const terms = new Set<string>();
      for (const part of texts) {
        if (part.place !== place) continue;
        addTerms(part.text, terms);
        this.#characters += part.text.length;
      }
      for (const term of terms) {
        if (known.has(term)) continue;
        known.add(term);
        const posting = postingOf(number, place);
        const list = this.#postings.get(term);
        if (list) list.push(posting);
        else this.#postings.set(term, [posting]);
      }
    }
  }

  finish(): NewSegment {
    const writer = new ChunkWriter();
    for (const term of [...this.#postings.keys()].sort()) writer.add(term, this.#postings.get(term) ?? []);
    const { chunks, firsts } = writer.finish();
    return { row: { ...describe(this.#messages), firsts }, chunks };
  }
}

/** One of those that are made into another. */
export interface MergedSegment {
  row: Omit<SegmentRow, 'id'>;
  chunks: readonly Chunk[];
  /** Messages that are left out. */
  dropped: ReadonlySet<number>;
}

/** One segment of several, without what is dropped. Yields after each of many terms, so that a worker can do something else. */
export function* merge(segments: readonly MergedSegment[]): Generator<undefined, NewSegment> {
  const messages: Omit<IndexedMessage, 'texts'>[] = [];
  const sources = segments.map(({ row, chunks, dropped }) => {
    const numbers = messagesOf(row).map((message, number) =>
      dropped.has(number) ? undefined : messages.push(message) - 1,
    );
    const terms = termsIn(chunks);
    return { numbers, terms, next: terms.next() };
  });
  const writer = new ChunkWriter();
  for (let count = 1; ; count++) {
    let term: string | undefined;
    for (const { next } of sources) {
      if (!next.done && (term === undefined || next.value.term < term)) term = next.value.term;
    }
    if (term === undefined) break;
    const postings: Posting[] = [];
    for (const source of sources) {
      if (source.next.done || source.next.value.term !== term) continue;
      for (const posting of source.next.value.postings) {
        const number = source.numbers[messageOf(posting)];
        if (number !== undefined) postings.push(number * 4 + rankOf(posting));
      }
      source.next = source.terms.next();
    }
    if (postings.length > 0) writer.add(term, postings);
    if (count % 2000 === 0) yield undefined;
  }
  const { chunks, firsts } = writer.finish();
  return { row: { ...describe(messages), firsts }, chunks };
}

/** The messages of a segment, by their numbers. */
export function messagesOf(row: Omit<SegmentRow, 'id' | 'firsts'>): Omit<IndexedMessage, 'texts'>[] {
  const begun = new Set(row.begun);
  return row.messageIds.map((id, number) => ({
    id,
    chatId: row.chatIds[row.chats[number] ?? -1] ?? '',
    at: row.times[number] ?? 0,
    isBegun: begun.has(number),
  }));
}

function describe(messages: readonly Omit<IndexedMessage, 'texts'>[]): Omit<SegmentRow, 'id' | 'firsts'> {
  const chatNumbers = new Map<string, number>();
  const chats = new Uint32Array(messages.length);
  for (const [number, { chatId }] of messages.entries()) {
    const chat = chatNumbers.get(chatId) ?? chatNumbers.size;
    chatNumbers.set(chatId, chat);
    chats[number] = chat;
  }
  return {
    messageIds: messages.map(({ id }) => id),
    chatIds: [...chatNumbers.keys()],
    chats,
    times: Float64Array.from(messages, ({ at }) => at),
    begun: messages.flatMap(({ isBegun }, number) => (isBegun ? [number] : [])),
  };
}

//# PURE: which messages a term stands in, as bytes. The terms of a segment are sorted and cut into chunks, each one row: a row for every
//# term would take many times the room and the time.

/** Where a term stands in a message. Of several places the first of these counts. */
export const places = ['question', 'answer', 'rest'] as const;
export type Place = (typeof places)[number];

/** A message of the segment and where in it, as one number: `message * 4 + place`. Rising in a list. */
type Posting = number;

function postingOf(message: number, place: Place): Posting {
  return message * 4 + places.indexOf(place);
}
export const messageOf = (posting: Posting) => Math.floor(posting / 4);
export const rankOf = (posting: Posting) => posting % 4;

export interface Chunk {
  /** Sorted, between line ends. */
  terms: string;
  /** The postings of a term end here; they begin where those of the term before it end. */
  ends: Uint32Array<ArrayBuffer>;
  bytes: Uint8Array<ArrayBuffer>;
}

/** What is read at once for a term. A term that many messages have makes a larger chunk. */
const chunkSize = { terms: 256, bytes: 8192 };

class ChunkWriter {
  readonly chunks: Chunk[] = [];
  /** The first term of each chunk. */
  readonly firsts: string[] = [];
  #terms: string[] = [];
  #ends: number[] = [];
  #bytes: number[] = [];

  /** Terms come in their order. */
  add(term: string, postings: Iterable<Posting>): void {
    this.#terms.push(term);
    let before = 0;
    for (const posting of postings) {
      let step = posting - before;
      before = posting;
      while (step >= 0x80) {
        this.#bytes.push((step & 0x7f) | 0x80);
        step = Math.floor(step / 0x80);
      }
      this.#bytes.push(step);
    }
    this.#ends.push(this.#bytes.length);
    const isFull = this.#terms.length >= chunkSize.terms || this.#bytes.length >= chunkSize.bytes;
    if (isFull) this.#cut();
  }

  finish(): { chunks: Chunk[]; firsts: string[] } {
    if (this.#terms.length > 0) this.#cut();
    return { chunks: this.chunks, firsts: this.firsts };
  }

  #cut(): void {
    this.firsts.push(this.#terms[0] ?? '');
    this.chunks.push({
      terms: this.#terms.join('\n'),
      ends: Uint32Array.from(this.#ends),
      bytes: Uint8Array.from(this.#bytes),
    });
    this.#terms = [];
    this.#ends = [];
    this.#bytes = [];
  }
}

/** The terms of chunks that follow each other, from the first that is not before `from`, as long as `isWanted`. */
export function* termsIn(
  chunks: Iterable<Chunk>,
  from = '',
  isWanted: (term: string) => boolean = () => true,
): Generator<{ term: string; postings: Posting[] }> {
  for (const chunk of chunks) {
    const terms = chunk.terms.split('\n');
    for (const [at, term] of terms.entries()) {
      if (term < from) continue;
      if (!isWanted(term)) return;
      yield { term, postings: readPostings(chunk, at) };
    }
  }
}

/** Throws where a row is not what it was when it was written. */
function readPostings({ ends, bytes }: Chunk, at: number): Posting[] {
  const end = ends[at];
  if (end === undefined || end > bytes.length) throw new DamagedIndexError('A chunk is cut off.');
  const postings: Posting[] = [];
  let before = 0;
  let step = 0;
  let factor = 1;
  for (let place = at === 0 ? 0 : (ends[at - 1] ?? 0); place < end; place++) {
    const byte = bytes[place] ?? 0;
    step += (byte & 0x7f) * factor;
    factor *= 0x80;
    if (byte >= 0x80) continue;
    before += step;
    postings.push(before);
    step = 0;
    factor = 1;
  }
  return postings;
}

/** The index is not what was written: it is thrown away and built anew. */
export class DamagedIndexError extends Error {}
