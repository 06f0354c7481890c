/** Which of many names come near one that is not among them. */

/** The `count` nearest, or fewer if the others are too different. All are keys: letters and digits only. */
export function nearest(key: string, known: Iterable<string>, count: number): string[] {
  const limit = Math.max(1, Math.floor(key.length / 3));
  return [...known]
    .map((other) => ({ other, distance: distanceOf(key, other, limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((left, right) => left.distance - right.distance)
    .slice(0, count)
    .map(({ other }) => other);
}

function distanceOf(key: string, other: string, limit: number): number {
  if (holds(key, other) || holds(other, key)) return 1;
  return Math.abs(key.length - other.length) > limit ? Infinity : edits(key, other);
}

/** `frankfurtammain` holds `frankfurt`; a letter or two may stand in any name. */
function holds(whole: string, part: string): boolean {
  const isLongEnough = part.length >= 4 || (part.length >= 2 && /\p{Script=Han}/u.test(part));
  return isLongEnough && whole.includes(part);
}

/** Letters to insert, leave out or replace to make one of the other (Levenshtein). */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
