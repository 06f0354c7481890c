/** Notes that the user keeps. Models can search them in every chat. Times are milliseconds since the epoch. */
import { z } from './schema';

export const Note = z.object({
  id: z.string(),
  text: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** Hosts whose text was in the chat when a model wrote the note. An edit keeps them, because it may keep some of that text. */
  sources: z.optional(z.array(z.string())),
  deletedAt: z.optional(z.number()),
});
export type Note = z.infer<typeof Note>;

export interface NoteList {
  notes: readonly Note[];
  damaged: readonly { id: string; reason: string }[];
}

export const maxNoteCharacters = 2000;
export const maxNotes = 2000;

export const recallToolName = 'recall';

/** Extracts the note from a result of the `recall` tool, `Note of 2026-11-24: …`. Undefined for any other text. */
export function noteIn(result: string): string | undefined {
  return /^Note of \d{4,}-\d\d-\d\d: ([^]*)$/.exec(result)?.[1];
}
