/** PURE: which turns of a chat are drawn: its end at first, more as the reader comes near an edge, and never all of a very long chat. */
import type { Turn } from '../../state/turns';

/**
 * By the ids of its first turn and its last: those that come in after it, and those that are read before it, leave it where it is.
 * Without a last one it reaches to the end of the chat, and grows with it.
 */
export interface TurnWindow {
  readonly first: string | undefined;
  readonly last?: string | undefined;
}

/** Turns from `first` to before `end`, by their places in the chat. */
export interface DrawnTurns {
  readonly first: number;
  readonly end: number;
}

/** Turns that stand there when the page has nothing else to do: what is drawn is also taken away again, before the next chat comes. */
export const atRest = 12;
/** Turns. Beyond it what is furthest from the reader is taken away: a page of thousands would be slow in all that it does. */
export const mostDrawn = 200;
/** Turns drawn above one that is gone to: what it was said after. */
const above = 3;
/** Turns drawn from there on. */
const around = 30;

export function placesOf(turns: readonly Turn[], { first, last }: TurnWindow): DrawnTurns {
  const from = turns.findLastIndex(({ id }) => id === first);
  const to = last === undefined ? turns.length : turns.findLastIndex(({ id }) => id === last) + 1;
  // It is of another branch.
  if (from < 0 || to <= from) return { first: Math.max(0, turns.length - atRest), end: turns.length };
  return { first: from, end: to };
}

/** With `count` turns more above. */
export function withEarlier(turns: readonly Turn[], { first, end }: DrawnTurns, count: number): TurnWindow {
  const from = Math.max(0, first - count);
  return windowOf(turns, from, Math.min(end, from + mostDrawn));
}

/** With `count` turns more below. */
export function withLater(turns: readonly Turn[], { first, end }: DrawnTurns, count: number): TurnWindow {
  const to = Math.min(turns.length, end + count);
  return windowOf(turns, Math.max(first, to - mostDrawn), to);
}

/** With the turn at this place, if it is one: what is drawn grows to it where it is near, and is left for what stands around it where it is far. */
export function withTurn(turns: readonly Turn[], drawn: DrawnTurns, at: number): TurnWindow {
  if (at < 0 || (at >= drawn.first && at < drawn.end)) return windowOf(turns, drawn.first, drawn.end);
  const from = Math.max(0, at - above);
  if (at < drawn.first && drawn.end - from <= mostDrawn) return windowOf(turns, from, drawn.end);
  return windowOf(turns, from, Math.min(turns.length, at + around));
}

function windowOf(turns: readonly Turn[], first: number, end: number): TurnWindow {
  return { first: turns[first]?.id, last: end < turns.length ? turns[end - 1]?.id : undefined };
}
