/** PURE: the tools that a model sees from the start if it can search for the others. */
import type { Message } from '../../contracts/message';
import { textOf } from '../../contracts/message-parts';
import { findToolsName, type ListedTool, type ToolSpec } from '../../contracts/tool';

/** Maximum listed tools. If more are on, the model searches for them. */
export const mostListed = 24;

interface Choice {
  tools: readonly ToolSpec[];
  isPinned: (name: string) => boolean;
  /** Ends with the request. */
  messages: readonly Message[];
}

/** Most important first, because the end is cut off. Pinned tools always stay. */
export function chooseList({ tools, isPinned, messages }: Choice): ListedTool[] {
  const pinned = tools.filter(({ name }) => isPinned(name)).map(({ name }) => listed(name, 'pinned'));
  const others = tools.filter(({ name }) => !isPinned(name));
  const isOn = new Set(others.map(({ name }) => name));
  const recent = recentTools(messages).filter(({ name }) => isOn.has(name));
  const known = new Set(recent.map(({ name }) => name));
  const request = requestIn(messages);
  const named = others.filter((tool) => !known.has(tool.name) && isNamed(tool, request));
  const used = recent.filter(({ reason }) => reason === 'used');
  const found = recent.filter(({ reason }) => reason === 'found');
  const chosen = [...used, ...named.map(({ name }) => listed(name, 'named')), ...found];
  return [...pinned, ...chosen.slice(0, Math.max(0, mostListed - pinned.length))];
}

/** The text of the user's newest message. */
export function requestIn(messages: readonly Message[]): string {
  const request = messages.findLast(({ role }) => role === 'user');
  return request?.role === 'user' ? textOf(request.content) : '';
}

/** Tools called or found in the chat, most recent first. */
function recentTools(messages: readonly Message[]): ListedTool[] {
  const recent = new Map<string, ListedTool>();
  for (const message of messages.toReversed()) {
    for (const one of toolsOf(message).toReversed()) {
      const known = recent.get(one.name);
      // A call is a better reason to list a tool than a search hit, so it replaces the hit and keeps the most recent place.
      if (!known) recent.set(one.name, one);
      else if (one.reason === 'used') known.reason = 'used';
    }
  }
  return [...recent.values()];
}

function toolsOf(message: Message): ListedTool[] {
  switch (message.role) {
    case 'assistant':
      return message.content.flatMap((part) =>
        part.type === 'tool-call' && part.name !== findToolsName ? [listed(part.name, 'used')] : [],
      );
    case 'tool':
      return message.results.flatMap(({ foundTools = [] }) =>
        foundTools.map((name) => listed(name, 'found')),
      );
    case 'system':
    case 'user':
      return [];
  }
}

/** Whether a request contains the name or title of a tool: `use list_invoices`, `List invoices for May`. */
function isNamed({ name, title }: ToolSpec, request: string): boolean {
  const said = ` ${plain(request)} `;
  return [name, title].map(plain).some((words) => stands(words, said));
}

/** Matches whole words, or any position in a script without spaces. One or two letters match nothing. */
function stands(words: string, said: string): boolean {
  const hasNoSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(words);
  if (hasNoSpaces) return words.length >= 2 && said.includes(words);
  return words.length >= 3 && said.includes(` ${words} `);
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function listed(name: string, reason: ListedTool['reason']): ListedTool {
  return { name, reason };
}
