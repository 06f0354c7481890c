/** Functions that read messages. Screens load this file, so it must not import zod. */
import type { MessageNode } from './chat';
import type { BranchSummary, LinkPart, Message, TextPart } from './message';
import { readResultToolName } from './tool-names';

/** Returns the text of a message or result, without reasoning and calls. A link becomes a line `title: uri`. */
export function textOf(parts: readonly { type: string }[]): string {
  return parts
    .filter((part): part is TextPart | LinkPart => part.type === 'text' || part.type === 'link')
    .map((part) => ('uri' in part ? `${part.title}: ${part.uri}` : part.text))
    .join('\n');
}

/** Returns the summaries of a branch, oldest first. Each one covers everything before it, so the prompt uses only the last. */
export function summariesOf(branch: readonly MessageNode[]): BranchSummary[] {
  return branch.flatMap(({ summary }, at) => (summary ? [{ ...summary, messages: at + 1 }] : []));
}

/** Returns the name by which models refer to a result: `r1` for position 0. New results come last, so names stay valid. */
export function resultHandleAt(position: number): string {
  return `r${position + 1}`;
}

export function countResults(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + (message.role === 'tool' ? message.results.length : 0), 0);
}

/** Returns the results that a model can read again with `read_result`. Leaves out errors and results without new text. */
export function findReadableResults(messages: readonly Message[]) {
  let position = 0;
  return messages
    .flatMap((message, messageIndex) => {
      const results = message.role === 'tool' ? message.results : [];
      return results.map((result) => ({ handle: resultHandleAt(position++), result, messageIndex }));
    })
    .filter(({ result }) => !result.isError && !result.foundTools && result.toolName !== readResultToolName);
}

/** Returns the ranges of a result that the model can still see. Results of older turns may be masked. */
export function findShownRanges(messages: readonly Message[], handle: string): [number, number][] {
  return messages
    .slice(startOfLastTurns(messages))
    .flatMap((message) => (message.role === 'tool' ? message.results : []))
    .flatMap(({ whole }) => (whole?.handle === handle ? whole.given : []));
}

/** Number of turns, including the current one, whose results stay unmasked in the prompt. */
const unmaskedTurnCount = 2;

/** Returns the index of the first message of the last two turns, or 0 if there are fewer turns. */
export function startOfLastTurns(messages: readonly Pick<Message, 'role'>[]): number {
  const starts = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  return starts.at(-unmaskedTurnCount) ?? 0;
}
