/** How deep JSON from outside is nested, asked before anything walks it that could go no deeper. Without zod, for screens too. */

/** `{}` is 1 deep. Looks no deeper than `depth`, so that nothing is too deep for it. */
export function isDeeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((item) => isDeeperThan(depth - 1, item));
}
