import type { Usage } from '../../contracts/model';

/** Tokens per second from the first to the last token. Undefined if the engine reported no time or wrote only one token. */
export function speedOf({ outputTokens, decodeMs }: Usage): number | undefined {
  if (decodeMs === undefined || decodeMs <= 0 || outputTokens < 2) return undefined;
  return ((outputTokens - 1) * 1000) / decodeMs;
}
