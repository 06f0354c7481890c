/** Chats of made-up words with the frequencies of real text: a few words are everywhere, and most are rare. A fifth is Chinese. */
import type { ChatRecord, MessageNode } from '../../src/contracts/chat';
import { createRandom } from '../../test/support/random';

const syllables = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ');
const vocabulary = 30_000;
const characters = 2500;
const firstCharacter = 0x4e00;
const messagesPerChat = 10;
const dayMs = 86_400_000;

export interface Corpus {
  chats: ChatRecord[];
  /** The messages of the chats from index `from` to index `to`. */
  messagesOf: (from: number, to: number) => MessageNode[];
}

/** Zipf's law: the n-th word is 1/n times as frequent as the first. */
const rankOf = (random: number, of: number) => Math.floor(of ** random) - 1;

function wordAt(rank: number): string {
  let rest = rank + 20;
  let word = '';
  while (rest > 0) {
    word += syllables[rest % syllables.length] ?? '';
    rest = Math.floor(rest / syllables.length);
  }
  return word;
}

export function makeWord(random: () => number): string {
  return wordAt(rankOf(random(), vocabulary));
}

export function makeRun(random: () => number, length: number): string {
  const one = () => String.fromCodePoint(firstCharacter + rankOf(random(), characters));
  return Array.from({ length }, one).join('');
}

function makeText(random: () => number, words: number): string {
  if (random() < 0.2) {
    const sentences = Array.from({ length: Math.ceil(words / 8) }, () => makeRun(random, 12));
    return `${sentences.join('，')}。`;
  }
  return Array.from({ length: words }, () => makeWord(random)).join(' ');
}

/** Returns the same corpus for the same number of messages. */
export function makeCorpus(messages: number): Corpus {
  const now = 1_790_000_000_000;
  const count = messages / messagesPerChat;
  const idOf = (chat: number, at: number) =>
    `${String(chat).padStart(8, '0')}-0000-4000-8000-${String(at).padStart(12, '0')}`;
  const chats = Array.from({ length: count }, (_, chat): ChatRecord => {
    const random = createRandom(chat + 1);
    const updatedAt = now - ((count - chat) * 1000 * dayMs) / count;
    return {
      id: idOf(chat, 0),
      title: makeText(random, 5),
      isNamed: true,
      createdAt: updatedAt,
      updatedAt,
      leafId: idOf(chat, messagesPerChat),
      toolsOff: [],
    };
  });
  const messageOf = (chat: number, at: number): MessageNode => {
    const random = createRandom(chat * 100 + at);
    const place = {
      id: idOf(chat, at),
      chatId: idOf(chat, 0),
      parentId: at === 1 ? null : idOf(chat, at - 1),
      createdAt: (chats[chat]?.updatedAt ?? now) + at,
    };
    if (at % 5 === 1) {
      return {
        ...place,
        message: {
          role: 'user',
          content: [{ type: 'text', text: makeText(random, 12) }],
          origins: [{ door: 'typed' as const }],
        },
      };
    }
    if (at % 5 === 3) {
      const content = [{ type: 'text' as const, text: makeText(random, 250) }];
      const result = {
        toolCallId: `call${at}`,
        toolName: 'fetch_page',
        content,
        isError: false,
        origins: [{ door: 'hearth' as const }],
      };
      return { ...place, message: { role: 'tool', results: [result] } };
    }
    const text = makeText(random, 80);
    return {
      ...place,
      message: { role: 'assistant', content: [{ type: 'text', text }], raw: text, finishReason: 'stop' },
      turnEnd: 'answered',
    };
  };
  return {
    chats,
    messagesOf: (from, to) =>
      Array.from({ length: (to - from) * messagesPerChat }, (_, place) =>
        messageOf(from + Math.floor(place / messagesPerChat), (place % messagesPerChat) + 1),
      ),
  };
}
