/**
 * PURE: the grammar for the prose of a very small model. It opens no tag, holds no Chinese where the model has read none, and after
 * the result of a tool only numbers that the model has read.
 */
import type { PromptMessage } from '../contracts/model';

/** More would make the grammar slow; a page of tables has them. */
const mostNumbers = 200;
/** Chinese, Japanese and their marks. */
const hanRanges = String.raw`\u2E80-\u9FFF\uF900-\uFAFF`;

/** A grammar expression. `messages` are those of the prompt. */
export function proseFor(messages: readonly PromptMessage[]): string {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const turn = messages.slice(Math.max(asked, 0)).filter(({ role }) => role !== 'system');
  const read = turn.map(({ content }) => content).join('\n');
  const isForeign = /[\u2E80-\u9FFF\uF900-\uFAFF]/.test(read);
  const never = isForeign ? '<' : `<${hanRanges}`;
  const numbers = new Set(read.match(/\d+/g) ?? []);
  const isHeld = messages.at(-1)?.role === 'tool' && numbers.size > 0 && numbers.size <= mostNumbers;
  if (!isHeld) return `[^${never}] [^${never}]*`;
  const other = `[^0-9${never}]`;
  const number = `(${Array.from(numbers, (digits) => JSON.stringify(digits)).join(' | ')})`;
  return `${number} (${other}+ ${number})* ${other}* | ${other}+ (${number} ${other}+)* ${number}?`;
}
