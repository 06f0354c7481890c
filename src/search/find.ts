/** Searches all chats: first titles, then questions, answers and the rest. Takes snippets from the current text of the chats. */
import type { DisplayPiece, SearchAnswer, SearchHit } from '../contracts/search';
import type { ChatSource, SourceChat } from './chat-source';
import type { ChunkKey, IndexStore } from './index-store';
import { isBinned } from '../store/read-rows';
import { splitIntoPieces, findWordIn, readQuery, termsOf, type QueryWord } from './words';
import type { MessageNode } from '../contracts/chat';
import { type Chunk, messageOf, textPlaces, rankOf, type SegmentRow, readTerms } from './segment';

/** Maximum number of hits per chat. The search within a chat finds more. */
const maxHitsPerChat = 3;
const messagesPerBatch = 20;

interface SearchSources {
  source: ChatSource;
  store: IndexStore;
  chats: ReadonlyMap<string, SourceChat>;
}

/** Returns the first `most` hits. Rejects with an `OutdatedIndexError` if another tab has changed the index. */
export async function findHits(query: string, most: number, sources: SearchSources): Promise<SearchAnswer> {
  const words = readQuery(query);
  if (words.length === 0) return { hits: [], hasMore: false };
  const titles = await findHitsByTitle(words, sources, most + 1);
  // Limit titles to half of the hits. Otherwise they could leave no room for messages.
  const hits = titles.slice(0, Math.ceil(most / 2));
  const counts = new Map<string, number>();
  const waiting: string[] = [];
  const readWaiting = async () => {
    for (const hit of await findHitsIn(waiting.splice(0), words, sources)) {
      const count = counts.get(hit.chatId) ?? 0;
      counts.set(hit.chatId, count + 1);
      if (count < maxHitsPerChat) hits.push(hit);
    }
  };
  for await (const messageId of findMatches(sources.store, words, (id) => isShown(id, sources.chats))) {
    // Read batches until there are enough hits: a matching message may be deleted, or contain a Chinese word only as separate characters.
    if (waiting.push(messageId) < messagesPerBatch) continue;
    await readWaiting();
    if (hits.length > most) break;
  }
  await readWaiting();
  return { hits: hits.slice(0, most), hasMore: hits.length > most || titles.length > Math.ceil(most / 2) };
}

function isShown(chatId: string, chats: ReadonlyMap<string, SourceChat>): boolean {
  const chat = chats.get(chatId);
  const owner = chat?.agentOf ? chats.get(chat.agentOf.chatId) : chat;
  return !chat?.isDeleted && owner !== undefined && !owner.isDeleted && !owner.agentOf;
}

async function findHitsByTitle(words: readonly QueryWord[], { source, chats }: SearchSources, most: number) {
  const isMatch = ({ title, foldedTitle, agentOf, isDeleted }: SourceChat) => {
    const isLikely = !agentOf && !isDeleted && words.every(({ folded }) => foldedTitle.includes(folded));
    return isLikely && hasAllWords(findMarks(title, words), words);
  };
  const matching = [...chats.values()].filter(isMatch);
  const newest = matching.sort((a, b) => b.updatedAt - a.updatedAt).slice(0, most);
  const chosen = (await source.readChats(newest.map(({ id }) => id))).filter(isMatch);
  return chosen.map(({ id, title, updatedAt: at }): SearchHit => {
    return { id, chatId: id, place: 'title', at, title: markAllWords(title, words), snippet: [] };
  });
}

async function findHitsIn(
  messageIds: readonly string[],
  words: readonly QueryWord[],
  { source, chats }: SearchSources,
): Promise<SearchHit[]> {
  const messages = await source.readMessages(messageIds);
  const own = await source.readChats([...new Set(messages.map(({ node }) => node.chatId))]);
  const above = await source.readChats([...new Set(own.flatMap(({ agentOf }) => agentOf?.chatId ?? []))]);
  const current = new Map([...own, ...above].map((chat) => [chat.id, chat]));
  const hits: SearchHit[] = [];
  for (const { node } of messages) {
    const chat = current.get(node.chatId);
    if (!chat || !isShown(chat.id, current) || isBinned(node)) continue;
    const owner = current.get(chat.agentOf?.chatId ?? chat.id) ?? chat;
    const snippet = findBestText(await source.textsOf(node, chat.agentOf !== undefined), words);
    if (!snippet) continue;
    const messageId = chat.agentOf ? await findCallingMessage(source, chat, chats) : node.id;
    const title: DisplayPiece[] = [{ text: owner.title, isMarked: false }];
    hits.push({ ...snippet, id: node.id, chatId: owner.id, messageId, at: node.createdAt, title });
  }
  return hits;
}

