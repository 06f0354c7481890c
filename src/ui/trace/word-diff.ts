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
  const without = (kind: DiffLine['kind']) => joined(parts.filter((part) => part.kind !== kind));
  return { before: without('added'), after: without('removed') };
}

function wordsOf(text: string): string[] {
  // Firefox has it since 125.
  if (!('Segmenter' in Intl)) return text.match(/\s+|\p{Script=Han}|[^\s\p{Script=Han}]+/gu) ?? [];
  const segments = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text);
  return Array.from(segments, ({ segment }) => segment);
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
