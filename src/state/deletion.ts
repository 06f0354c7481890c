import type { BinKind } from '../contracts/store';

export interface Deletion {
  kind: BinKind | 'answer' | 'folder' | 'follow-up';
  name: string;
  count: number;
  undo: () => Promise<unknown>;
}

/** The outcome of an action that is not visible near its button. Screen readers announce a success. The screen also shows a failure. */
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
