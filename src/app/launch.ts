/** Runs the action of the shortcut that started the app, and puts opened files and shared content into the message box. Also starts tasks for an idle page. */
import { type SharedItem, takeShares } from '../platform/shared-items';
import type { App } from '../state/app.svelte';
import { createPastedFile, attachFiles } from '../state/attach-files';
import { watchForUpdates } from '../platform/updates';
import { startNewLog } from '../store/new-log';
import type { OpenStore } from '../store/open-store';

interface LaunchQueueApi {
  setConsumer: (consumer: (launch: { files: readonly FileSystemFileHandle[] }) => void) => void;
}

const shortcutActions: Readonly<Record<string, (app: App) => unknown>> = {
  'new-chat': (app) => app.openNewChat(),
  'temporary-chat': (app) => app.openTemporaryChat(),
  'search-chats': (app) => (app.currentPanel = 'palette'),
};

export async function handleLaunch(app: App): Promise<void> {
  const asked = new URLSearchParams(location.search);
  // Remove the query, so a reload does not repeat the shortcut.
  if (location.search !== '') history.replaceState(history.state, '', location.pathname + location.hash);
  await shortcutActions[asked.get('do') ?? '']?.(app);
  if (asked.get('share') === 'failed') app.isSharedContentLost = true;
  const queue = (globalThis as { launchQueue?: LaunchQueueApi }).launchQueue;
  queue?.setConsumer(({ files }) => void openFiles(app, files));
  await takeShares((item) => putIntoNewChat(app, item));
}

async function openFiles(app: App, files: readonly FileSystemFileHandle[]): Promise<void> {
  if (files.length === 0) return;
  const opened = await Promise.all(files.map((handle) => handle.getFile().catch(() => undefined)));
  await putIntoNewChat(app, { text: '', files: opened.filter((file) => file !== undefined) });
}

/** Puts a shared item into the message box of a new chat. Resolves to true if everything was stored. */
async function putIntoNewChat(app: App, { text, files }: SharedItem): Promise<boolean> {
  // Leaving a temporary chat with content would need a confirmation, so stay and put the item there.
  if (!app.hasTemporaryContent) app.openNewChat();
  const { session } = app;
  if (!session) return false;
  const long = text === '' ? undefined : createPastedFile(text, session);
  // Any app can share text, so shared text does not count as the user's own words, not even if the user turns a long one back into text.
  const shared = { text, origin: { door: 'shared' as const } };
  if (long) session.rememberInserted(shared);
  else if (text !== '')
    session.insertIntoDraft(shared, [session.draft, text].filter((part) => part !== '').join('\n\n'));
  attachFiles(session, long ? [long, ...files] : files, app.services.agent.loadAttachments);
  app.focusRequests += 1;
  await session.whenAttached;
  await session.retrySaving();
  return session.isSaved;
}

/** Starts the tasks that wait for an idle page. Rejects if code cannot be loaded: the other tasks then run on the next visit. */
export async function startIdleTasks(app: App, store: OpenStore): Promise<void> {
  void watchForUpdates((update) => (app.update = update));
  // Do this again: other writes may have disturbed the first attempt, which ran when the store was opened.
  if (store.condition === 'ok') await startNewLog().catch(() => undefined);
  const shortage = await store.inspect();
  if (shortage) app.storage = { type: 'shortened', ...shortage };
  await app.services.loadSearch();
  await app.services
    .loadBackups()
    .then(({ folder }) => folder.begin())
    // Nothing here depends on backups, and Settings shows their failures.
    .catch(() => undefined);
  await app.services.storage.lookForRoom();
}
