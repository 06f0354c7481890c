/** The furthest time that a `Date` can be, in milliseconds since the epoch. */
const maxTime = 8.64e15;

/** Returns a time for a `datetime` attribute. Undefined for a number that is no time, which a file may contain. */
export function toIsoTime(at: number): string | undefined {
  return Math.abs(at) <= maxTime ? new Date(at).toISOString() : undefined;
}
