/** Which messages have all words of a question, by the index alone: the best place first, the newest first of each. */
import type { ChunkKey, IndexStore } from './index-store';
import { type Chunk, messageOf, places, rankOf, termsIn } from './postings';
import type { SegmentRow } from './segment';
import { termsOf, type WantedWord } from './words';

export interface Match {
  messageId: string;
  chatId: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Comes after every term that begins with a prefix. */
const beyond = '\u{10ffff}';
const none = 255;

/** A term that is looked up in a segment: the chunks it may be in. */
interface Lookup {
  term: string;
  isPrefix: boolean;
  from: number;
  count: number;
}

/**
 * Rejects with an `OutdatedIndexError` where another tab has changed the index. `isShown`: whether a chat is looked at.
 */
export async function* findMatches(
  store: IndexStore,
  words: readonly WantedWord[],
  isShown: (chatId: string) => boolean,
): AsyncGenerator<Match> {
  const { segments } = store;
  const lookups = segments.map((segment) => words.map((word) => lookupsOf(segment, word)));
  const keys = segments.flatMap(({ id }, at) =>
    (lookups[at] ?? [])
      .flat()
      .flatMap(({ from, count }) => Array.from({ length: count }, (_, step): ChunkKey => [id, from + step])),
  );
  const chunks = await store.readChunks(keys);
  let next = 0;
  const found: { segment: SegmentRow; number: number }[] = [];
  const keysOf: number[][] = places.map(() => []);
  for (const [at, segment] of segments.entries()) {
    let ranks: Uint8Array | undefined;
    for (const terms of lookups[at] ?? []) {
      for (const lookup of terms) {
        const own = chunks.slice(next, (next += lookup.count));
        ranks = worst(ranks, ranksOf(segment, lookup, own));
      }
    }
    if (ranks) collect(segment, ranks, isShown, found, keysOf);
  }
  for (const some of keysOf) {
    const sorted = Float64Array.from(some).sort();
    for (let at = sorted.length - 1; at >= 0; at--) {
      const { segment, number } = found[(sorted[at] ?? 0) % packing] ?? {};
      if (segment && number !== undefined) yield matchAt(segment, number);
    }
  }
}

/** A time in seconds and a place in a list as one number, to be sorted without a comparison of ours. */
const packing = 2 ** 21;

function collect(
  segment: SegmentRow,
  ranks: Uint8Array,
  isShown: (chatId: string) => boolean,
  found: { segment: SegmentRow; number: number }[],
  keysOf: number[][],
): void {
  const shown = segment.chatIds.map(isShown);
  for (const [number, rank] of ranks.entries()) {
    if (rank === none || !shown[segment.chats[number] ?? -1] || found.length === packing) continue;
    const seconds = Math.floor((segment.times[number] ?? 0) / 1000);
    keysOf[rank]?.push(seconds * packing + found.length);
    found.push({ segment, number });
  }
}

function lookupsOf({ firsts }: SegmentRow, word: WantedWord): Lookup[] {
  return termsOf(word).map((term) => {
    const { isPrefix } = word;
    const from = Math.max(0, lastNotAfter(firsts, term));
    const to = lastNotAfter(firsts, isPrefix ? term + beyond : term);
    return { term, isPrefix, from, count: Math.max(0, to - from + 1) };
  });
}

/** Index of the last that is not after a term, or -1. */
function lastNotAfter(firsts: readonly string[], term: string): number {
  let [low, high] = [0, firsts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((firsts[middle] ?? '') <= term) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Of each message of a segment, in which of `places` a term stands; `none` where it does not. */
function ranksOf(segment: SegmentRow, { term, isPrefix }: Lookup, chunks: readonly Chunk[]): Uint8Array {
  const ranks = new Uint8Array(segment.times.length).fill(none);
  const isWanted = (other: string) => (isPrefix ? other.startsWith(term) : other === term);
  for (const { postings } of termsIn(chunks, term, isWanted)) {
    for (const posting of postings) {
      const message = messageOf(posting);
      ranks[message] = Math.min(ranks[message] ?? none, rankOf(posting));
    }
  }
  return ranks;
}

/** Of two terms, where the one stands that is in the lesser place: both must be there. */
function worst(one: Uint8Array | undefined, other: Uint8Array): Uint8Array {
  return one ? one.map((rank, at) => Math.max(rank, other[at] ?? none)) : other;
}

function matchAt(segment: SegmentRow, number: number): Match {
  return {
    messageId: segment.messageIds[number] ?? '',
    chatId: segment.chatIds[segment.chats[number] ?? -1] ?? '',
    at: segment.times[number] ?? 0,
  };
}
