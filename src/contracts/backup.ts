/** Backups: file format, import, automatic backups. See docs/backup-format.md. All times are milliseconds since the epoch. */
import { z } from './schema';
import { isTime } from './time';

/** The parts of a backup. `keys`: API keys and logins, which Hearth writes only to encrypted files. */
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

/** Version of the backup format. Hearth refuses files with a higher version. */
export const backupVersion = 1;

/** A JSON Lines file in the archive: the rows of one table. */
export const BackupFile = z.object({
  name: z.string(),
  table: z.string(),
  rows: z.int().check(z.minimum(0)),
  bytes: z.int().check(z.minimum(0)),
  sha256: z.string(),
});
export type BackupFile = z.infer<typeof BackupFile>;

/** `manifest.json`, the last file of the archive. */
export const BackupManifest = z.object({
  format: z.literal('hearth-backup'),
  version: z.int().check(z.minimum(1)),
  app: z.string(),
  schema: z.int().check(z.minimum(1)),
  createdAt: z.number().check(z.refine(isTime)),
  parts: z.array(BackupPart),
  files: z.array(BackupFile),
  /** Number of rows that Hearth could not read, fully or in part, when it made the backup. */
  unreadable: z.int().check(z.minimum(0)),
});
export type BackupManifest = z.infer<typeof BackupManifest>;

/** Row counts for one table of an import file: all rows, rows missing in our store, and rows that differ from ours. */
const PreviewCount = z.object({ total: z.number(), added: z.number(), differing: z.number() });
export type PreviewCount = z.infer<typeof PreviewCount>;

export const BackupSource = z.enum(['hearth', 'chatgpt', 'open-webui', 'llama-ui']);
export type BackupSource = z.infer<typeof BackupSource>;

/** The changes that an import would make. Hearth has read the whole file, but has not imported anything yet. */
export const ImportPreview = z.object({
  importId: z.string(),
  source: BackupSource,
  fileName: z.string(),
  createdAt: z.optional(z.number()),
  parts: z.array(BackupPart),
  /** Keyed by table name. Leaves out tables without rows. */
  counts: z.record(z.string(), PreviewCount),
  /** Number of items that Hearth cannot store, such as pictures in another program's chat. */
  leftOut: z.number(),
});
export type ImportPreview = z.infer<typeof ImportPreview>;

/** `merge` adds the items that Hearth lacks. `replace` first deletes everything in the chosen parts of Hearth's data. */
export type ImportMode = 'merge' | 'replace';

export interface ImportChoice {
  /** From the preview that the user has seen. */
  importId: string;
  mode: ImportMode;
  parts: readonly BackupPart[];
}

export interface BackupProgress {
  done: number;
  total: number;
}

export const ExportOutcome = z.object({
  bytes: z.number(),
  chats: z.number(),
  messages: z.number(),
  unreadable: z.number(),
});
export type ExportOutcome = z.infer<typeof ExportOutcome>;

/** Why an automatic backup failed. `unsound`: the file could not be read back. `unkept`: Hearth cannot store which folder the user chose. */
export const FolderTrouble = z.enum(['permission', 'gone', 'full', 'unsound', 'unkept', 'failed']);
export type FolderTrouble = z.infer<typeof FolderTrouble>;

export interface FolderBackup {
  name: string;
  at: number;
}

export interface BackupFolderState {
  isOffered: boolean;
  name?: string | undefined;
  isEncrypted: boolean;
  last?: { at: number; name: string; bytes: number } | undefined;
  trouble?: FolderTrouble | undefined;
  /** Newest first. Undefined until Hearth has read the folder. */
  backups?: readonly FolderBackup[] | undefined;
  isReminding: boolean;
}

export type BackupNotice = { type: 'trouble'; trouble: FolderTrouble } | { type: 'reminder'; days?: number };
