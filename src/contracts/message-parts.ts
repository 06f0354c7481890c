/** Functions that read messages: text, summaries and named results. Screens load this file, so it must not import zod. */
import type { MessageNode } from './chat';
import type { BranchSummary, LinkPart, Message, TextPart } from './message';

/** Returns the text of a message or result, without reasoning and calls. A link becomes a line `title: uri`. */
export function textOf(parts: readonly { type: string }[]): string {
  return parts
    .filter((part): part is TextPart | LinkPart => part.type === 'text' || part.type === 'link')
    .map((part) => ('uri' in part ? `${part.title}: ${part.uri}` : part.text))
    .join('\n');
}

/** Returns the summaries of a branch, oldest first. Each one covers everything before it, so only the last is used. */
export function summariesOf(branch: readonly MessageNode[]): BranchSummary[] {
  return branch.flatMap(({ summary }, at) => (summary ? [{ ...summary, messages: at + 1 }] : []));
}

/** The tool that reads more of a cut result. Custom tools cannot use this name (`tools/custom/check-definition.ts`). */
export const readResultName = 'read_result';

/** Names a result by its position: `r3` is the third one. Chats only grow, so the name stays valid. Models copy short names reliably. */
export function handleAt(position: number): string {
  return `r${position + 1}`;
}

export function countResults(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + (message.role === 'tool' ? message.results.length : 0), 0);
}

/** Returns results worth reading again, without errors, tool descriptions and `read_result`. `messageIndex`: index of the tool message. */
export function findNamedResults(messages: readonly Message[]) {
  let position = 0;
  return messages
    .flatMap((message, messageIndex) => {
      const results = message.role === 'tool' ? message.results : [];
      return results.map((result) => ({ handle: handleAt(position++), result, messageIndex }));
    })
    .filter(({ result }) => !result.isError && !result.foundTools && result.toolName !== readResultName);
}

/** Returns the ranges of a result that the model can still see. Results of older turns may be masked. */
export function recentlyGivenRanges(messages: readonly Message[], handle: string): [number, number][] {
  return messages
    .slice(startOfLastTurns(messages))
    .flatMap((message) => (message.role === 'tool' ? message.results : []))
    .flatMap(({ whole }) => (whole?.handle === handle ? whole.given : []));
}

/** Number of latest turns, including the current one, whose results are never masked. */
const unmaskedTurns = 2;

/** Returns the index of the message with which the last two turns begin, or 0 if there are fewer. */
export function startOfLastTurns(messages: readonly Pick<Message, 'role'>[]): number {
  const starts = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  return starts.at(-unmaskedTurns) ?? 0;
}
