/** Answers what is asked of all chats: titles first, then questions, answers and the rest. What is shown is read from the chats themselves. */
import type { FoundPiece, SearchAnswer, SearchHit } from '../contracts/search';
import { findAsker } from './find-asker';
import type { ChatSource, SourceChat } from './chat-source';
import type { IndexStore } from './index-store';
import { findMatches, type Match } from './match';
import { isBinned } from '../store/tree';
import { isLong, type Mark, markAll, marksIn, snippetOf } from './snippet';
import { readQuery, type WantedWord } from './words';

/** Messages of one chat among the hits: more of them are found in the chat itself. */
const mostOfChat = 3;
/** Messages read at once. */
const batch = 20;

export interface Found {
  source: ChatSource;
  store: IndexStore;
  chats: ReadonlyMap<string, SourceChat>;
}

/** The first `most` hits. Rejects with an `OutdatedIndexError` where another tab has changed the index meanwhile. */
export async function find(query: string, most: number, found: Found): Promise<SearchAnswer> {
  const words = readQuery(query);
  if (words.length === 0) return { hits: [], hasMore: false };
  const titles = await hitsByTitle(words, found, most + 1);
  // Half at most where there is more: titles alone would hide what was said.
  const hits = titles.slice(0, Math.ceil(most / 2));
  const counts = new Map<string, number>();
  const waiting: Match[] = [];
  const readWaiting = async () => {
    for (const hit of await hitsOf(waiting.splice(0), words, found)) {
      const count = counts.get(hit.chatId) ?? 0;
      counts.set(hit.chatId, count + 1);
      if (count < mostOfChat) hits.push(hit);
    }
  };
  for await (const match of findMatches(found.store, words, (chatId) => isShown(chatId, found.chats))) {
    // A match may turn out to be none: its message may be gone by now, or the words stand apart in it.
    if (waiting.push(match) < batch) continue;
    await readWaiting();
    if (hits.length > most) break;
  }
  await readWaiting();
  return { hits: hits.slice(0, most), hasMore: hits.length > most || titles.length > Math.ceil(most / 2) };
}

function isShown(chatId: string, chats: ReadonlyMap<string, SourceChat>): boolean {
  const chat = chats.get(chatId);
  const shown = chat?.agentOf ? chats.get(chat.agentOf.chatId) : chat;
  return !chat?.isDeleted && shown !== undefined && !shown.isDeleted && !shown.agentOf;
}

async function hitsByTitle(
  words: readonly WantedWord[],
  { source, chats }: Found,
  most: number,
): Promise<SearchHit[]> {
  const isMeant = ({ title, foldedTitle, agentOf, isDeleted }: SourceChat) =>
    words.every(({ folded }) => foldedTitle.includes(folded)) &&
    !agentOf &&
    !isDeleted &&
    hasAll(marksIn(title, words), words);
  const meant = [...chats.values()].filter(isMeant);
  const newest = meant.sort((one, other) => other.updatedAt - one.updatedAt).slice(0, most);
  // As they are by now.
  const chosen = (await source.readChats(newest.map(({ id }) => id))).filter(isMeant);
  return chosen.map(({ id, title, updatedAt: at }) => ({
    id,
    chatId: id,
    place: 'title' as const,
    at,
    title: markAll(title, words),
    snippet: [],
  }));
}

async function hitsOf(
  matches: readonly Match[],
  words: readonly WantedWord[],
  { source, chats }: Found,
): Promise<SearchHit[]> {
  const messages = await source.readMessages(matches.map(({ messageId }) => messageId));
  const own = await readOwners(
    source,
    messages.map(({ node }) => node.chatId),
  );
  const hits: SearchHit[] = [];
  for (const { node } of messages) {
    const chat = own.get(node.chatId);
    if (!chat || !isShown(chat.id, own) || isBinned(node)) continue;
    const shown = own.get(chat.agentOf?.chatId ?? chat.id) ?? chat;
    const snippet = bestOf(await source.textsOf(node, chat.agentOf !== undefined), words);
    if (!snippet) continue;
    const messageId = chat.agentOf ? await findAsker(source, chat, chats) : node.id;
    const title: FoundPiece[] = [{ text: shown.title, isMarked: false }];
    hits.push({ ...snippet, id: node.id, chatId: shown.id, messageId, at: node.createdAt, title });
  }
  return hits;
}

/** The chats as they are by now, with those that sub-agents worked for. */
async function readOwners(
  source: ChatSource,
  chatIds: readonly string[],
): Promise<ReadonlyMap<string, SourceChat>> {
  const own = await source.readChats([...new Set(chatIds)]);
  const above = await source.readChats([...new Set(own.flatMap(({ agentOf }) => agentOf?.chatId ?? []))]);
  return new Map([...own, ...above].map((chat) => [chat.id, chat]));
}

/** Of the first text in which all words stand, else of the one with most of them. Undefined where a word is in none. */
function bestOf(
  texts: Awaited<ReturnType<ChatSource['textsOf']>>,
  words: readonly WantedWord[],
): Pick<SearchHit, 'place' | 'snippet'> | undefined {
  const marked = texts.map(({ place, text }) => {
    const marks = marksIn(text, words);
    return { place, text, marks, count: new Set(marks.map(({ word }) => word)).size };
  });
  const marks = marked.flatMap((text) => text.marks);
  if (!hasAll(marks, words) && !texts.some(({ text }) => isLong(text))) return undefined;
  const best = marked.reduce((one, other) => (other.count > one.count ? other : one));
  return { place: best.place, snippet: snippetOf(best.text, best.marks) };
}

function hasAll(marks: readonly Mark[], words: readonly WantedWord[]): boolean {
  return words.every((_, at) => marks.some(({ word }) => word === at));
}
