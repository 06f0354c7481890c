/** Decides whether a URL in a reply comes from the user or from a tool's result. Otherwise the model made it up. */
import type { AssistantMessage, Message, ToolResult } from '../contracts/message';
import { isOutside, type Origin } from '../contracts/origin';
import { hasTrustedUrls, outsideOriginsOf, ownTextOf, typedTextOf } from '../contracts/provenance';
import { textOf } from '../contracts/message-parts';
import { recallToolName } from '../contracts/tool-names';

/** Whether the URL was found in the chat. `href`: the URL as normalized by the browser. */
export type IsFoundLink = (href: string) => boolean;

type MessageTexts = ReturnType<typeof readMessages>[number];

/**
 * Returns a function that tells whether a URL was found in this chat. Undefined if nothing in the chat could plant a URL. `promptOrigins`:
 * strangers' texts in the prompt of the running turn.
 */
export function findLinks(
  messages: readonly Message[],
  promptOrigins: readonly Origin[] = [],
): IsFoundLink | undefined {
  const mayPlantUrl = (message: Message) => hasOutsideContent(message) || isDictated(message);
  if (promptOrigins.length === 0 && !messages.some(mayPlantUrl)) return undefined;
  let read: readonly MessageTexts[] | undefined;
  const known = new Map<string, boolean>();

  return (href) => {
    const before = known.get(href);
    if (before !== undefined) return before;
    read ??= readMessages(messages);
    const isFound = isFirstFound(read, href);
    known.set(href, isFound);
    return isFound;
  };
}

/** True if the URL occurs in a result or the user's text before the model writes it in a call. */
function isFirstFound(read: readonly MessageTexts[], href: string): boolean {
  const whole = spellingsOf(href);
  const bare = whole.map((spelling) => spelling.replace(/^[a-z]+:(?:\/\/)?/, ''));
  for (const { written, typed, result } of read) {
    if (bare.some((spelling) => written.includes(spelling.toLowerCase()))) return false;
    if (whole.some((spelling) => containsUrl(spelling, result))) return true;
    if ([...whole, ...bare].some((spelling) => containsUrl(spelling, typed))) return true;
  }
  return false;
}

function hasOutsideContent(message: Message): boolean {
  return outsideOriginsOf(message).length > 0;
}

/** The microphone may have heard somebody else's voice, so its addresses do not count as the user's. */
function isDictated(message: Message): boolean {
  return message.role === 'user' && ownTextOf(message) !== typedTextOf(message);
}

/** Ignores results of custom tools after any outside text, because an attacker could make the model pass a URL through such a tool. */
function readMessages(messages: readonly Message[]) {
  let isTainted = false;
  return messages.map((message) => {
    const isAnyTool = !isTainted;
    isTainted ||= hasOutsideContent(message);
    return {
      written: message.role === 'assistant' ? toolCallTextOf(message).toLowerCase() : '',
      typed: message.role === 'user' ? typedTextOf(message) : '',
      result: message.role === 'tool' ? resultTextOf(message, isAnyTool) : '',
    };
  });
}

function resultTextOf({ results }: Extract<Message, { role: 'tool' }>, isAnyTool: boolean): string {
  return results
    .filter((result) => hasTrustedUrls(result) || (isAnyTool && hasExternalText(result)))
    .map(({ content }) => textOf(content))
    .join('\n');
}

/** False for results of notes and sub-agents, because a model may have made up their URLs. */
function hasExternalText(result: ToolResult): boolean {
  return result.toolName !== recallToolName && !result.byAgent && result.origins.some(isOutside);
}

function toolCallTextOf({ content }: AssistantMessage): string {
  return content
    .map((part) => {
      if (part.type === 'tool-call') return JSON.stringify(part.arguments);
      return part.type === 'invalid-tool-call' ? part.raw : '';
    })
    .join('\n');
}

function spellingsOf(href: string): string[] {
  const spellings = new Set([href, href.replace(/\/$/, '')]);
  try {
    spellings.add(decodeURI(href));
  } catch {
    // The URL contains invalid percent-encoding.
  }
  return [...spellings];
}

/** Characters that may precede a URL (`urlStart`) or follow it (`urlEnd`). */
const urlStart = /(?:^|[^\p{L}\p{N}@.:/_-]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])$/u;
const urlEnd = /^(?:$|[\s<>"'`{}|\\^)\]，。；：！？、）】》」』”’]|[.,;:!?*_~…]+(?:$|\s))/u;

function containsUrl(address: string, text: string): boolean {
  for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
    const end = at + address.length;
    if (urlStart.test(text.slice(Math.max(0, at - 2), at)) && urlEnd.test(text.slice(end, end + 8)))
      return true;
  }
  return false;
}
