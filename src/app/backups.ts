/** Backups: export, import, the backup folder, and automatic backups. Loaded with the Settings screen. */
import { version } from '../../package.json';
import backupWorkerUrl from '../../workers/backup.worker.ts?worker&url';
import { createRemoteBackup, type RemoteBackup } from '../backup/remote-backup';
import { downloadAsFile, pickSaveTarget } from '../platform/save-files';
import { startWorker } from '../platform/start-worker';
import { acceptShortage } from '../state/app-actions';
import type { App } from '../state/app.svelte';
import { type BackupFunctions, Backups, BackupFolder, type FolderFunctions } from '../state/backups.svelte';
import type { OpenStore } from '../store/open-store';
import type { BackupNotice, FolderTrouble } from '../contracts/backup';
import { listBackupNames, backupTimeOf, toFolderTrouble, writeToFolder } from '../backup/write-to-folder';
import { askToWrite, canPickFolders, listFilesIn, canWriteTo, pickFolder } from '../platform/folders';
import { tryLock } from '../platform/locks';
import { BackupFolderStore, emptyRecord, type FolderRecord, watchChanges } from '../store/backup-folder';

interface BackupContext {
  app: () => App;
  store: Promise<Pick<OpenStore, 'settings' | 'chats' | 'condition'>>;
}

export async function createBackupRuntime({ app, store }: BackupContext) {
  const remote = createRemoteBackup(() => startWorker(backupWorkerUrl));
  const { folder, onExported, end: endFolder } = await createBackupFolder({ app, store }, remote);
  const backups = new Backups(createBackupFunctions({ app, store }, remote, onExported), folder);
  return {
    backups,
    /** Stops backups for good, because all data is about to be deleted. */
    end() {
      remote.end();
      endFolder();
    },
  };
}

function createBackupFunctions(
  { app, store }: BackupContext,
  remote: RemoteBackup,
  onExported: () => Promise<void>,
): BackupFunctions {
  return {
    async write({ parts, passphrase }, onProgress, signal) {
      const createdAt = Date.now();
      const name = toExportFileName(createdAt, passphrase !== '');
      const place = await pickSaveTarget(name);
      if (place === undefined) return undefined;
      const order = { parts, passphrase, app: version, createdAt };
      const handle = place === 'downloads' ? {} : { handle: place };
      const { file, ...outcome } = await remote.write({ ...order, ...handle }, onProgress, signal);
      if (file) downloadAsFile(name, file);
      await onExported().catch(() => undefined);
      return outcome;
    },
    stage: (file, passphrase, onProgress, signal) =>
      remote.stage({ file, name: file.name, passphrase }, onProgress, signal),
    staged: remote.staged,
    async apply(choice, onProgress) {
      await remote.apply(choice, onProgress);
      // The user has restored chats: the lost ones or, by choice, others. Either way, stop reporting that chats were lost.
      if (choice.parts.includes('chats')) await acceptShortage(app());
      await refreshAfterImport(app(), store);
    },
    drop: remote.drop,
  };
}

async function refreshAfterImport(app: App, store: BackupContext['store']): Promise<void> {
  // Rebuilding the index after an import is faster than updating it row by row.
  void (await app.services.loadSearch()).functions.rebuild();
  app.applySettings(await (await store).settings.load());
  const { session } = app;
  if (session && !session.isNew) await app.reopen(session);
}

/** Returns a name such as `hearth-2026-11-26-1805.zip`, in local time. */
function toExportFileName(at: number, isEncrypted: boolean): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `hearth-${day}-${two(date.getHours())}${two(date.getMinutes())}.zip${isEncrypted ? '.age' : ''}`;
}

const folderLockName = 'backup-folder';

const initialBackupState = { last: undefined, trouble: undefined, isTold: false };

async function createBackupFolder({ app, store }: BackupContext, remote: RemoteBackup) {
  const records = new BackupFolderStore();
  const isOffered = canPickFolders();
  // If the record of past backups cannot be read, start a new record, so backups continue.
  let record: FolderRecord = await records.load().catch(() => emptyRecord);
  const onRecord = (next: FolderRecord) => {
    record = next;
    const { handle, passphrase, last, trouble, isReminding } = next;
    const { backups } = folder.state;
    const isEncrypted = passphrase !== '';
    folder.state = { isOffered, name: handle?.name, isEncrypted, last, trouble, isReminding, backups };
  };
  const keeper = createBackupScheduler({
    records,
    watch: (onChange) => watchChanges('hearth', onChange),
    lastChange: async () => {
      const [newest, ...others] = await (await store).chats.list();
      return newest && { at: newest.updatedAt, chats: others.length + 1 };
    },
    write: (folder, passphrase, now) => writeToFolder(remote, { folder, passphrase, app: version, now }),
    mayWrite: canWriteTo,
    onRecord,
    canKeepFolders: isOffered,
    async alone(task) {
      const release = await tryLock(folderLockName);
      if (!release) return;
      await task().finally(release);
    },
    // If the browser has lost data, wait. Otherwise the newest backup would lack that data.
    mustWait: () => app().running.length > 0 || app().storage.type === 'shortened',
    tell: (notice) => (app().backupNotice = notice),
    now: Date.now,
    setTimer: (task, ms) => void setTimeout(task, ms),
  });

  const functions: FolderFunctions = {
    async begin() {
      if ((await store).condition === 'ok') await keeper.begin();
    },
    async choose(passphrase) {
      const handle = await pickFolder('hearth-backups');
      if (!handle) return;
      const changed = { handle, passphrase, ...initialBackupState, isChanged: true };
      const next = await records.change(changed).catch(() => undefined);
      if (!next) {
        folder.state = { ...folder.state, trouble: 'unkept' };
        return;
      }
      onRecord(next);
      await functions.list();
      // If the folder already contains backups, add none: the user may want to restore from it first, on a new device or after a data loss.
      if (folder.state.backups?.length === 0) await functions.backUp();
    },
    async forget() {
      onRecord(await records.change({ handle: undefined, passphrase: '', ...initialBackupState }));
      folder.state = { ...folder.state, backups: undefined };
    },
    async backUp() {
      const { handle } = record;
      if (!handle) return;
      // The browser shows its permission prompt only in a click handler, and this code runs in one.
      await askToWrite(handle).catch(() => false);
      const release = await tryLock(folderLockName);
      if (!release) return;
      await keeper.backUp().finally(release);
      await functions.list();
    },
    async list() {
      const files = record.handle ? await listFilesIn(record.handle).catch(() => []) : [];
      const backups = listBackupNames(files).map((name) => ({ name, at: backupTimeOf(name) ?? 0 }));
      folder.state = { ...folder.state, backups };
    },
    async open(name) {
      if (!record.handle) return undefined;
      await askToWrite(record.handle).catch(() => false);
      const file = await record.handle.getFileHandle(name).catch(() => undefined);
      return file?.getFile().catch(() => undefined);
    },
    setReminding: async (isReminding) => onRecord(await records.change({ isReminding })),
  };
  const folder = new BackupFolder(functions);
  onRecord(record);
  return {
    folder,
    /** Call this when the user has exported a backup. It postpones the next reminder. */
    onExported: async () => onRecord(await records.change({ exportedAt: Date.now() })),
    end: () => records.close(),
  };
}

