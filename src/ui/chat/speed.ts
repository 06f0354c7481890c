/** How fast a model wrote. */
import type { Usage } from '../../contracts/model';

/** Tokens a second, from the first to the last; missing where the engine did not say or wrote only one. */
export function speedOf({ outputTokens, decodeMs }: Usage): number | undefined {
  if (decodeMs === undefined || decodeMs <= 0 || outputTokens < 2) return undefined;
  return ((outputTokens - 1) * 1000) / decodeMs;
}