function findBestText(texts: Awaited<ReturnType<ChatSource['textsOf']>>, words: readonly QueryWord[]) {
  const marked = texts.map(({ place, text }) => {
    const marks = findMarks(text, words);
    return { place, text, marks, count: new Set(marks.map(({ word }) => word)).size };
  });
  const marks = marked.flatMap((text) => text.marks);
  if (!hasAllWords(marks, words) && !texts.some(({ text }) => text.length > maxSearchedCharacters))
    return undefined;
  const best = marked.reduce((a, b) => (b.count > a.count ? b : a));
  return { place: best.place, snippet: snippetOf(best.text, best.marks) };
}

function hasAllWords(marks: readonly MarkedRange[], words: readonly QueryWord[]): boolean {
  return words.every((_, at) => marks.some(({ word }) => word === at));
}

async function findCallingMessage(
  source: ChatSource,
  { agentOf }: SourceChat,
  chats: ReadonlyMap<string, SourceChat>,
): Promise<string | undefined> {
  if (!agentOf) return undefined;
  const own = await source.readChat(agentOf.chatId);
  const others = [...chats.values()].filter((chat) => chat.agentOf?.chatId === agentOf.chatId);
  // Sub-agents nest at most twice. Limit the steps, because a damaged chat may refer to itself.
  let { callId } = agentOf;
  for (let depth = 0; depth < 4; depth++) {
    const asker = own.find((node) => makesCall(node, callId));
    if (asker) return asker.id;
    const above = await findParentChat(source, others, callId);
    if (above?.agentOf === undefined) return undefined;
    ({ callId } = above.agentOf);
  }
  return undefined;
}

async function findParentChat(source: ChatSource, others: readonly SourceChat[], callId: string) {
  for (const chat of others) {
    if ((await source.readChat(chat.id)).some((node) => makesCall(node, callId))) return chat;
  }
  return undefined;
}

function makesCall({ message }: MessageNode, callId: string): boolean {
  if (message.role !== 'assistant') return false;
  return message.content.some((part) => part.type === 'tool-call' && part.id === callId);
}

/** Appended to a prefix, this character sorts after all terms with that prefix. */
const afterAllTerms = '\u{10ffff}';
const noRank = 255;

type TermLookup = ReturnType<typeof findLookups>[number];

/** Finds messages that contain all words, using only the index. Questions come first, then answers, then the rest, each newest first. */
async function* findMatches(
  store: IndexStore,
  words: readonly QueryWord[],
  isShown: (chatId: string) => boolean,
): AsyncGenerator<string> {
  const { segments } = store;
  const lookups = segments.map((segment) => words.map((word) => findLookups(segment, word)));
  const keys = segments.flatMap(({ id }, at) =>
    (lookups[at] ?? [])
      .flat()
      .flatMap(({ from, count }) => Array.from({ length: count }, (_, step): ChunkKey => [id, from + step])),
  );
  const chunks = await store.readChunks(keys);
  let next = 0;
  const found: string[] = [];
  const keysOf: number[][] = textPlaces.map(() => []);
  for (const [at, segment] of segments.entries()) {
    let ranks: Uint8Array | undefined;
    for (const terms of lookups[at] ?? []) {
      for (const lookup of terms) {
        const own = chunks.slice(next, (next += lookup.count));
        ranks = combineRanks(ranks, readRanks(segment, lookup, own));
      }
    }
    const shown = segment.chatIds.map(isShown);
    for (const [number, rank] of ranks?.entries() ?? []) {
      if (rank === noRank || !shown[segment.chats[number] ?? -1] || found.length === packingFactor) continue;
      const seconds = Math.floor((segment.times[number] ?? 0) / 1000);
      keysOf[rank]?.push(seconds * packingFactor + found.length);
      found.push(segment.messageIds[number] ?? '');
    }
  }
  for (const some of keysOf) {
    const sorted = Float64Array.from(some).sort();
    for (let at = sorted.length - 1; at >= 0; at--) yield found[(sorted[at] ?? 0) % packingFactor] ?? '';
  }
}

/** Packs seconds and a list index into one number, so sorting needs no comparator. */
const packingFactor = 2 ** 21;

