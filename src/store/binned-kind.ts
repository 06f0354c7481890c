/** What the bin does with things of one kind. */
import type { Store } from '../contracts/store';

export interface BinnedKind {
  /** Does nothing where it is gone, or there already. */
  put: (id: string, deletedAt: number) => Promise<void>;
  /** Resolves to false where it is not there any more. */
  restore: (id: string) => Promise<boolean>;
  /** When it was put there; undefined where it is not there. */
  deletedAt: (id: string) => Promise<number | undefined>;
  /** For good, with all that belongs to it. */
  remove: (id: string) => Promise<unknown>;
}

/** Those of which something can be in the bin. */
export type BinnedStores = Pick<
  Store,
  'chats' | 'personas' | 'customTools' | 'notes' | 'ownPrompts' | 'mcpServers' | 'settings' | 'exams'
>;
