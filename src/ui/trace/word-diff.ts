import { type DiffLine, diffParts } from '../tools/line-diff';

/** Maximum words to compare. If more differ, all of them count as different. */
const maxWords = 2_000;

export interface WordDiff {
  before: readonly DiffLine[];
  after: readonly DiffLine[];
}

/** Compares two texts word by word, also in languages that write no spaces. */
export function diffWords(before: string, after: string): WordDiff {
  const parts = diffParts(wordsOf(before), wordsOf(after), maxWords);
  const without = (kind: DiffLine['kind']) =>
    joinPieces(bridgeGaps(joinPieces(parts.filter((part) => part.kind !== kind))));
  return { before: without('added'), after: without('removed') };
}

function wordsOf(text: string): string[] {
  // Firefox before 125 has no Segmenter.
  if (!('Segmenter' in Intl)) return text.match(/\s+|\p{Script=Han}|[^\s\p{Script=Han}]+/gu) ?? [];
  const segments = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text);
  return Array.from(segments, ({ segment }) => segment);
}

/** Marks spaces and punctuation between two different words as different too, so that a sentence is one piece. */
function bridgeGaps(pieces: readonly DiffLine[]): DiffLine[] {
  return pieces.map((piece, at) => {
    const [before, after] = [pieces[at - 1], pieces[at + 1]];
    const isBetween = piece.kind === 'same' && before !== undefined && after !== undefined;
    return isBetween && !/[\p{L}\p{N}\n]/u.test(piece.text) ? { ...piece, kind: before.kind } : piece;
  });
}

function joinPieces(parts: readonly DiffLine[]): DiffLine[] {
  const pieces: DiffLine[] = [];
  for (const { kind, text } of parts) {
    const last = pieces.at(-1);
    if (last?.kind === kind) last.text += text;
    else pieces.push({ kind, text });
  }
  return pieces;
}
