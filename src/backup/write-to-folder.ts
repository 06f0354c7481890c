/** Writes one backup into a folder, reads it back, and deletes surplus backups. */
import { AppError } from '../contracts/app-error';
import { type BackupPart, backupParts, type FolderTrouble } from '../contracts/backup';
import { filesIn } from '../platform/folders';
import { freeName, surplusOf } from './folder-rule';
import type { RemoteBackup } from './remote-backup';

export interface FolderBackupOptions {
  folder: FileSystemDirectoryHandle;
  /** Without a passphrase, keys are not backed up. */
  passphrase: string;
  app: string;
  now: number;
}

export interface WrittenToFolder {
  at: number;
  name: string;
  bytes: number;
}

const ignore = () => undefined;

/** Rejects with an error for `toTrouble`. Older backups stay untouched then. */
export async function writeToFolder(
  remote: Pick<RemoteBackup, 'write' | 'verify'>,
  { folder, passphrase, app, now }: FolderBackupOptions,
): Promise<WrittenToFolder> {
  const { signal } = new AbortController();
  // A new name, so that a failure destroys no earlier backup.
  const name = freeName(await filesIn(folder), now, passphrase !== '');
  const parts: readonly BackupPart[] = backupParts.filter((part) => part !== 'keys' || passphrase !== '');
  try {
    const handle = await folder.getFileHandle(name, { create: true });
    await remote.write({ parts, passphrase, app, createdAt: now, handle }, ignore, signal);
    // Read the file back from disk, to find a faulty disk today.
    const file = await handle.getFile();
    await remote.verify({ file, name, passphrase }, ignore, signal);
    for (const old of surplusOf(await filesIn(folder), now)) await folder.removeEntry(old).catch(ignore);
    return { at: now, name, bytes: file.size };
  } catch (error) {
    // Delete a partial backup, which could be taken for a complete one.
    await folder.removeEntry(name).catch(ignore);
    throw error;
  }
}

export function toTrouble(error: unknown): FolderTrouble {
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
