/** PURE: names that look like what was searched for, where nothing was found by its words. */

const mostNearest = 3;
/** Of the pairs of letters that two texts have together, how many they must share. */
const leastShare = 0.2;

export function nearestNames(query: string, names: readonly string[]): string[] {
  const wanted = pairsOf(query);
  return names
    .map((name) => ({ name, share: shareOf(wanted, pairsOf(name)) }))
    .filter(({ share }) => share >= leastShare)
    .sort((one, other) => other.share - one.share)
    .slice(0, mostNearest)
    .map(({ name }) => name);
}

/** Neighbouring letters, each pair once. */
function pairsOf(text: string): Set<string> {
  const letters = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return new Set(
    Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2)),
  );
}

/** Dice's coefficient, 0 to 1. */
function shareOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((pair) => other.has(pair)).length;
  return one.size + other.size === 0 ? 0 : (2 * both) / (one.size + other.size);
}