/** For each term of a word, returns the chunks that may contain the term: `count` chunks, the first of which has number `from`. */
function findLookups({ firsts }: SegmentRow, word: QueryWord) {
  return termsOf(word).map((term) => {
    const { isPrefix } = word;
    const from = Math.max(0, findLastTermUpTo(firsts, term));
    const to = findLastTermUpTo(firsts, isPrefix ? term + afterAllTerms : term);
    return { term, isPrefix, from, count: Math.max(0, to - from + 1) };
  });
}

function findLastTermUpTo(firsts: readonly string[], term: string): number {
  let [low, high] = [0, firsts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((firsts[middle] ?? '') <= term) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns where each message of a segment contains a term: 0 in the question, 1 in the answer, 2 elsewhere, or `noRank`. */
function readRanks(segment: SegmentRow, { term, isPrefix }: TermLookup, chunks: readonly Chunk[]) {
  const ranks = new Uint8Array(segment.times.length).fill(noRank);
  const isWanted = (other: string) => (isPrefix ? other.startsWith(term) : other === term);
  for (const { postings } of readTerms(chunks, term, isWanted)) {
    for (const posting of postings) {
      const message = messageOf(posting);
      ranks[message] = Math.min(ranks[message] ?? noRank, rankOf(posting));
    }
  }
  return ranks;
}

/** Combines the ranks of two terms for each message. Both terms must occur, so the worse rank counts. */
function combineRanks(one: Uint8Array | undefined, other: Uint8Array): Uint8Array {
  return one ? one.map((rank, at) => Math.max(rank, other[at] ?? noRank)) : other;
}

interface MarkedRange {
  start: number;
  end: number;
  word: number;
}

const maxSearchedCharacters = 100_000;
const maxMarks = 400;
const snippetCharacters = { all: 180, before: 40 };

export function findMarks(text: string, words: readonly QueryWord[]): MarkedRange[] {
  const marks: MarkedRange[] = [];
  for (const piece of splitIntoPieces(text.slice(0, maxSearchedCharacters))) {
    for (const [word, wanted] of words.entries()) {
      const place = findWordIn(piece, wanted);
      if (place) marks.push({ start: piece.start + place[0], end: piece.start + place[1], word });
    }
    if (marks.length >= maxMarks) break;
  }
  return marks;
}

export function markAllWords(text: string, words: readonly QueryWord[]): DisplayPiece[] {
  return cutSnippet(text, 0, text.length, findMarks(text, words));
}

export function snippetOf(text: string, marks: readonly MarkedRange[]): DisplayPiece[] {
  const { all, before } = snippetCharacters;
  let best = { at: 0, count: 0 };
  for (const [at, { start }] of marks.entries()) {
    const near = marks.slice(at).filter(({ end }) => end - start <= all - before);
    const count = new Set(near.map(({ word }) => word)).size;
    if (count > best.count) best = { at, count };
    if (at > 100) break;
  }
  const first = marks[best.at]?.start ?? 0;
  const from = moveToWordStart(text, Math.max(0, first - before), first);
  const to = Math.min(text.length, from + all);
  const omission = { text: '…', isMarked: false };
  return [
    ...(from > 0 ? [omission] : []),
    ...cutSnippet(text, from, to, marks),
    ...(to < text.length ? [omission] : []),
  ];
}

/** Moves the start of a snippet to a word boundary, if there is one before the first match. */
function moveToWordStart(text: string, from: number, first: number): number {
  if (from === 0) return 0;
  const space = text.slice(from, first).search(/\s/);
  return space < 0 ? from : from + space + 1;
}

function cutSnippet(text: string, from: number, to: number, marks: readonly MarkedRange[]): DisplayPiece[] {
  const pieces: DisplayPiece[] = [];
  let at = from;
  const add = (end: number, isMarked: boolean) => {
    const part = toPlainPiece(text.slice(at, end));
    if (part !== '') pieces.push({ text: part, isMarked });
    at = end;
  };
  for (const { start, end } of marks) {
    if (start < at || end > to) continue;
    add(start, false);
    add(end, true);
  }
  add(to, false);
  return pieces;
}

function toPlainPiece(text: string): string {
  return text
    .replace(/(^|\n)\s*(#+|>|[-*+]|\|)\s/g, ' ')
    .replace(/[*_]{2,}|`+/g, '')
    .replace(/\s+/g, ' ');
}
