import type { BinKind } from '../contracts/store';

export interface Deletion {
  kind: BinKind | 'answer' | 'folder' | 'follow-up';
  name: string;
  count: number;
  undo: () => Promise<unknown>;
}

/** An outcome that is not visible near the action's button. Screen readers announce each outcome, but the screen shows only failures. */
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
