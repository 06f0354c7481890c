/** Notes that the user keeps. Models can search them in every chat. Times are milliseconds since the epoch. */
import { Origin } from './message';
import { addOrigins } from './origin';
import { z } from './schema';

const CurrentNote = z.object({
  id: z.string(),
  text: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** Where its text comes from: who wrote it, and what a model had read when it wrote it. An edit keeps them, because it may keep some text. */
  origins: z.array(Origin),
  deletedAt: z.optional(z.number()),
});
/** Reads notes of earlier versions too. */
export const Note = z.pipe(
  z.transform((row) => addOrigins(row, 'note')),
  CurrentNote,
);
export type Note = z.infer<typeof Note>;

export interface NoteList {
  notes: readonly Note[];
  damaged: readonly { id: string; reason: string }[];
}

export const maxNoteCharacters = 2000;
export const maxNotes = 2000;

/** Extracts the note from a result of the `recall` tool, `Note of 2026-11-24: …`. Undefined for any other text. */
export function noteIn(result: string): string | undefined {
  return /^Note of \d{4,}-\d\d-\d\d: ([^]*)$/.exec(result)?.[1];
}
