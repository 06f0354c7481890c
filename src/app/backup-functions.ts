/** A part of the composition root: backups, as the settings have them. Loaded with their screen. */
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
  /** Ends what is under way, and begins nothing more: everything is about to be deleted. */
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
      // What was missing has come back, or the person has chosen what is to be there.
      if (choice.parts.includes('chats')) await acceptShortage(app());
      await showWhatCame(app(), store);
    },
    drop: remote.drop,
  };
}

/** Lists follow the database by themselves; what was read once is read again. */
async function showWhatCame(app: App, store: BackupParts['store']): Promise<void> {
  // It follows single changes: after so many at once it is made anew.
  void (await app.functions.loadSearch()).functions.rebuild();
  app.takeSettings(await (await store).settings.load());
  const { session } = app;
  if (session && !session.isNew) await app.reopen(session);
}

/** `hearth-2026-11-26-1805.zip`, in the person's own time. */
function nameFor(at: number, isEncrypted: boolean): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `hearth-${day}-${two(date.getHours())}${two(date.getMinutes())}.zip${isEncrypted ? '.age' : ''}`;
}
