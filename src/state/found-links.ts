/** PURE: whether an address in a reply stands in what the person wrote or in a result, or was put together by the model. */
import type { AssistantMessage, Message } from '../contracts/message';
import { textOf } from '../contracts/text-of';

/** Of an address as the browser writes it. */
export type IsFound = (href: string) => boolean;

interface ReadMessage {
  /** By the model, into calls; in small letters. */
  written: string;
  /** By the person. */
  typed: string;
  /** From outside. */
  result: string;
}

/**
 * Undefined for a chat that holds nothing from outside: there nobody told the model what to write. An address that the
 * model wrote into a call before a result held it was not found there, however the result came to repeat it.
 */
export function findLinks(messages: readonly Message[]): IsFound | undefined {
  if (!messages.some((message) => message.role === 'tool' && outsideOf(message).length > 0)) return undefined;
  let read: readonly ReadMessage[] | undefined;
  const known = new Map<string, boolean>();

  return (href) => {
    const before = known.get(href);
    if (before !== undefined) return before;
    read ??= messages.map(readMessage);
    const isFound = look(read, href);
    known.set(href, isFound);
    return isFound;
  };
}

/** Whoever came first with it. */
function look(read: readonly ReadMessage[], href: string): boolean {
  const whole = spellingsOf(href);
  const bare = whole.map((spelling) => spelling.replace(/^[a-z]+:(?:\/\/)?/, ''));
  for (const { written, typed, result } of read) {
    if (bare.some((spelling) => written.includes(spelling.toLowerCase()))) return false;
    if (whole.some((spelling) => stands(spelling, result))) return true;
    if ([...whole, ...bare].some((spelling) => stands(spelling, typed))) return true;
  }
  return false;
}

function readMessage(message: Message): ReadMessage {
  const nothing = { written: '', typed: '', result: '' };
  switch (message.role) {
    case 'assistant':
      return { ...nothing, written: writtenIn(message).toLowerCase() };
    case 'user':
      return { ...nothing, typed: textOf(message.content) };
    case 'tool':
      return { ...nothing, result: outsideOf(message).map(textOf).join('\n') };
    case 'system':
      return nothing;
  }
}

function outsideOf({ results }: Extract<Message, { role: 'tool' }>) {
  return results.flatMap(({ sources, content }) => (sources?.length ? [content] : []));
}

function writtenIn({ content }: AssistantMessage): string {
  return content
    .map((part) => {
      if (part.type === 'tool-call') return JSON.stringify(part.arguments);
      return part.type === 'invalid-tool-call' ? part.raw : '';
    })
    .join('\n');
}

/** As the browser writes it, and as people do: without the slash at its end, with the letters that are percents. */
function spellingsOf(href: string): string[] {
  const spellings = new Set([href, href.replace(/\/$/, '')]);
  try {
    spellings.add(decodeURI(href));
  } catch {
    // It holds percents that are no letters.
  }
  return [...spellings];
}

/** What may stand before an address that begins, and behind one that ends: perhaps a sentence does too. */
const begins = /(?:^|[^\p{L}\p{N}@.:/_-]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])$/u;
const ends = /^(?:$|[\s<>"'`{}|\\^)\]，。；：！？、）】》」』”’]|[.,;:!?*_~…]+(?:$|\s))/u;

/** As a whole, not as a part of a longer one. */
function stands(address: string, text: string): boolean {
  for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
    const end = at + address.length;
    if (begins.test(text.slice(Math.max(0, at - 2), at)) && ends.test(text.slice(end, end + 8))) return true;
  }
  return false;
}
