/** Part of the composition root: the backup folder and automatic backups into it. */
import { version } from '../../package.json';
import type { FolderState } from '../contracts/backup';
import { newestFirst, timeOf } from '../backup/folder-rule';
import type { RemoteBackup } from '../backup/remote-backup';
import { toTrouble, writeToFolder } from '../backup/write-to-folder';
import { askToWrite, canKeepFolders, filesIn, mayWrite, pickFolder } from '../platform/folders';
import { tryLock } from '../platform/locks';
import { BackupFolder, type FolderFunctions } from '../state/backups.svelte';
import type { App } from '../state/app.svelte';
import { BackupFolderStore, emptyFolder, type FolderRecord, watchChanges } from '../store/backup-folder';
import type { OpenStore } from '../store/open-store';
import { BackupKeeper } from './backup-keeper';

interface FolderParts {
  app: () => App;
  store: Promise<Pick<OpenStore, 'chats' | 'condition'>>;
  remote: RemoteBackup;
}

/** One tab at a time writes to the folder. */
const lockName = 'backup-folder';

export interface KeptFolder {
  folder: BackupFolder;
  /** Call after a manual export: the user then needs no reminder for a while. */
  onExported: () => Promise<void>;
  /** Ends all reads and writes for good. */
  end: () => void;
}

export async function createBackupFolder({ app, store, remote }: FolderParts): Promise<KeptFolder> {
  const records = new BackupFolderStore();
  const isOffered = canKeepFolders();
  // Without a working store, files can still be written and read.
  let record: FolderRecord = await records.load().catch(() => emptyFolder);
  const onRecord = (next: FolderRecord) => {
    record = next;
    folder.state = { ...stateOf(next, isOffered), backups: folder.state.backups };
  };
  const keeper = new BackupKeeper({
    load: () => records.load(),
    change: (changed) => records.change(changed),
    watch: (onChange) => watchChanges('hearth', onChange),
    lastChange: async () => {
      const [newest, ...others] = await (await store).chats.list();
      return newest && { at: newest.updatedAt, chats: others.length + 1 };
    },
    write: (handle, passphrase, now) =>
      writeToFolder(remote, { folder: handle, passphrase, app: version, now }),
    ...{ mayWrite, toTrouble, onRecord, canKeepFolders: isOffered },
    async alone(task) {
      const release = await tryLock(lockName);
      if (!release) return;
      await task().finally(release);
    },
    // After a loss of data, a new backup would lack what is missing, so it must wait.
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
      const fresh = { last: undefined, trouble: undefined, isTold: false, isChanged: true };
      const next = await records.change({ handle, passphrase, ...fresh }).catch(() => undefined);
      if (!next) {
        folder.state = { ...folder.state, trouble: 'unkept' };
        return;
      }
      onRecord(next);
      await functions.list();
      // A user who reconnects a folder, on a new device or after a loss, wants to restore from it. Do not put a nearly empty backup before the
      // ones in it.
      if (folder.state.backups?.length === 0) await functions.backUp();
    },
    async forget() {
      onRecord(
        await records.change({
          handle: undefined,
          passphrase: '',
          last: undefined,
          trouble: undefined,
          isTold: false,
        }),
      );
      folder.state = { ...folder.state, backups: undefined };
    },
    async backUp() {
      const { handle } = record;
      if (!handle) return;
      // The browser only asks after a click, and this runs in one.
      await askToWrite(handle).catch(() => false);
      const release = await tryLock(lockName);
      // Another tab is writing a backup.
      if (!release) return;
      await keeper.backUp().finally(release);
      await functions.list();
    },
    async list() {
      const files = record.handle ? await filesIn(record.handle).catch(() => []) : [];
      const backups = newestFirst(files).map((name) => ({ name, at: timeOf(name) ?? 0 }));
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
    onExported: async () => onRecord(await records.change({ exportedAt: Date.now() })),
    end: () => records.close(),
  };
}

function stateOf(
  { handle, passphrase, last, trouble, isReminding }: FolderRecord,
  isOffered: boolean,
): FolderState {
  return { isOffered, name: handle?.name, isEncrypted: passphrase !== '', last, trouble, isReminding };
}
