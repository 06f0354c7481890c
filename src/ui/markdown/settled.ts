/** Finds the part of an unfinished text that is settled: later text cannot change it. Lengths are in characters. */
import type { Tokens } from 'marked';
import type { ReplyToken } from './dialect';

const nothingSettled = { count: 0, length: 0 };

/** A block is settled once a later block has certainly begun. A lone `-` is uncertain: it may begin a list or rule. */
export function findSettledBlocks(tokens: readonly ReplyToken[], source: string) {
  return findSettledParts(
    tokens,
    (token, before, start) =>
      isCertainBlockStart(token, before) && hasCompleteLines(source, start, token.type === 'table' ? 2 : 1),
  );
}

/**
 * Finds the last part for which `isCertain` is true, and returns how many parts and characters are before it. `start` is
 * the index in the text at which a part begins.
 */
function findSettledParts<Part extends { raw: string }>(
  parts: readonly Part[],
  isCertain: (part: Part, before: Part, start: number) => boolean,
) {
  let settled = nothingSettled;
  let start = 0;
  parts.forEach((part, count) => {
    const before = parts[count - 1];
    if (before && isCertain(part, before, start)) settled = { count, length: start };
    start += part.raw.length;
  });
  return settled;
}

/** A block certainly begins after a blank line or a link definition, or if its type can interrupt a paragraph. */
function isCertainBlockStart(token: ReplyToken, before: ReplyToken): boolean {
  if (token.type === 'space') return false;
  return (
    before.type === 'space' ||
    (token.type === 'def' && before.type === 'def') ||
    token.type === 'list' ||
    token.type === 'table' ||
    (token.type === 'code' && token.codeBlockStyle !== 'indented') ||
    (token.type === 'heading' && /^ {0,3}#/.test(token.raw))
  );
}

/**
 * Finds the settled items of a list at the start of `source`. An item is settled once the first line of a later item is
 * complete.
 */
export function findSettledItems(list: Tokens.List, source: string) {
  return findSettledParts(list.items, (_item, _before, start) => hasCompleteLines(source, start, 1));
}

/** True if these items make their list loose (with gaps) once another item follows. */
export function areItemsLoose(items: readonly Tokens.ListItem[]): boolean {
  return items.some(
    ({ raw, tokens }) =>
      /\n[ \t]*\n[ \t]*$/.test(raw) ||
      tokens.some((token) => token.type === 'space' && /\n.*\n/.test(token.raw)),
  );
}

/** Finds the table rows from index `start` to the last complete row. A row includes the blank lines after it. */
export function findSettledRows(rows: number, source: string, start: number) {
  let settled = nothingSettled;
  let at = start;
  for (let count = 0; count < rows; count++) {
    const end = source.indexOf('\n', at);
    if (end === -1) break;
    if (source.slice(at, end).trim() !== '') settled = { count, length: at - start };
    at = end + 1;
  }
  return settled;
}

function hasCompleteLines(source: string, start: number, lines: number): boolean {
  let at = start - 1;
  for (let line = 0; line < lines; line++) {
    at = source.indexOf('\n', at + 1);
    if (at === -1) return false;
  }
  return true;
}
