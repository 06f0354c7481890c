/** Part of the composition root: backups as Settings shows them. Loaded with their screen. */
import { version } from '../../package.json';
import backupWorkerUrl from '../../workers/backup.worker?worker&url';
import { createRemoteBackup, type RemoteBackup } from '../backup/remote-backup';
import { download, pickPlace } from '../platform/one-file';
import { startWorker } from '../platform/start-worker';
import { acceptShortage } from '../state/app-actions';
import type { App } from '../state/app.svelte';
import { type BackupFunctions, Backups } from '../state/backups.svelte';
import type { OpenStore } from '../store/open-store';
import { createBackupFolder, type KeptFolder } from './backup-folder-functions';

interface BackupParts {
  app: () => App;
  store: Promise<Pick<OpenStore, 'settings' | 'chats' | 'condition'>>;
}

export interface BackupRuntime {
  backups: Backups;
  /** Cancels the running operation and starts no other, because everything is about to be deleted. */
  end: () => void;
}

export async function createBackupRuntime({ app, store }: BackupParts): Promise<BackupRuntime> {
  const remote = createRemoteBackup(() => startWorker(backupWorkerUrl));
  const kept = await createBackupFolder({ app, store, remote });
  const backups = new Backups(createBackupFunctions({ app, store }, remote, kept), kept.folder);
  const end = () => {
    remote.end();
    kept.end();
  };
  return { backups, end };
}

function createBackupFunctions(
  { app, store }: BackupParts,
  remote: RemoteBackup,
  { onExported }: KeptFolder,
): BackupFunctions {
  return {
    async write({ parts, passphrase }, onProgress, signal) {
      const createdAt = Date.now();
      const name = nameFor(createdAt, passphrase !== '');
      const place = await pickPlace(name);
      if (place === undefined) return undefined;
      const order = { parts, passphrase, app: version, createdAt };
      const handle = place === 'downloads' ? {} : { handle: place };
      const { file, ...outcome } = await remote.write({ ...order, ...handle }, onProgress, signal);
      if (file) download(name, file);
      await onExported().catch(() => undefined);
      return outcome;
    },
    stage: (file, passphrase, onProgress, signal) =>
      remote.stage({ file, name: file.name, passphrase }, onProgress, signal),
    staged: remote.staged,
    async apply(choice, onProgress) {
      await remote.apply(choice, onProgress);
      // The restore brought the missing chats back, or replaced everything as the user chose.
      if (choice.parts.includes('chats')) await acceptShortage(app());
      await showWhatCame(app(), store);
    },
    drop: remote.drop,
  };
}

/** Updates the screen after an import. Lists follow the database by themselves; data that was read only once is read again. */
async function showWhatCame(app: App, store: BackupParts['store']): Promise<void> {
  // The index follows single changes. After so many at once, rebuild it.
  void (await app.functions.loadSearch()).functions.rebuild();
  app.takeSettings(await (await store).settings.load());
  const { session } = app;
  if (session && !session.isNew) await app.reopen(session);
}

/** Names a backup file in local time: `hearth-2026-11-26-1805.zip`. */
function nameFor(at: number, isEncrypted: boolean): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `hearth-${day}-${two(date.getHours())}${two(date.getMinutes())}.zip${isEncrypted ? '.age' : ''}`;
}
