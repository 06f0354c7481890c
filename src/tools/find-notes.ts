/** Finds notes by their words. The recall tool and the Notes screen share this search. */
import type { Note } from '../contracts/note';
import { LexicalIndex, type Ranking } from '../text/lexical-index';

/** Based on the ranking in `tool-search/lexical.ts`. A note has no lines, and its length matters less. */
const ranking: Ranking = {
  saturation: 4,
  lengthShare: 0.3,
  nearShare: 0.2,
  meaningShare: 0,
  characterShare: 0.35,
  lineWeight: 0,
  lineShare: 0,
  lineLengthShare: 0,
};
/** Number of terms in a note of usual length. */
const usualTerms = 10;
const weight = 4;

/** Returns the best match first. Re-reads only notes that changed since the last search. */
export type FindNotes = (words: string, notes: readonly Note[]) => Note[];

export function createNoteFinder(): FindNotes {
  const index = new LexicalIndex({ ranking });
  return (words, notes) => {
    index.update(
      notes.map(({ id, text }) => ({
        id,
        stamp: text,
        read: () => ({ fields: [{ text, weight, usual: usualTerms }], lines: [] }),
      })),
    );
    const byId = new Map(notes.map((note) => [note.id, note]));
    return index.search(words, Infinity).flatMap(({ id }) => byId.get(id) ?? []);
  };
}
