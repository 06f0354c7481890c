/** One backup in a folder: written, read back, and then those that are no longer kept let go. */
import { AppError } from '../contracts/app-error';
import { type BackupPart, backupParts, type FolderTrouble } from '../contracts/backup';
import { filesIn } from '../platform/folders';
import { freeName, surplusOf } from './folder-rule';
import type { RemoteBackup } from './remote-backup';

export interface FolderBackupOptions {
  folder: FileSystemDirectoryHandle;
  /** '' for none: then the keys stay here. */
  passphrase: string;
  /** Version of Hearth. */
  app: string;
  /** Milliseconds since the epoch. */
  now: number;
}

export interface WrittenToFolder {
  at: number;
  name: string;
  bytes: number;
}

const ignore = () => undefined;

/** Rejects with what `toTrouble` reads; what was there before is untouched then. */
export async function writeToFolder(
  remote: Pick<RemoteBackup, 'write' | 'verify'>,
  { folder, passphrase, app, now }: FolderBackupOptions,
): Promise<WrittenToFolder> {
  const { signal } = new AbortController();
  // Under a name of its own: what goes wrong takes no earlier backup along.
  const name = freeName(await filesIn(folder), now, passphrase !== '');
  const parts: readonly BackupPart[] = backupParts.filter((part) => part !== 'keys' || passphrase !== '');
  try {
    const handle = await folder.getFileHandle(name, { create: true });
    await remote.write({ parts, passphrase, app, createdAt: now, handle }, ignore, signal);
    // As it is on the disk now: a disk that lies is found out today, not when the backup is needed.
    const file = await handle.getFile();
    await remote.verify({ file, name, passphrase }, ignore, signal);
    for (const old of surplusOf(await filesIn(folder), now)) await folder.removeEntry(old).catch(ignore);
    return { at: now, name, bytes: file.size };
  } catch (error) {
    // Half a backup would be taken for one.
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
