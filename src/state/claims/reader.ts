/** PURE: an answer while it is read, with all that its numbers and dates may rest on. */
import type { Operand, SourceIndex } from './index-text';
import type { Sources } from './sources';

/** The answer while it is read: its numbers that hold are what the next may follow from. */
export interface Reader {
  /** As `narrow` makes it. */
  text: string;
  sources: Sources;
  all: readonly SourceIndex[];
  /** Of the answer, so far. */
  held: Operand[];
  /** Minutes and days that lie between two times or two dates. */
  spans: {
    minutes: readonly number[];
    days: readonly number[];
    years: readonly number[];
    /** Minutes by which the sources may move a time: `48 min`. */
    moves: readonly number[];
  };
  /** What may be reckoned from: each number once, of this turn and of those before, and what stands together. */
  reckoned: {
    near: readonly Operand[];
    far: readonly Operand[];
    /** How many numbers the texts of this turn tell. */
    count: number;
    lists: readonly (readonly Operand[])[];
  };
  /** Entries of the answer's own lists. */
  ownCounts: ReadonlySet<number>;
}
