/** What two texts differ in, line by line. */

export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Lines of each text that are compared; what differs beyond is shown as taken away and put there. */
const maxLines = 1_000;

export function diffLines(before: string, after: string): DiffLine[] {
  return diffParts(before.split('\n'), after.split('\n'), maxLines);
}

/** Of two texts in pieces; where more than `most` of either differ, all of these are shown as taken away and put there. */
export function diffParts(old: readonly string[], now: readonly string[], most: number): DiffLine[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  const room = Math.min(old.length, now.length) - start;
  while (end < room && old.at(-1 - end) === now.at(-1 - end)) end++;
  const middle = [old.slice(start, old.length - end), now.slice(start, now.length - end)] as const;
  return [
    ...old.slice(0, start).map(same),
    ...(Math.max(middle[0].length, middle[1].length) > most ? whole(...middle) : shortest(...middle)),
    ...(end === 0 ? [] : old.slice(-end)).map(same),
  ];
}

/** Without what stands far from any difference: `…` in the place of each run of such lines. */
export function nearDifferences(lines: readonly DiffLine[], context = 3): DiffLine[] {
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== 'same');
  return lines.flatMap((line, at) => {
    if (isNear(at)) return [line];
    return at === 0 || isNear(at - 1) ? [same('…')] : [];
  });
}

const same = (text: string): DiffLine => ({ kind: 'same', text });
const whole = (old: readonly string[], now: readonly string[]): DiffLine[] => [
  ...old.map((text): DiffLine => ({ kind: 'removed', text })),
  ...now.map((text): DiffLine => ({ kind: 'added', text })),
];

/** By the longest common sequence. */
function shortest(old: readonly string[], now: readonly string[]): DiffLine[] {
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
      lines.push(same(old[i] ?? ''));
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) lines.push({ kind: 'removed', text: old[i++] ?? '' });
    else lines.push({ kind: 'added', text: now[j++] ?? '' });
  }
  return [...lines, ...whole(old.slice(i), now.slice(j))];
}
