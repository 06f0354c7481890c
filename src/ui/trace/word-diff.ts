/** What two texts differ in, word by word, also where words are written without spaces. */
import { type DiffLine, diffParts } from '../tools/line-diff';

/** Words of each text that are compared; where more differ, all of them are shown as different. */
const mostWords = 2_000;

export interface WordDiff {
  /** Each text in pieces: what is in both, and what is in it alone. */
  before: readonly DiffLine[];
  after: readonly DiffLine[];
}

export function diffWords(before: string, after: string): WordDiff {
  const parts = diffParts(wordsOf(before), wordsOf(after), mostWords);
  const without = (kind: DiffLine['kind']) =>
    joined(bridged(joined(parts.filter((part) => part.kind !== kind))));
  return { before: without('added'), after: without('removed') };
}

function wordsOf(text: string): string[] {
  // Firefox has it since 125.
  if (!('Segmenter' in Intl)) return text.match(/\s+|\p{Script=Han}|[^\s\p{Script=Han}]+/gu) ?? [];
  const segments = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text);
  return Array.from(segments, ({ segment }) => segment);
}

/** What is no word, between two that differ, goes with them: so one sentence is one passage, and not one for each of its words. */
function bridged(pieces: readonly DiffLine[]): DiffLine[] {
  return pieces.map((piece, at) => {
    const [before, after] = [pieces[at - 1], pieces[at + 1]];
    const isBetween = piece.kind === 'same' && before !== undefined && after !== undefined;
    return isBetween && !/[\p{L}\p{N}\n]/u.test(piece.text) ? { ...piece, kind: before.kind } : piece;
  });
}

/** Neighbours of one kind as one. */
function joined(parts: readonly DiffLine[]): DiffLine[] {
  const pieces: DiffLine[] = [];
  for (const { kind, text } of parts) {
    const last = pieces.at(-1);
    if (last?.kind === kind) last.text += text;
    else pieces.push({ kind, text });
  }
  return pieces;
}
