/** Finds notes by their words, for the model that recalls and for the person who looks for one: both by the same index. */
import type { Note } from '../contracts/note';
import { LexicalIndex, type Ranking } from '../text/lexical-index';

/**
 * As tools are found (`tool-search/lexical.ts`), but a note is one text without lines of its own, and its length says less
 * about it.
 */
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
/** Terms of a note of usual length. */
const usual = 10;
const weight = 4;

/** Best first. Its index is kept, and only notes that have changed since the last search are read again. */
export type FindNotes = (words: string, notes: readonly Note[]) => Note[];

export function createNoteFinder(): FindNotes {
  const index = new LexicalIndex({ ranking });
  return (words, notes) => {
    index.update(
      notes.map(({ id, text }) => ({
        id,
        stamp: text,
        read: () => ({ fields: [{ text, weight, usual }], lines: [] }),
      })),
    );
    const byId = new Map(notes.map((note) => [note.id, note]));
    return index.search(words, Infinity).flatMap(({ id }) => byId.get(id) ?? []);
  };
}
