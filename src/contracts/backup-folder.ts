/** Backups that are made by themselves: how they stand, and what stands in the way. */
import { z } from './schema';

/**
 * `permission`: the browser wants to be asked anew whether the folder may be used. `gone`: it was moved or deleted. `full`: its disk is.
 * `unsound`: what was written could not be read back. `unkept`: nothing can be stored here now, which folder it is neither. `failed`: the
 * browser does not say why.
 */
export const FolderTrouble = z.enum(['permission', 'gone', 'full', 'unsound', 'unkept', 'failed']);
export type FolderTrouble = z.infer<typeof FolderTrouble>;

/** A backup that lies in the folder. */
export interface FolderBackup {
  name: string;
  /** When it was made; milliseconds since the epoch. */
  at: number;
}

export interface FolderState {
  /** The browser can keep a folder. */
  isOffered: boolean;
  /** As the person calls it; undefined where none was chosen. */
  name?: string | undefined;
  isEncrypted: boolean;
  last?: { at: number; name: string; bytes: number } | undefined;
  trouble?: FolderTrouble | undefined;
  /** Those that can be restored, newest first; undefined while that is not known. */
  backups?: readonly FolderBackup[] | undefined;
  isReminding: boolean;
}

/** What a person is told once, wherever they are. */
export type BackupNotice = { type: 'trouble'; trouble: FolderTrouble } | { type: 'reminder'; days?: number };
