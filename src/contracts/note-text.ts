/** How much a note holds, and how it stands in a result. Without zod, for the first paint. */

/** Characters. */
export const longestNote = 2000;
/** All of them are read for a search, and a person must find their way among them. */
export const mostNotes = 2000;

/** The name of the tool that finds notes. */
export const recallName = 'recall';

/** The text of a note as a result of that tool gives it, `Note of 2026-11-24: …`; undefined for any other text. */
export function noteIn(result: string): string | undefined {
  return /^Note of \d{4,}-\d\d-\d\d: ([^]*)$/.exec(result)?.[1];
}
