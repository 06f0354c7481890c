/**
 * A part of the composition root: what the app was opened with, from outside of it: a shortcut of the system, files, or what another program
 * shares. All of it lands in the message box, for the person to send.
 */
import { sourceOfFile } from '../contracts/attachment';
import { type SharedItem, takeShares } from '../platform/shared-items';
import type { App } from '../state/app.svelte';
import { asFile, takeFiles } from '../state/attach-files';
import { watchForUpdates } from '../platform/updates';
import { beginNewLog } from '../store/new-log';
import type { OpenStore } from '../store/open-store';

interface LaunchParams {
  readonly files: readonly FileSystemFileHandle[];
}

/** Not in every browser. */
interface LaunchQueue {
  setConsumer: (consumer: (params: LaunchParams) => void) => void;
}

/** By what the manifest puts behind `?do=`. */
const shortcuts: Readonly<Record<string, (app: App) => unknown>> = {
  'new-chat': (app) => app.newChat(),
  'temporary-chat': (app) => app.newTemporary(),
  'search-chats': (app) => (app.opened = 'palette'),
};

export async function takeLaunch(app: App): Promise<void> {
  const asked = new URLSearchParams(location.search);
  // Not once more when the page is loaded anew.
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

/** Stands among the sources of a question whose text another program gave. */
const sharedSource = sourceOfFile('shared');

/** Puts it into the message box of a new chat, and resolves to whether all of it is written down. */
async function receive(app: App, { text, files }: SharedItem): Promise<boolean> {
  // Leaving a temporary chat with words in it is asked first: there it goes into that.
  if (!app.wouldLose) app.newChat();
  const { session } = app;
  if (!session) return false;
  const long = text === '' ? undefined : asFile(text, session);
  if (text !== '' && !long) {
    // Anybody can send a form here: it is no word of the person's.
    session.quoted = [...new Set([...session.quoted, sharedSource])];
    session.setDraft([session.draft, text].filter((part) => part !== '').join('\n\n'));
  }
  takeFiles(session, long ? [long, ...files] : files, app.functions.loadAttachments);
  app.focusWish += 1;
  await session.taken;
  await session.saveAgain();
  return session.isSaved;
}

/** Rejects if code cannot be fetched. The rest then starts with the next visit. */
export async function beginAtRest(app: App, store: OpenStore): Promise<void> {
  void watchForUpdates((update) => (app.update = update));
  // The log of the opening is sometimes skipped because of other writes.
  if (store.condition === 'ok') await beginNewLog().catch(() => undefined);
  const shortage = await store.inspect();
  if (shortage) app.storage = { type: 'shortened', ...shortage };
  await app.functions.loadSearch();
  await app.functions
    .loadBackups()
    .then(({ folder }) => folder.begin())
    // Settings show why no backup can be made. Nothing else waits for it.
    .catch(() => undefined);
  await (await app.functions.loadStorage()).lookForRoom();
}
