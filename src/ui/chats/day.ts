/** Under which heading a chat stands in the list. */

export type Day = 'today' | 'yesterday' | 'earlier';

/** `at` and `now` in milliseconds since the epoch; days are those of the reader's clock. */
export function dayOf(at: number, now: number): Day {
  const midnight = new Date(now);
  midnight.setHours(0, 0, 0, 0);
  if (at >= midnight.getTime()) return 'today';
  // Not 24 hours: the day the clocks change is shorter or longer.
  midnight.setDate(midnight.getDate() - 1);
  return at >= midnight.getTime() ? 'yesterday' : 'earlier';
}
