import { z } from './schema';

/** What a person wants to be kept, in words: notes are read in any chat. */

export const Note = z.object({
  id: z.string(),
  text: z.string(),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
  /** Milliseconds since the epoch: of the newest edit, or `createdAt`. */
  updatedAt: z.number(),
  /**
   * Hosts whose text was in the chat when a model wrote it, and may stand in it. Missing for one that the person wrote.
   * An edit leaves them: who mends a word vouches for none of the others.
   */
  sources: z.optional(z.array(z.string())),
  /** Since when it is in the bin. Missing where it is not. */
  deletedAt: z.optional(z.number()),
});
export type Note = z.infer<typeof Note>;

/** What is kept, newest first, and what is there but cannot be read. */
export interface NoteList {
  notes: readonly Note[];
  damaged: readonly { id: string; reason: string }[];
}

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
