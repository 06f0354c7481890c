/**
 * PURE: which messages a term stands in, as bytes. The terms of a segment are sorted and cut into chunks, each one row: a row for every
 * term would take many times the room and the time.
 */

/** Where a term stands in a message. Of several places the first of these counts. */
export const places = ['question', 'answer', 'rest'] as const;
export type Place = (typeof places)[number];

/** A message of the segment and where in it, as one number: `message * 4 + place`. Rising in a list. */
export type Posting = number;

export function postingOf(message: number, place: Place): Posting {
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

export class ChunkWriter {
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
