/** PURE: which turns of a chat are drawn, how many of them when it opens, and how high an unseen one will be. */
import { textOf } from '../../contracts/message-parts';
import type { Turn } from '../../state/turns';

/** The drawn part of a chat, by the ids of its first and last turn. Without `last` it reaches to the end of the chat. */
export interface TurnWindow {
  readonly first: string | undefined;
  readonly last?: string | undefined;
}

/** The drawn part of a chat, by indexes: from `first` up to and excluding `end`. */
export interface DrawnTurns {
  readonly first: number;
  readonly end: number;
}

/** Number of turns drawn once the page is idle. It is small because opening another chat has to remove them again. */
export const turnsWhenIdle = 12;
/** Maximum number of turns drawn at once. The turns farthest from the reader are removed: thousands would slow the page down. */
export const maxDrawnTurns = 200;
/** When we jump to a turn, this many turns are drawn above it, and this many from it on. */
const turnsAbove = 3;
const turnsFrom = 30;

/** Returns the end of the chat if the window belongs to another branch. */
export function drawnTurns(turns: readonly Turn[], { first, last }: TurnWindow): DrawnTurns {
  const from = turns.findLastIndex(({ id }) => id === first);
  const to = last === undefined ? turns.length : turns.findLastIndex(({ id }) => id === last) + 1;
  if (from < 0 || to <= from) return { first: Math.max(0, turns.length - turnsWhenIdle), end: turns.length };
  return { first: from, end: to };
}

export function withEarlier(turns: readonly Turn[], { first, end }: DrawnTurns, count: number): TurnWindow {
  const from = Math.max(0, first - count);
  return windowOf(turns, from, Math.min(end, from + maxDrawnTurns));
}

export function withLater(turns: readonly Turn[], { first, end }: DrawnTurns, count: number): TurnWindow {
  const to = Math.min(turns.length, end + count);
  return windowOf(turns, Math.max(first, to - maxDrawnTurns), to);
}

/** Makes the window include the turn at index `at`: extends it to a near turn, moves it to a far one. -1 changes nothing. */
export function withTurn(turns: readonly Turn[], drawn: DrawnTurns, at: number): TurnWindow {
  if (at < 0 || (at >= drawn.first && at < drawn.end)) return windowOf(turns, drawn.first, drawn.end);
  const from = Math.max(0, at - turnsAbove);
  if (at < drawn.first && drawn.end - from <= maxDrawnTurns) return windowOf(turns, from, drawn.end);
  return windowOf(turns, from, Math.min(turns.length, at + turnsFrom));
}

function windowOf(turns: readonly Turn[], first: number, end: number): TurnWindow {
  return { first: turns[first]?.id, last: end < turns.length ? turns[end - 1]?.id : undefined };
}

/** Minimum pixels that the title and the message box take. */
const chromeHeight = 150;
/** Minimum pixels of a turn: a question and an answer of one line each. */
const minTurnHeight = 150;
const minLineHeight = 20;
/** More characters than fit in a line, so that a long text is underestimated, never overestimated. */
const maxLineLength = 160;

/** How many turns to draw when a chat opens: those that fill a window of `height` pixels, counted from the end. */
export function countAtOnce(turns: readonly Turn[], height: number): number {
  let left = height - chromeHeight;
  let count = 0;
  while (left > 0 && count < turns.length) {
    count++;
    left -= minHeightOf(turns.at(-count));
  }
  return count;
}

function minHeightOf(turn: Turn | undefined): number {
  const answers = turn?.parts.map((part) => (part.type === 'text' ? part.text : '')) ?? [];
  const lines = answers.reduce((sum, text) => sum + Math.floor(text.length / maxLineLength), 0);
  return minTurnHeight + lines * minLineHeight;
}

const turnPadding = 110;
/** Pixels of a line, including its share of the gaps between paragraphs. */
const lineHeight = 26;
const cardHeight = 56;
/** Average pixels of a character. Chinese, Japanese and Korean characters are twice as wide. */
const characterWidth = 7.6;
const wideCharacters = /[\u2e80-\u9fff\uac00-\ud7af\uff00-\uff60]/g;
const maxLineWidth = 704;
/** Pixels. A hidden window may report a width of 0. */
const minLineWidth = 200;
const sideMargins = 80;
/** Lines of a folded question, including the button that unfolds it. */
const foldedLines = 9;

/** Estimates the height in pixels of a turn that is not laid out yet. A good estimate keeps the page from jumping. */
export function guessHeight({ question, parts }: Turn, width: number): number {
  const room = Math.max(minLineWidth, Math.min(maxLineWidth, width - sideMargins));
  const asked = question?.message.role === 'user' ? textOf(question.message.content) : '';
  const heights = parts.map((part) => {
    if (part.type === 'text') return countLines(part.text, room) * lineHeight;
    return part.type === 'call' ? cardHeight : 0;
  });
  // A question bubble is at most four fifths of the column wide.
  const askedLines = Math.min(foldedLines, countLines(asked, room * 0.8));
  return heights.reduce((sum, height) => sum + height, turnPadding + askedLines * lineHeight);
}

function countLines(text: string, room: number): number {
  return text.split('\n').reduce((sum, line) => {
    if (line === '') return sum + 0.5;
    const wide = line.match(wideCharacters)?.length ?? 0;
    return sum + Math.ceil(((line.length + wide) * characterWidth) / room);
  }, 0);
}
