/** PURE: stretches of a text. */

/** From, and up to but without. */
export type TextRange = readonly [number, number];

/** The first stretch that holds more than blanks and is in none of `given`; an empty one at the end where there is none. */
export function firstGap(text: string, given: readonly TextRange[]): TextRange {
  let end = 0;
  for (const [from, to] of [...given].sort(([one], [other]) => one - other)) {
    if (from > end && text.slice(end, from).trim() !== '') return [end, from];
    end = Math.max(end, to);
  }
  return [end, text.length];
}
