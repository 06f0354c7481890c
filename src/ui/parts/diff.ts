export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** If more lines differ, we show all of them as removed and added, because comparing them would be slow. */
const maxDifferingLines = 1_000;

export function diffLines(before: string, after: string): DiffLine[] {
  return diffPieces(before.split('\n'), after.split('\n'), maxDifferingLines);
}

/** If either list has more than `max` differing pieces, all of them count as removed and added. */
function diffPieces(old: readonly string[], now: readonly string[], max: number): DiffLine[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  const room = Math.min(old.length, now.length) - start;
  while (end < room && old.at(-1 - end) === now.at(-1 - end)) end++;
  const middle = [old.slice(start, old.length - end), now.slice(start, now.length - end)] as const;
  return [
    ...old.slice(0, start).map(toSameLine),
    ...(Math.max(middle[0].length, middle[1].length) > max
      ? toRemovedAndAdded(...middle)
      : findShortestDiff(...middle)),
    ...old.slice(old.length - end).map(toSameLine),
  ];
}

/** Keeps the differences and `context` unchanged lines around each. Replaces other lines with `…`. */
export function collapseUnchangedLines(lines: readonly DiffLine[], context = 3): DiffLine[] {
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== 'same');
  return lines.flatMap((line, at) => {
    if (isNear(at)) return [line];
    return at === 0 || isNear(at - 1) ? [toSameLine('…')] : [];
  });
}

const toSameLine = (text: string): DiffLine => ({ kind: 'same', text });
const toRemovedAndAdded = (old: readonly string[], now: readonly string[]): DiffLine[] => [
  ...old.map((text): DiffLine => ({ kind: 'removed', text })),
  ...now.map((text): DiffLine => ({ kind: 'added', text })),
];

function findShortestDiff(old: readonly string[], now: readonly string[]): DiffLine[] {
  const width = now.length + 1;
  const table = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number) => table[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const isSame = old[i] === now[j];
      table[i * width + j] = isSame ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      lines.push(toSameLine(old[i] ?? ''));
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) lines.push({ kind: 'removed', text: old[i++] ?? '' });
    else lines.push({ kind: 'added', text: now[j++] ?? '' });
  }
  return [...lines, ...toRemovedAndAdded(old.slice(i), now.slice(j))];
}

/** If more words differ, we show all of them as removed and added, because comparing them would be slow. */
const maxDifferingWords = 2_000;

/** Compares two texts word by word, even in languages without spaces. */
export function diffWords(before: string, after: string) {
  const parts = diffPieces(splitIntoWords(before), splitIntoWords(after), maxDifferingWords);
  const without = (kind: DiffLine['kind']) =>
    joinPieces(markGapsAsDifferent(joinPieces(parts.filter((part) => part.kind !== kind))));
  return { before: without('added'), after: without('removed') };
}

function splitIntoWords(text: string): string[] {
  // Firefox before 125 has no Segmenter.
  if (!('Segmenter' in Intl)) return text.match(/\s+|\p{Script=Han}|[^\s\p{Script=Han}]+/gu) ?? [];
  const segments = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text);
  return Array.from(segments, ({ segment }) => segment);
}

/** Marks spaces and punctuation between differing words as different, so the words form one piece. */
function markGapsAsDifferent(pieces: readonly DiffLine[]): DiffLine[] {
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
