/** PURE: when to repeat a request that a server refused because it was busy. */

/** Milliseconds before each further request, if the server does not say. */
const pauses = [1_000, 3_000];
const mostTimes = 3;
/** Maximum milliseconds to wait. For a longer wait, tell the user instead. */
const longest = 60_000;

/** Returns the milliseconds that a `Retry-After` header asks for, in seconds or as a date. Undefined if it is neither. */
export function askedWait(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d{1,6}\s*$/.test(header)) return Number(header) * 1000;
  // A date begins with the name of a day. Some engines parse other texts as dates too.
  const date = /^\s*[A-Za-z]{3,9},? /.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Milliseconds until the next request. Undefined: give up. `times`: requests so far. */
export function waitBefore(header: string | undefined, times: number, now: number): number | undefined {
  if (times >= mostTimes) return undefined;
  const wait = askedWait(header, now) ?? pauses[times];
  return wait !== undefined && wait <= longest ? wait : undefined;
}
