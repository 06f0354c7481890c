/**
 * How much of an open text can no longer change, however it goes on.
 *
 * A line decides about the block before it only when it is whole: `-` may become an item or a rule. `source` is
 * what the tokens were read from; lengths are in characters of it.
 */
import type { Tokens } from 'marked';
import type { ReplyToken } from './dialect';

interface Settled {
  count: number;
  length: number;
}

const none: Settled = { count: 0, length: 0 };

/** Blocks before the last line at which a block is sure to begin. */
export function settledBlocks(tokens: readonly ReplyToken[], source: string): Settled {
  let settled = none;
  let start = 0;
  tokens.forEach((token, count) => {
    const before = tokens[count - 1];
    if (before && isSureStart(token, before) && hasLines(source, start, token.type === 'table' ? 2 : 1)) {
      settled = { count, length: start };
    }
    start += token.raw.length;
  });
  return settled;
}

/** Anything after a blank line begins a block; these also end a block that stands right before them. */
function isSureStart(token: ReplyToken, before: ReplyToken): boolean {
  if (token.type === 'space') return false;
  return (
    before.type === 'space' ||
    token.type === 'list' ||
    token.type === 'table' ||
    (token.type === 'code' && token.codeBlockStyle !== 'indented') ||
    (token.type === 'heading' && /^ {0,3}#/.test(token.raw))
  );
}

/** Items of a list at the start of `source`: all before the last one whose first line is whole. */
export function settledItems(list: Tokens.List, source: string): Settled {
  let settled = none;
  let start = 0;
  list.items.forEach((item, count) => {
    if (count > 0 && hasLines(source, start, 1)) settled = { count, length: start };
    start += item.raw.length;
  });
  return settled;
}

/** Whether these items alone make their list loose, given that another item follows them. */
export function areLoose(items: readonly Tokens.ListItem[]): boolean {
  return items.some(
    ({ raw, tokens }) =>
      /\n[ \t]*\n[ \t]*$/.test(raw) ||
      tokens.some((token) => token.type === 'space' && /\n.*\n/.test(token.raw)),
  );
}

/** Rows that begin at `start` in `source`: all before the last whole one. Blank ones go with the row before them. */
export function settledRows(rows: number, source: string, start: number): Settled {
  let settled = none;
  let at = start;
  for (let count = 0; count < rows; count++) {
    const end = source.indexOf('\n', at);
    if (end === -1) break;
    if (source.slice(at, end).trim() !== '') settled = { count, length: at - start };
    at = end + 1;
  }
  return settled;
}

function hasLines(source: string, start: number, lines: number): boolean {
  let at = start - 1;
  for (let line = 0; line < lines; line++) {
    at = source.indexOf('\n', at + 1);
    if (at === -1) return false;
  }
  return true;
}
