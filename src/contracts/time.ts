/** The furthest time that a `Date` can be, in milliseconds since the epoch. */
const maxTime = 8.64e15;

/** False for numbers in a file that no `Date` can show. */
export const isTime = (at: number): boolean => Math.abs(at) <= maxTime;
