/** PURE: the words around what was found, marked. */
import type { FoundPiece } from '../contracts/search';
import { piecesOf, placeIn, type WantedWord } from './words';

/** A place of a wanted word in a text. */
export interface Mark {
  start: number;
  end: number;
  /** Which of the wanted words. */
  word: number;
}

/** Characters of one text that are looked through: of a longer one, its beginning. */
const mostRead = 100_000;
/** As many as a snippet is chosen by. */
const mostMarks = 400;
/** Characters of a snippet, and those of them before the first mark. */
const shown = { all: 180, before: 40 };

/** Where the wanted words stand in a text, in order. */
export function marksIn(text: string, words: readonly WantedWord[], most = mostMarks): Mark[] {
  const marks: Mark[] = [];
  for (const piece of piecesOf(text.slice(0, mostRead))) {
    for (const [word, wanted] of words.entries()) {
      const place = placeIn(piece, wanted);
      if (place) marks.push({ start: piece.start + place[0], end: piece.start + place[1], word });
    }
    if (marks.length >= most) break;
  }
  return marks;
}

/** Whether more of a text may be there than was looked through. */
export const isLong = (text: string) => text.length > mostRead;

/** The whole of a short text, on one line. */
export function markAll(text: string, words: readonly WantedWord[]): FoundPiece[] {
  return cut(text, { from: 0, to: text.length }, marksIn(text, words));
}

/** The part of a text in which most of the words stand, on one line. */
export function snippetOf(text: string, marks: readonly Mark[]): FoundPiece[] {
  let best = { at: 0, count: 0 };
  for (const [at, { start }] of marks.entries()) {
    const near = marks.slice(at).filter(({ end }) => end - start <= shown.all - shown.before);
    const count = new Set(near.map(({ word }) => word)).size;
    if (count > best.count) best = { at, count };
    if (at > 100) break;
  }
  const first = marks[best.at]?.start ?? 0;
  const from = wordStart(text, Math.max(0, first - shown.before), first);
  const to = Math.min(text.length, from + shown.all);
  const pieces = cut(text, { from, to }, marks);
  return [
    ...(from > 0 ? [{ text: '…', isMarked: false }] : []),
    ...pieces,
    ...(to < text.length ? [{ text: '…', isMarked: false }] : []),
  ];
}

/** No snippet begins within a word, where one ends before what is marked. */
function wordStart(text: string, from: number, first: number): number {
  if (from === 0) return 0;
  const space = text.slice(from, first).search(/\s/);
  return space < 0 ? from : from + space + 1;
}

function cut(text: string, { from, to }: { from: number; to: number }, marks: readonly Mark[]): FoundPiece[] {
  const pieces: FoundPiece[] = [];
  let at = from;
  const add = (end: number, isMarked: boolean) => {
    const part = plain(text.slice(at, end));
    if (part !== '') pieces.push({ text: part, isMarked });
    at = end;
  };
  for (const { start, end } of marks) {
    if (start < at || end > to) continue;
    add(start, false);
    add(end, true);
  }
  add(to, false);
  return pieces;
}

/** On one line, without the marks of Markdown that say how it looks. */
function plain(text: string): string {
  return text
    .replace(/(^|\n)\s*(#+|>|[-*+]|\|)\s/g, ' ')
    .replace(/[*_]{2,}|`+/g, '')
    .replace(/\s+/g, ' ');
}
