/** Automatic backups in a folder: writes a backup and reads it back, names backups, and decides which old ones to delete. */
import { AppError } from '../contracts/app-error';
import { type BackupPart, backupParts, type FolderTrouble } from '../contracts/backup';
import { type FileInFolder, listFilesIn } from '../platform/folders';
import type { FolderRecord } from '../store/backup-folder';
import type { RemoteBackup } from './remote-backup';

const ignoreError = () => undefined;

/** On failure, rejects with an error for `toFolderTrouble` and leaves older backups untouched. */
export async function writeToFolder(
  remote: Pick<RemoteBackup, 'write' | 'verify'>,
  options: {
    folder: FileSystemDirectoryHandle;
    /** Empty if the user has set none. Without a passphrase, we leave API keys and logins out of the backup. */
    passphrase: string;
    app: string;
    now: number;
  },
): Promise<NonNullable<FolderRecord['last']>> {
  const { folder, passphrase, app, now } = options;
  const { signal } = new AbortController();
  // Use a new name: a failure must not destroy an earlier backup.
  const name = findFreeBackupName(await listFilesIn(folder), now, passphrase !== '');
  const parts: readonly BackupPart[] = backupParts.filter((part) => part !== 'keys' || passphrase !== '');
  try {
    const handle = await folder.getFileHandle(name, { create: true });
    await remote.write({ parts, passphrase, app, createdAt: now, handle }, ignoreError, signal);
    // Read the file back. We notice a faulty disk now, not when the user needs the backup.
    const file = await handle.getFile();
    await remote.verify({ file, name, passphrase }, ignoreError, signal);
    for (const old of findBackupsToDelete(await listFilesIn(folder), now))
      await folder.removeEntry(old).catch(ignoreError);
    return { at: now, name, bytes: file.size };
  } catch (error) {
    // Delete a partial backup: it looks like a complete one.
    await folder.removeEntry(name).catch(ignoreError);
    throw error;
  }
}

export function toFolderTrouble(error: unknown): FolderTrouble {
  if (error instanceof AppError) {
    if (error.code === 'storage-full') return 'full';
    if (error.code === 'backup-damaged' || error.code === 'backup-unread') return 'unsound';
    if (error.message.includes('NotAllowedError')) return 'permission';
    return error.message.includes('NotFoundError') ? 'gone' : 'failed';
  }
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotFoundError') return 'gone';
  if (name === 'QuotaExceededError') return 'full';
  return name === 'NotAllowedError' || name === 'SecurityError' ? 'permission' : 'failed';
}

/** We always keep this many of the newest backups, and the last backup of each older month. */
export const minKeptBackups = 10;

/** We delete an unfinished file only after this many milliseconds: another device that shares the folder may still be writing it. */
const minUnfinishedFileAgeMs = 60 * 60 * 1000;

const backupNamePattern = /^hearth-auto-(\d{4})-(\d\d)-(\d\d)-(\d\d)(\d\d)(\d\d)\.zip(\.age)?$/;

/** Example: `hearth-auto-2026-11-26-180512.zip`. The time is UTC, so names sort by time. */
export function toBackupName(at: number, isEncrypted: boolean): string {
  const [, day = '', time = ''] = /^(.*)T(.*)\./.exec(new Date(at).toISOString()) ?? [];
  return `hearth-auto-${day}-${time.replaceAll(':', '')}.zip${isEncrypted ? '.age' : ''}`;
}

/** Returns the time in the name, in milliseconds since the epoch. Undefined if the file is not one of our backups. */
export function backupTimeOf(name: string): number | undefined {
  const [, year, month, day, hour, minute, second] = backupNamePattern.exec(name) ?? [];
  if (year === undefined) return undefined;
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at) ? undefined : at;
}

export function findFreeBackupName(files: readonly FileInFolder[], at: number, isEncrypted: boolean): string {
  const name = toBackupName(at, isEncrypted);
  return files.some((file) => file.name === name) ? findFreeBackupName(files, at + 1000, isEncrypted) : name;
}

/** Returns the names of our backups, newest first. Skips empty files: a browser fills a file only at the end of the write. */
export function listBackupNames(files: readonly FileInFolder[]): string[] {
  const ours = files.filter(({ name, size }) => backupTimeOf(name) !== undefined && size > 0);
  return ours.map(({ name }) => name).sort((a, b) => (backupTimeOf(b) ?? 0) - (backupTimeOf(a) ?? 0));
}

/** Returns the names of our files to delete: aborted writes, and older backups that we need not keep. */
export function findBackupsToDelete(files: readonly FileInFolder[], now: number): string[] {
  const months = new Set<string>();
  const older = listBackupNames(files)
    .slice(minKeptBackups)
    .filter((name) => {
      const month = name.slice(0, 'hearth-auto-2026-11'.length);
      const isLast = !months.has(month);
      months.add(month);
      return !isLast;
    });
  const brokenOff = files.filter((file) => now - findUnfinishedWriteTime(file) > minUnfinishedFileAgeMs);
  return [...brokenOff.map(({ name }) => name), ...older];
}

/** Returns when an unfinished write began, or Infinity for a finished file. Chromium writes to `.crswap` and renames it at the end. */
function findUnfinishedWriteTime({ name, size }: FileInFolder): number {
  const swapOf = /^(.*)\.crswap$/.exec(name)?.[1];
  if (swapOf === undefined && size > 0) return Infinity;
  return backupTimeOf(swapOf ?? name) ?? Infinity;
}
