/** Readers of messages: text, summaries and named results. Screens use them, so no zod here. */
import type { MessageNode } from './chat';
import type { BranchSummary, LinkPart, Message, TextPart, ToolResult } from './message';

/** Returns the text of a message or result, without thinking and calls. A link becomes a line `title: uri`. */
export function textOf(parts: readonly { type: string }[]): string {
  return parts
    .filter((part): part is TextPart | LinkPart => part.type === 'text' || part.type === 'link')
    .map((part) => ('uri' in part ? `${part.title}: ${part.uri}` : part.text))
    .join('\n');
}

/** Returns the summaries of a branch, oldest first. Each covers everything before it, so the last one counts. */
export function summariesOf(branch: readonly MessageNode[]): BranchSummary[] {
  return branch.flatMap(({ summary }, at) => (summary ? [{ ...summary, messages: at + 1 }] : []));
}

/** The tool that reads more of a cut result. Custom tools cannot use this name (`tools/custom/check-definition.ts`). */
export const readResultName = 'read_result';

interface NamedResult {
  handle: string;
  result: ToolResult;
  /** Index of the tool message. */
  messageIndex: number;
}

/** Names a result by its position: `r3` is the third one. Chats only grow, so the name stays valid, and models copy it reliably. */
export function handleAt(position: number): string {
  return `r${position + 1}`;
}

export function countResults(messages: readonly Message[]): number {
  return messages.reduce(
    (count, message) => count + (message.role === 'tool' ? message.results.length : 0),
    0,
  );
}

/** Returns the results worth reading again: no errors, no tool descriptions, no results of `read_result` itself. */
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

/** Returns the ranges of a result that the model still sees. Older turns may be masked. */
export function recentlyGivenRanges(messages: readonly Message[], handle: string): [number, number][] {
  return messages
    .slice(startOfLastTurns(messages))
    .flatMap((message) => (message.role === 'tool' ? message.results : []))
    .flatMap(({ whole }) => (whole?.handle === handle ? whole.given : []));
}

/** Number of turns whose results are never masked, including the current one. */
const unmaskedTurns = 2;

/** Returns the index of the message that starts the last two turns; 0 if there are fewer. */
export function startOfLastTurns(messages: readonly Pick<Message, 'role'>[]): number {
  const starts = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  return starts.at(-unmaskedTurns) ?? 0;
}
