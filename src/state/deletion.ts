/** The user's last action: a deletion that can be undone, or an action to announce. */
import type { BinKind } from '../contracts/store';

export interface Deletion {
  kind: BinKind | 'answer' | 'folder' | 'follow-up';
  name: string;
  count: number;
  undo: () => Promise<unknown>;
}

/** An action whose result is not visible near the button. Screen readers announce it; failures are shown to everyone. */
export interface ActionNotice {
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
