/** PURE: decides which turns of a chat to draw, and estimates the height of undrawn turns. */
import { textOf } from '../../contracts/message-parts';
import type { Turn } from '../../state/turns';

/** The drawn part of a chat, by turn ids. Without `last`, it extends to the end of the chat. */
export interface TurnWindow {
  readonly first: string | undefined;
  readonly last?: string | undefined;
}

/** The drawn part of a chat, by turn indexes. `first` is inclusive, `end` is exclusive. */
export interface DrawnTurns {
  readonly first: number;
  readonly end: number;
}

/** Small, because opening another chat must remove these turns again. */
export const turnsDrawnWhenIdle = 12;
/** More turns would slow the page down, so we remove those farthest from the reader. */
export const maxDrawnTurns = 200;
/** After a jump, we draw this many turns above the target. */
const turnsAboveTarget = 3;
const turnsAtAndBelowTarget = 30;

/** Finds the turns of a window. If the window belongs to another branch, returns the last turns of the chat. */
export function findDrawnTurns(turns: readonly Turn[], { first, last }: TurnWindow): DrawnTurns {
  const from = turns.findLastIndex(({ id }) => id === first);
  const to = last === undefined ? turns.length : turns.findLastIndex(({ id }) => id === last) + 1;
  if (from < 0 || to <= from)
    return { first: Math.max(0, turns.length - turnsDrawnWhenIdle), end: turns.length };
  return { first: from, end: to };
}

export function addEarlierTurns(turns: readonly Turn[], drawn: DrawnTurns, count: number): TurnWindow {
  const from = Math.max(0, drawn.first - count);
  return toTurnWindow(turns, from, Math.min(drawn.end, from + maxDrawnTurns));
}

export function addLaterTurns(turns: readonly Turn[], drawn: DrawnTurns, count: number): TurnWindow {
  const to = Math.min(turns.length, drawn.end + count);
  return toTurnWindow(turns, Math.max(drawn.first, to - maxDrawnTurns), to);
}

/** Returns a window that contains the turn at index `at`, and the drawn turns too if they are close below. If `at` is -1, keeps the drawn window. */
export function includeTurn(turns: readonly Turn[], drawn: DrawnTurns, at: number): TurnWindow {
  if (at < 0 || (at >= drawn.first && at < drawn.end)) return toTurnWindow(turns, drawn.first, drawn.end);
  const from = Math.max(0, at - turnsAboveTarget);
  if (at < drawn.first && drawn.end - from <= maxDrawnTurns) return toTurnWindow(turns, from, drawn.end);
  return toTurnWindow(turns, from, Math.min(turns.length, at + turnsAtAndBelowTarget));
}

function toTurnWindow(turns: readonly Turn[], first: number, end: number): TurnWindow {
  return { first: turns[first]?.id, last: end < turns.length ? turns[end - 1]?.id : undefined };
}

const minControlsHeightPx = 150;
const minTurnHeightPx = 150;
const minLineHeightPx = 20;
/** More characters than fit on a real line, so we never overestimate the height of a text. */
const maxLineCharacters = 160;

/** How many of the last turns to draw when a chat opens, to fill a window of `height` pixels. */
export function countInitialTurns(turns: readonly Turn[], height: number): number {
  let left = height - minControlsHeightPx;
  let count = 0;
  while (left > 0 && count < turns.length) {
    count++;
    left -= minTurnHeightOf(turns.at(-count));
  }
  return count;
}

function minTurnHeightOf(turn: Turn | undefined): number {
  const answers = turn?.parts.map((part) => (part.type === 'text' ? part.text : '')) ?? [];
  const lines = answers.reduce((sum, text) => sum + Math.floor(text.length / maxLineCharacters), 0);
  return minTurnHeightPx + lines * minLineHeightPx;
}

const turnPaddingPx = 110;
/** Includes a share of the gaps between paragraphs. */
const averageLineHeightPx = 26;
const toolCardHeightPx = 56;
/** Chinese, Japanese and Korean characters are twice as wide. */
const averageCharacterWidthPx = 7.6;
const wideCharacterPattern = /[\u2e80-\u9fff\uac00-\ud7af\uff00-\uff60]/g;
const maxLineWidthPx = 704;
/** A hidden window may report a width of 0. */
const minLineWidthPx = 200;
const sideMarginsPx = 80;
const maxFoldedQuestionLines = 9;

/** Estimates the height of a turn in pixels before it is laid out. A good estimate keeps the page from jumping. */
export function estimateTurnHeight({ question, parts }: Turn, width: number): number {
  const room = Math.max(minLineWidthPx, Math.min(maxLineWidthPx, width - sideMarginsPx));
  const asked = question?.message.role === 'user' ? textOf(question.message.content) : '';
  const heights = parts.map((part) => {
    if (part.type === 'text') return countLines(part.text, room) * averageLineHeightPx;
    return part.type === 'call' ? toolCardHeightPx : 0;
  });
  // A question's bubble is at most 80 % as wide as the column.
  const askedLines = Math.min(maxFoldedQuestionLines, countLines(asked, room * 0.8));
  return heights.reduce((sum, height) => sum + height, turnPaddingPx + askedLines * averageLineHeightPx);
}

/** The beginning of a long text is enough for an estimate. */
const maxCountedCharacters = 20_000;

function countLines(text: string, room: number): number {
  const counted = text.slice(0, maxCountedCharacters);
  const lines = counted.split('\n').reduce((sum, line) => {
    if (line === '') return sum + 0.5;
    const wide = line.match(wideCharacterPattern)?.length ?? 0;
    return sum + Math.ceil(((line.length + wide) * averageCharacterWidthPx) / room);
  }, 0);
  return lines * Math.max(1, text.length / maxCountedCharacters);
}
