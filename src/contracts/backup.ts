import { z } from './schema';

/** A backup: what can go into one file, what the file says of itself, and what was found in one. docs/backup-format.md describes it. */

/** What a person chooses among. `keys` are keys and logins, which go only into a file with a passphrase. */
export const backupParts = [
  'chats',
  'notes',
  'prompts',
  'personas',
  'tools',
  'servers',
  'permissions',
  'settings',
  'keys',
] as const;
export const BackupPart = z.enum(backupParts);
export type BackupPart = z.infer<typeof BackupPart>;

/** Of the format. A file with a higher one is refused: it may mean by its rows what this version does not know. */
export const backupVersion = 1;

/** One file of JSON lines in the archive: the rows of one table. */
export const BackupFile = z.object({
  name: z.string(),
  table: z.string(),
  rows: z.int().check(z.minimum(0)),
  bytes: z.int().check(z.minimum(0)),
  /** Of its bytes, in hexadecimal digits. */
  sha256: z.string(),
});
export type BackupFile = z.infer<typeof BackupFile>;

/** `manifest.json`, the last file of the archive. */
export const BackupManifest = z.object({
  format: z.literal('hearth-backup'),
  version: z.int().check(z.minimum(1)),
  /** Of Hearth, as people know it. */
  app: z.string(),
  /** Of the database whose rows these are. */
  schema: z.int().check(z.minimum(1)),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
  parts: z.array(BackupPart),
  files: z.array(BackupFile),
  /** Rows that could not be read where the backup was made, and are not in it, or only as far as they could be read. */
  unreadable: z.int().check(z.minimum(0)),
});
export type BackupManifest = z.infer<typeof BackupManifest>;

/** How many rows of a kind a file has, how many of them are not here, and how many are here and otherwise. */
const PreviewCount = z.object({ total: z.number(), added: z.number(), differing: z.number() });
export type PreviewCount = z.infer<typeof PreviewCount>;

/** Whose file it is: Hearth's own, or another program's. */
export const BackupSource = z.enum(['hearth', 'chatgpt', 'open-webui', 'llama-ui']);
export type BackupSource = z.infer<typeof BackupSource>;

/** What a file would bring. It is read as a whole by then, and nothing here has changed. */
export const ImportPreview = z.object({
  source: BackupSource,
  /** As it was chosen. */
  fileName: z.string(),
  /** Milliseconds since the epoch; missing where the file does not say. */
  createdAt: z.optional(z.number()),
  parts: z.array(BackupPart),
  /** By the name of a table; only those that have rows. */
  counts: z.record(z.string(), PreviewCount),
  /** What the file has and Hearth has no place for, such as pictures in another program's chat. */
  leftOut: z.number(),
});
export type ImportPreview = z.infer<typeof ImportPreview>;

/** `merge` adds what is not here; `replace` puts the file's in the place of what is here. */
export type ImportMode = 'merge' | 'replace';

export interface ImportChoice {
  mode: ImportMode;
  parts: readonly BackupPart[];
}

/** How far it is. `total` is 0 while that is not known. */
export interface BackupProgress {
  done: number;
  total: number;
}

export const ExportOutcome = z.object({
  /** Of the file. */
  bytes: z.number(),
  chats: z.number(),
  messages: z.number(),
  /** As in the manifest. */
  unreadable: z.number(),
});
export type ExportOutcome = z.infer<typeof ExportOutcome>;

/** Backups that are made by themselves: how they stand, and what stands in the way. */

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
