/**
 * What the app was opened with: a system shortcut, files, or a share from another program. All of it goes into the message box for the
 * user to send. Also the tasks that start last, when the page is idle.
 */
import { sourceOfFile } from '../contracts/attachment';
import { type SharedItem, takeShares } from '../platform/shared-items';
import type { App } from '../state/app.svelte';
import { fileFromPaste, attachFiles } from '../state/attach-files';
import { watchForUpdates } from '../platform/updates';
import { beginNewLog } from '../store/new-log';
import type { OpenStore } from '../store/open-store';

interface LaunchParams {
  readonly files: readonly FileSystemFileHandle[];
}

/** Only some browsers have it. */
interface LaunchQueue {
  setConsumer: (consumer: (params: LaunchParams) => void) => void;
}

/** Keys are the values of `?do=` in the manifest. */
const shortcuts: Readonly<Record<string, (app: App) => unknown>> = {
  'new-chat': (app) => app.newChat(),
  'temporary-chat': (app) => app.newTemporary(),
  'search-chats': (app) => (app.opened = 'palette'),
};

export async function takeLaunch(app: App): Promise<void> {
  const asked = new URLSearchParams(location.search);
  // Otherwise a reload would repeat the shortcut.
  if (location.search !== '') history.replaceState(history.state, '', location.pathname + location.hash);
  await shortcuts[asked.get('do') ?? '']?.(app);
  if (asked.get('share') === 'failed') app.isShareLost = true;
  const queue = (globalThis as { launchQueue?: LaunchQueue }).launchQueue;
  queue?.setConsumer((params) => void openFiles(app, params));
  await takeShares((item) => receive(app, item));
}

async function openFiles(app: App, { files }: LaunchParams): Promise<void> {
  if (files.length === 0) return;
  const opened = await Promise.all(files.map((handle) => handle.getFile().catch(() => undefined)));
  await receive(app, { text: '', files: opened.filter((file) => file !== undefined) });
}

/** The source of a question whose text another program shared. */
const sharedSource = sourceOfFile('shared');

/** Puts the item into the message box of a new chat. Resolves to whether all of it is stored. */
async function receive(app: App, { text, files }: SharedItem): Promise<boolean> {
  // A temporary chat with text would ask before it closes, so the item goes into that chat.
  if (!app.wouldLose) app.newChat();
  const { session } = app;
  if (!session) return false;
  const long = text === '' ? undefined : fileFromPaste(text, session);
  if (text !== '' && !long) {
    // Any program can share text, so it does not count as the user's words.
    session.quoted = [...new Set([...session.quoted, sharedSource])];
    session.setDraft([session.draft, text].filter((part) => part !== '').join('\n\n'));
  }
  attachFiles(session, long ? [long, ...files] : files, app.services.agent.loadAttachments);
  app.focusWish += 1;
  await session.taken;
  await session.saveAgain();
  return session.isSaved;
}

/**
 * Starts the offline copy, a new log, the storage check, the search index and backups. Rejects if code cannot be loaded; the next visit
 * then repeats the rest.
 */
export async function beginAtRest(app: App, store: OpenStore): Promise<void> {
  void watchForUpdates((update) => (app.update = update));
  // The log that the opening starts is sometimes skipped because of other writes.
  if (store.condition === 'ok') await beginNewLog().catch(() => undefined);
  const shortage = await store.inspect();
  if (shortage) app.storage = { type: 'shortened', ...shortage };
  await app.services.loadSearch();
  await app.services
    .loadBackups()
    .then(({ folder }) => folder.begin())
    // Settings show why backups do not work. Nothing else waits for them.
    .catch(() => undefined);
  await app.services.storage.lookForRoom();
}
