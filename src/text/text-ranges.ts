/** Start (inclusive) and end (exclusive) of a range of characters. */
export type TextRange = readonly [number, number];

/** The first range outside of `given` that is not blank. Empty, at the end of the text, if there is none. */
export function firstGap(text: string, given: readonly TextRange[]): TextRange {
  let end = 0;
  for (const [from, to] of [...given].sort(([one], [other]) => one - other)) {
    if (from > end && text.slice(end, from).trim() !== '') return [end, from];
    end = Math.max(end, to);
  }
  return [end, text.length];
}
