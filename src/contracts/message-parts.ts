import type { MessageNode } from './chat';
import type { BranchSummary, LinkPart, Message, TextPart, ToolResult } from './message';

/** The text of a message or result. Without zod, for the first paint. */

/** The text of a message or result, without thinking and calls. A link is a line of it: `title: uri`. */
export function textOf(parts: readonly { type: string }[]): string {
  return parts
    .filter((part): part is TextPart | LinkPart => part.type === 'text' || part.type === 'link')
    .map((part) => ('uri' in part ? `${part.title}: ${part.uri}` : part.text))
    .join('\n');
}

/** What stands for the beginning of a branch. Apart, as typing does without it. */

/** Of a branch, the oldest first: each stands for all that those before it stood for, so the last one counts. */
export function summariesOf(branch: readonly MessageNode[]): BranchSummary[] {
  return branch.flatMap(({ summary }, at) => (summary ? [{ ...summary, messages: at + 1 }] : []));
}

/** PURE: what a model may read again of the results of its chat, and by which name it asks for it. */

/** The name of the tool that reads on. A person's own tool cannot have it (`tools/custom/check-definition.ts`). */
export const readResultName = 'read_result';

export interface NamedResult {
  handle: string;
  result: ToolResult;
  /** Of the message it stands in. */
  messageIndex: number;
}

/** `r3` is the third result of a chat: a chat only grows, so it means the same for good, and a model copies it without a slip. */
export function handleAt(position: number): string {
  return `r${position + 1}`;
}

/** How many results there are: the position of the next one. */
export function countResults(messages: readonly Message[]): number {
  return messages.reduce(
    (count, message) => count + (message.role === 'tool' ? message.results.length : 0),
    0,
  );
}

/** Results of which there is something to read again: no failures, no descriptions of tools, and not what was read again itself. */
export function namedResults(messages: readonly Message[]): NamedResult[] {
  const named: NamedResult[] = [];
  let position = 0;
  for (const [messageIndex, message] of messages.entries()) {
    if (message.role !== 'tool') continue;
    for (const result of message.results) {
      const handle = handleAt(position++);
      const isText = !result.isError && !result.foundTools && result.toolName !== readResultName;
      if (isText) named.push({ handle, result, messageIndex });
    }
  }
  return named;
}

/**
 * Which parts of a result a model still has before it: those that were given since the question before the last one. What
 * was given earlier may be masked by now.
 */
export function givenLately(messages: readonly Message[], handle: string): [number, number][] {
  return messages
    .slice(startOfLastTurns(messages))
    .flatMap((message) => (message.role === 'tool' ? message.results : []))
    .flatMap(({ whole }) => (whole?.handle === handle ? whole.given : []));
}

/** Turns whose results stay as they are, the one that runs among them. */
const lastTurns = 2;

/** Index of the message that begins the last two turns; 0 where there are no more than these. */
export function startOfLastTurns(messages: readonly Pick<Message, 'role'>[]): number {
  const starts = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  return starts.at(-lastTurns) ?? 0;
}
