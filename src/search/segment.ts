/** PURE: a segment of the index, which is a group of messages with their terms. Segments are immutable but can be merged. */
import { z } from '../contracts/schema';
import { addTerms } from './words';

/** A segment's messages without their terms, small enough to stay in memory. */
export const SegmentRow = z.object({
  id: z.number(),
  messageIds: z.array(z.string()),
  chatIds: z.array(z.string()),
  chats: z.instanceof(Uint32Array),
  times: z.instanceof(Float64Array),
  /** Messages that were incomplete when indexed, so they must be indexed again. */
  begun: z.array(z.number()),
  firsts: z.array(z.string()),
});
export type SegmentRow = z.infer<typeof SegmentRow>;

export interface NewSegment {
  row: Omit<SegmentRow, 'id'>;
  chunks: Chunk[];
}

export interface IndexedMessage {
  id: string;
  chatId: string;
  at: number;
  isBegun: boolean;
  texts: readonly { place: TextPlace; text: string }[];
}

/** Limits at which a segment is stored, in messages and characters. If the browser is killed, at most this much indexing is lost. */
const maxBuilderSize = { messages: 2048, characters: 4_000_000 };

export class SegmentBuilder {
  readonly #messages: Omit<IndexedMessage, 'texts'>[] = [];
  readonly #postings = new Map<string, Posting[]>();
  #characters = 0;

  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  get isFull(): boolean {
    return this.#messages.length >= maxBuilderSize.messages || this.#characters >= maxBuilderSize.characters;
  }

  addMessage({ texts, ...message }: IndexedMessage): void {
    const number = this.#messages.push(message) - 1;
    const known = new Set<string>();
    for (const place of textPlaces) {
      const terms = new Set<string>();
      for (const part of texts) {
        if (part.place !== place) continue;
        addTerms(part.text, terms);
        this.#characters += part.text.length;
      }
      for (const term of terms) {
        if (known.has(term)) continue;
        known.add(term);
        const posting = number * 4 + textPlaces.indexOf(place);
        const list = this.#postings.get(term);
        if (list) list.push(posting);
        else this.#postings.set(term, [posting]);
      }
    }
  }

  finish(): NewSegment {
    const writer = new ChunkWriter();
    for (const term of [...this.#postings.keys()].sort()) writer.add(term, this.#postings.get(term) ?? []);
    return writer.finish(this.#messages);
  }
}

export type SegmentToMerge = NewSegment & { dropped: ReadonlySet<number> };

/** Merges segments and leaves out dropped messages. Yields between steps, so the worker can do other work. */
export function* mergeSegments(segments: readonly SegmentToMerge[]): Generator<undefined, NewSegment> {
  const messages: Omit<IndexedMessage, 'texts'>[] = [];
  const sources = segments.map(({ row, chunks, dropped }) => {
    const numbers = messagesOf(row).map((message, number) =>
      dropped.has(number) ? undefined : messages.push(message) - 1,
    );
    const terms = readTerms(chunks);
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
  return writer.finish(messages);
}

export function messagesOf(row: Omit<SegmentRow, 'id' | 'firsts'>): Omit<IndexedMessage, 'texts'>[] {
  const begun = new Set(row.begun);
  return row.messageIds.map((id, number) => ({
    id,
    chatId: row.chatIds[row.chats[number] ?? -1] ?? '',
    at: row.times[number] ?? 0,
    isBegun: begun.has(number),
  }));
}

function toSegmentRow(messages: readonly Omit<IndexedMessage, 'texts'>[]): Omit<SegmentRow, 'id' | 'firsts'> {
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

/** The parts of a message that may contain a term, best first. If several parts contain it, only the best one counts. */
export const textPlaces = ['question', 'answer', 'rest'] as const;
export type TextPlace = (typeof textPlaces)[number];

/** A message number and an index in `textPlaces`, as `message * 4 + index`. Lists of postings are in ascending order. */
type Posting = number;

export const messageOf = (posting: Posting) => Math.floor(posting / 4);
export const rankOf = (posting: Posting) => posting % 4;

export interface Chunk {
  terms: string;
  /** End offset of each term's postings. They start where the previous term's postings end. */
  ends: Uint32Array<ArrayBuffer>;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Minimum size of a chunk, which is one database row. One row per term would be slow and large. */
const minChunkSize = { terms: 256, bytes: 8192 };

class ChunkWriter {
  readonly #chunks: Chunk[] = [];
  readonly #firsts: string[] = [];
  #terms: string[] = [];
  #ends: number[] = [];
  #bytes: number[] = [];

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
    const isFull = this.#terms.length >= minChunkSize.terms || this.#bytes.length >= minChunkSize.bytes;
    if (isFull) this.#cut();
  }

  finish(messages: Parameters<typeof toSegmentRow>[0]): NewSegment {
    if (this.#terms.length > 0) this.#cut();
    return { row: { ...toSegmentRow(messages), firsts: this.#firsts }, chunks: this.#chunks };
  }

  #cut(): void {
    this.#firsts.push(this.#terms[0] ?? '');
    this.#chunks.push({
      terms: this.#terms.join('\n'),
      ends: Uint32Array.from(this.#ends),
      bytes: Uint8Array.from(this.#bytes),
    });
    this.#terms = [];
    this.#ends = [];
    this.#bytes = [];
  }
}

export function* readTerms(
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

export class DamagedIndexError extends Error {}
