import type { BinKind } from '../contracts/store';

export interface Deletion {
  kind: BinKind | 'answer' | 'folder' | 'follow-up';
  name: string;
  count: number;
  undo: () => Promise<unknown>;
}

/** The outcome of an action, if the outcome is not visible near the button. Screen readers announce it. The screen shows only a failure. */
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
