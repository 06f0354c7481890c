/** PURE: when a server that takes no more requests just now is asked again. */

/** Milliseconds before each further request where the server does not say. */
const pauses = [1_000, 3_000];
/** As often as one request is made again. */
const mostTimes = 3;
/** Milliseconds: whoever is told of more had better know it than wait. */
const longest = 60_000;

/** Milliseconds that a `Retry-After` asks for, in seconds or as a date; undefined where it is neither. */
export function askedWait(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d{1,6}\s*$/.test(header)) return Number(header) * 1000;
  // A date begins with the name of a day: other texts are read as dates too, by some.
  const date = /^\s*[A-Za-z]{3,9},? /.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Milliseconds until it is asked again; undefined where it is not. `times`: how often it was. */
export function waitBefore(header: string | undefined, times: number, now: number): number | undefined {
  if (times >= mostTimes) return undefined;
  const wait = askedWait(header, now) ?? pauses[times];
  return wait !== undefined && wait <= longest ? wait : undefined;
}
