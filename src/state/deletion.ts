/** What a person has just done: what they deleted, and can have back with one press; and what is to be said of the rest. */
import type { BinKind } from '../contracts/store';

export interface Deletion {
  kind: BinKind | 'answer' | 'folder' | 'follow-up';
  /** What it was known by; '' where that says nothing. */
  name: string;
  /** How many went together. */
  count: number;
  /** Rejects with an `AppError`. */
  undo: () => Promise<unknown>;
}

/** Where nothing tells that it is done but the screen, and that from afar: said to those who do not see it. What failed is said to all. */
export interface Deed {
  type:
    | 'pinned'
    | 'unpinned'
    | 'archived'
    | 'unarchived'
    | 'moved'
    | 'branched'
    | 'restored'
    | 'purged'
    | 'undone'
    | 'copied'
    | 'copyFailed'
    | 'switchedOn'
    | 'switchedOff'
    | 'personaChanged';
}
