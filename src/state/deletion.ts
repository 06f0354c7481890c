/** What a person has just deleted, and can have back with one press. */
import type { BinKind } from '../contracts/bin';

export interface Deletion {
  kind: BinKind | 'answer' | 'folder' | 'follow-up';
  /** What it was known by; '' where that says nothing. */
  name: string;
  /** How many went together. */
  count: number;
  /** Rejects with an `AppError`. */
  undo: () => Promise<unknown>;
}
