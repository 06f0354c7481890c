/**
 * Part of the composition root: handles how the app was opened from outside: by a shortcut of the system, with files, or with a text that another
 * program shares. All of it goes into the message box, for the user to send.
 */
import { sourceOfFile } from '../contracts/attachment';
import { type SharedItem, takeShares } from '../platform/shared-items';
import type { App } from '../state/app.svelte';
import { asFile, takeFiles } from '../state/attach-files';

interface LaunchParams {
  readonly files: readonly FileSystemFileHandle[];
}

/** Only some browsers have it. */
interface LaunchQueue {
  setConsumer: (consumer: (params: LaunchParams) => void) => void;
}

/** Actions by the value of `?do=` in the manifest's shortcuts. */
const shortcuts: Readonly<Record<string, (app: App) => unknown>> = {
  'new-chat': (app) => app.newChat(),
  'temporary-chat': (app) => app.newTemporary(),
  'search-chats': (app) => (app.opened = 'palette'),
};

export async function takeLaunch(app: App): Promise<void> {
  const asked = new URLSearchParams(location.search);
  // Clear the query, so that a reload does not repeat the action.
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

/** The source of a question's text that another program shared. */
const sharedSource = sourceOfFile('shared');

/** Puts the item into the message box of a new chat. Resolves to whether all of it was stored. */
async function receive(app: App, { text, files }: SharedItem): Promise<boolean> {
  // Leaving a temporary chat with text needs a confirmation, so the item goes into that chat instead.
  if (!app.wouldLose) app.newChat();
  const { session } = app;
  if (!session) return false;
  const long = text === '' ? undefined : asFile(text, session);
  if (text !== '' && !long) {
    // Any page can send this form, so its text does not count as the user's own words.
    session.quoted = [...new Set([...session.quoted, sharedSource])];
    session.setDraft([session.draft, text].filter((part) => part !== '').join('\n\n'));
  }
  takeFiles(session, long ? [long, ...files] : files, app.functions.loadAttachments);
  app.focusWish += 1;
  await session.taken;
  await session.saveAgain();
  return session.isSaved;
}
