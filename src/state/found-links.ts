/** PURE: whether an address in a reply stands in what the person wrote or in a result, or was put together by the model. */
import type { AssistantMessage, Message, ToolResult } from '../contracts/message';
import { bringsAddresses, outsideHosts } from '../contracts/outside-text';
import { recallName } from '../contracts/note';
import { picturesOf } from '../contracts/attachment';
import { textOf } from '../contracts/message-parts';

/** Whether an address was found, given as the browser writes it. */
export type IsFound = (href: string) => boolean;

interface ReadMessage {
  /** What the model wrote into calls, in small letters. */
  written: string;
  /** What the person wrote. */
  typed: string;
  /** Text of results, as far as addresses may be copied from it. */
  result: string;
}

/**
 * Undefined for a chat that holds nothing from outside: there nobody told the model what to write. An address that the
 * model wrote into a call before a result held it was not found there, however the result came to repeat it.
 */
export function findLinks(messages: readonly Message[]): IsFound | undefined {
  if (!messages.some(isOutside)) return undefined;
  let read: readonly ReadMessage[] | undefined;
  const known = new Map<string, boolean>();

  return (href) => {
    const before = known.get(href);
    if (before !== undefined) return before;
    read ??= readAll(messages);
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

function isOutside(message: Message): boolean {
  if (picturesOf(message).length > 0) return true;
  return message.role === 'tool' && message.results.some((result) => outsideHosts(result).length > 0);
}

/**
 * A tool of the person's own counts only where its call was written before anything from outside was there: after that
 * it may give back, joined or turned round, what somebody ordered the model to tell it.
 */
function readAll(messages: readonly Message[]): ReadMessage[] {
  let isTainted = false;
  return messages.map((message) => {
    const read = readMessage(message, !isTainted);
    isTainted ||= isOutside(message);
    return read;
  });
}

function readMessage(message: Message, isAnyTool: boolean): ReadMessage {
  const nothing = { written: '', typed: '', result: '' };
  switch (message.role) {
    case 'assistant':
      return { ...nothing, written: writtenIn(message).toLowerCase() };
    case 'user':
      return { ...nothing, typed: textOf(message.content) };
    case 'tool':
      return { ...nothing, result: resultOf(message, isAnyTool) };
    case 'system':
      return nothing;
  }
}

function resultOf({ results }: Extract<Message, { role: 'tool' }>, isAnyTool: boolean): string {
  return results
    .filter((result) => bringsAddresses(result) || (isAnyTool && bringsOwnText(result)))
    .map(({ content }) => textOf(content))
    .join('\n');
}

/** A note may hold an address that a model put together in another chat, and what a sub-agent says is a model's own words. */
function bringsOwnText(result: ToolResult): boolean {
  return result.toolName !== recallName && !result.byAgent && outsideHosts(result).length > 0;
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