export const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
/** Milliseconds to wait after a change before we back up, because more changes usually follow. Also the minimum delay of a postponed backup. */
const backupDelayMs = 60_000;
export const minReminderGapMs = 30 * dayMs;
const minChatsToRemind = 3;

export interface BackupSchedulerOptions {
  records: Pick<BackupFolderStore, 'load' | 'change'>;
  watch: (onChange: () => void) => unknown;
  lastChange: () => Promise<{ at: number; chats: number } | undefined>;
  /** Writes a backup and verifies it by reading it back. Rejects with an error that `toFolderTrouble` can convert. */
  write: (folder: FileSystemDirectoryHandle, passphrase: string, at: number) => Promise<FolderRecord['last']>;
  mayWrite: (folder: FileSystemDirectoryHandle) => Promise<boolean>;
  alone: (task: () => Promise<void>) => Promise<void>;
  mustWait: () => boolean;
  canKeepFolders: boolean;
  tell: (notice: BackupNotice) => void;
  onRecord: (record: FolderRecord) => void;
  now: () => number;
  setTimer: (task: () => void, ms: number) => void;
}

export function createBackupScheduler(parts: BackupSchedulerOptions) {
  const { records, lastChange, mustWait, tell, onRecord, now } = parts;
  let hasTimer = false;
  let hasMarkedChange = false;
  let triedAt = 0;

  function checkIn(ms: number): void {
    if (hasTimer) return;
    hasTimer = true;
    parts.setTimer(() => {
      hasTimer = false;
      void backUpIfDue().catch(() => undefined);
    }, ms);
  }

  async function backUpIfDue(): Promise<void> {
    const record = await records.load();
    onRecord(record);
    hasMarkedChange = record.isChanged;
    if (!record.handle || !record.isChanged) return;
    const due = Math.max(record.last?.at ?? 0, triedAt) + hourMs - now();
    if (due > 0 || mustWait()) checkIn(Math.max(due, backupDelayMs));
    else await parts.alone(backUp);
  }

  async function backUp(): Promise<void> {
    const { handle, passphrase } = await records.load();
    if (!handle) return;
    triedAt = now();
    hasMarkedChange = false;
    let next: FolderRecord;
    try {
      if (!(await parts.mayWrite(handle))) next = await fail('permission');
      else {
        const last = await parts.write(handle, passphrase, now());
        next = await records.change({ last, trouble: undefined, isTold: false, isChanged: hasMarkedChange });
      }
    } catch (error) {
      next = await fail(toFolderTrouble(error));
    }
    onRecord(next);
    if (next.isChanged) checkIn(hourMs);
  }

  /** Stores a failure. Reports it only once until a backup succeeds again. */
  async function fail(trouble: FolderTrouble): Promise<FolderRecord> {
    const before = await records.load();
    if (!before.isTold || before.trouble !== trouble) tell({ type: 'trouble', trouble });
    return records.change({ trouble, isTold: true, isChanged: true });
  }

  async function markChange(): Promise<void> {
    if (hasMarkedChange) return;
    hasMarkedChange = true;
    const record = await records.change({ isChanged: true });
    if (record.handle) checkIn(backupDelayMs);
  }

  async function remind(record: FolderRecord, newest: { chats: number } | undefined): Promise<void> {
    const { isReminding, exportedAt, remindedAt = 0 } = record;
    if (!isReminding || !newest || newest.chats < minChatsToRemind) return;
    if (now() - (exportedAt ?? 0) < minReminderGapMs || now() - remindedAt < minReminderGapMs) return;
    await records.change({ remindedAt: now() });
    const days = exportedAt === undefined ? {} : { days: Math.floor((now() - exportedAt) / dayMs) };
    tell({ type: 'reminder', ...days });
  }

  return {
    async begin(): Promise<void> {
      const record = await records.load();
      const newest = await lastChange();
      const isBehind = newest !== undefined && newest.at > (record.last?.at ?? 0);
      if (record.handle && isBehind && !record.isChanged) await records.change({ isChanged: true });
      parts.watch(() => void markChange().catch(() => undefined));
      if (!parts.canKeepFolders) await remind(record, newest);
      await backUpIfDue();
    },
    backUp,
  };
}
