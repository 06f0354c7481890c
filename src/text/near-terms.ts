/** PURE: what a term that stands in no text may have meant: a longer one that begins so, or one that is a slip away. */

/** Nothing is looked for by so few letters. */
const least = 3;
const mostFound = 4;

/** `terms`: all that are known. Made when a term is first missing: it costs about a millisecond for 10,000. */
export function createNearTerms(terms: Iterable<string>): (term: string) => string[] {
  const sorted = [...terms].filter((term) => /^\p{L}/u.test(term) && !/\d/.test(term)).sort();
  const byStart = new Map<string, string[]>();
  for (const term of sorted) {
    const start = term.slice(0, 1);
    const bucket = byStart.get(start);
    if (bucket) bucket.push(term);
    else byStart.set(start, [term]);
  }

  return (term) => {
    if (term.length < least || /\d/.test(term)) return [];
    const longer = beginningWith(term, sorted);
    if (longer.length > 0) return longer;
    const bucket = byStart.get(term.slice(0, 1)) ?? [];
    return nearest(term, bucket, term.length < 9 ? 1 : 2);
  };
}

/** Whether a term may ever be near one of these: no other need be known to find what is. */
export function nearTermFilter(terms: readonly string[]): (other: string) => boolean {
  const starts = new Set(terms.filter((term) => term.length >= least).map((term) => term.slice(0, 1)));
  return (other) => other.length >= least && starts.has(other.slice(0, 1));
}

/** The shortest of those that begin with `term`. */
function beginningWith(term: string, sorted: readonly string[]): string[] {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < term) low = middle + 1;
    else high = middle;
  }
  const found: string[] = [];
  for (let at = low; sorted[at]?.startsWith(term) === true; at++) found.push(sorted[at] ?? '');
  return found.sort((one, other) => one.length - other.length).slice(0, mostFound);
}

/** Those with the fewest slips, of at most `most`. */
function nearest(term: string, others: readonly string[], most: number): string[] {
  let least = most;
  let found: string[] = [];
  for (const other of others) {
    if (other.length < 4 || Math.abs(other.length - term.length) > least) continue;
    const slips = countSlips(term, other, least);
    if (slips > least) continue;
    if (slips < least) {
      least = slips;
      found = [];
    }
    found.push(other);
  }
  return found.slice(0, mostFound);
}

/** Letters to add, drop, change or swap with their neighbour; more than `most` is said as `most + 1`. */
export function countSlips(one: string, other: string, most: number): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    let fewest = row;
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      let slips = Math.min(
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
      );
      if (one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        slips = Math.min(slips, (before[column - 2] ?? Infinity) + 1);
      next.push(slips);
      fewest = Math.min(fewest, slips);
    }
    if (fewest > most) return most + 1;
    before = last;
    last = next;
  }
  return Math.min(last[other.length] ?? 0, most + 1);
}
