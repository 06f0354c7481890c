/** What the screen of notes is handed. */
import type { Note, NoteList } from '../contracts/note';

/** What the screen of notes does; each rejects with an `AppError` where the store does. */
export interface NoteFunctions {
  /** The notes now and after every change, also by another tab. Returns what ends it. */
  watch: (onList: (list: NoteList) => void) => () => void;
  add: (text: string) => Promise<void>;
  edit: (id: string, text: string) => Promise<void>;
  /** Those of some notes that fit some words, best first: as a model finds them. */
  find: (words: string, notes: readonly Note[]) => Promise<readonly Note[]>;
}
