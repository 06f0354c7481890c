/** What a person wants to be kept, in words: notes are read in any chat. */
import { z } from './schema';

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
