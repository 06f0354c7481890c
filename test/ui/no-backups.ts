/** Backup functions that do nothing, except for those that a test passes. */
import {
  BackupFolder,
  type FolderFunctions,
  type BackupFunctions,
  Backups,
} from '../../src/state/backups.svelte';

const unwanted = () => Promise.reject(new Error('No backup is wanted here.'));
const functions: BackupFunctions = {
  write: unwanted,
  stage: unwanted,
  staged: async () => undefined,
  apply: unwanted,
  drop: async () => undefined,
};

const noFolder: FolderFunctions = {
  begin: unwanted,
  choose: unwanted,
  forget: unwanted,
  backUp: unwanted,
  list: unwanted,
  open: unwanted,
  setReminding: unwanted,
};

export function noBackups(changed: Partial<BackupFunctions>): Backups {
  return new Backups({ ...functions, ...changed }, new BackupFolder(noFolder));
}
