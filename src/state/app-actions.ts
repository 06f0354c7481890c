import type { Folder, MessageNode } from '../contracts/chat';
import type { ModelCard } from '../contracts/model-library';
import type { BinPlace } from '../contracts/store';
import type { App, Deletion } from './app.svelte';
import type { ChatSession } from './chat-session.svelte';
import { hashOf } from './route';

/** Puts chats in order: above the others, out of the way, into folders. */

export async function pin(app: App, chatIds: readonly string[], isPinned: boolean): Promise<void> {
  await app.functions.chats.arrange(chatIds, { pinnedAt: isPinned ? Date.now() : undefined });
  app.deed = { type: isPinned ? 'pinned' : 'unpinned' };
}

/** One that is out of the way stands above nothing. */
export async function archive(app: App, chatIds: readonly string[], isArchived: boolean): Promise<void> {
  const change = isArchived ? { archivedAt: Date.now(), pinnedAt: undefined } : { archivedAt: undefined };
  await app.functions.chats.arrange(chatIds, change);
  app.deed = { type: isArchived ? 'archived' : 'unarchived' };
}

/** Undefined takes them out of the folder they are in. */
export async function moveTo(
  app: App,
  chatIds: readonly string[],
  folderId: string | undefined,
): Promise<void> {
  await app.functions.chats.arrange(chatIds, { folderId });
  app.deed = { type: 'moved' };
}

/** Resolves to its id. */
export async function createFolder(app: App, name: string): Promise<string> {
  const id = app.functions.newId();
  await app.functions.folders.save({ id, name, isFolded: false, createdAt: Date.now() });
  return id;
}

/** Its chats stay, in none; with one press it is there again, with them. */
export async function deleteFolder(app: App, folder: Folder): Promise<void> {
  await app.functions.folders.remove(folder.id);
  const undo = () => app.functions.folders.save(folder);
  app.deletion = { kind: 'folder', name: folder.name, count: 1, undo };
}

/** Deletes: into the bin, and for some seconds back with one press. */

/** Puts chats into the bin. What runs in them is stopped. */
export async function deleteChats(app: App, chatIds: readonly string[]): Promise<void> {
  for (const { id, stop } of app.running.map((session) => ({ id: session.id, stop: () => session.stop() }))) {
    if (chatIds.includes(id)) stop();
  }
  const name = app.chats?.find(({ id }) => id === chatIds[0])?.title ?? '';
  const places = chatIds.map((id) => ({ kind: 'chat' as const, id }));
  await app.functions.bin.put(places);
  const undo = () => app.functions.bin.restoreAll(places);
  app.deletion = { kind: 'chat', name, count: chatIds.length, undo };
  if (!chatIds.includes(app.session?.id ?? '')) return;
  if (app.route.screen === 'chat') app.newChat();
  // Who has gone to another screen while the disk was at it stays there.
  else app.session = undefined;
}

/** Puts a message and everything after it into the bin. */
export async function deleteMessages(app: App, session: ChatSession, node: MessageNode): Promise<void> {
  const kind = node.message.role === 'user' ? 'messages' : 'answer';
  app.deletion = { kind, name: '', count: 1, undo: () => session.restore(node.id) };
  await session.remove(node);
}

/** Puts something that is no part of a chat into the bin, with all that belongs to it. `name`: what a person knows it by. */
export async function deleteThing(app: App, place: BinPlace, name: string): Promise<void> {
  await app.functions.bin.put([place]);
  offerUndo(app, place, name);
}

/** With its files. One whose files came from the disk of this device is gone for good: nothing could bring them back. */
export async function deleteModel(app: App, { id, name, origin, isFromDisk }: ModelCard): Promise<void> {
  await app.models.remove(id);
  if (origin === 'own' && !isFromDisk) offerUndo(app, { kind: 'model', id }, name);
}

function offerUndo(app: App, place: BinPlace, name: string): void {
  const deletion: Deletion = { kind: place.kind, name, count: 1, undo: () => restore(app, place) };
  app.deletion = deletion;
}

/** Deletes for good what is in the bin. */
export async function purge(app: App, places: readonly BinPlace[]): Promise<void> {
  await app.functions.bin.purge(places);
  app.deletion = undefined;
  app.deed = { type: 'purged' };
}

/** Takes something out of the bin, and shows it again wherever it is shown. */
export async function restore(app: App, { kind, id }: BinPlace): Promise<void> {
  const { functions, session } = app;
  await functions.bin.restoreAll([{ kind, id }]);
  // It may be of this very thing: there is nothing left to undo.
  app.deletion = undefined;
  app.deed = { type: 'restored' };
  if (kind === 'messages' && session) await app.reopen(session);
  // Its tools can be called again, also where no server was there until now.
  if (kind === 'server') await functions.loadServers();
  if (kind === 'model' && app.models.view) await (await functions.loadExams()).refresh();
}

/** Makes a chat of its own of what was said up to a message. */

/** The first chat stays as it is; the new one is shown. */
export async function copyBranch(
  app: App,
  session: Pick<ChatSession, 'id'>,
  last: Pick<MessageNode, 'id'>,
): Promise<void> {
  const { functions } = app;
  const chat = app.chats?.find(({ id }) => id === session.id);
  if (!chat) return;
  const now = Date.now();
  const id = functions.newId();
  const title = titleBeside(
    chat.title,
    (app.chats ?? []).map((other) => other.title),
  );
  const copy = {
    ...chat,
    id,
    title,
    createdAt: now,
    updatedAt: now,
    leafId: null,
    pinnedAt: undefined,
    archivedAt: undefined,
  };
  await functions.chats.copyBranch(last.id, copy, functions.newId);
  functions.setHash(hashOf({ screen: 'chat', chatId: id }), false);
  app.deed = { type: 'branched' };
}

/** `Clocks (2)` beside `Clocks`, and `Clocks (3)` beside both. */
export function titleBeside(title: string, others: readonly string[]): string {
  const bare = title.replace(/ \(\d+\)$/, '');
  let count = 2;
  while (others.includes(`${bare} (${count})`)) count += 1;
  return `${bare} (${count})`;
}

/** What a person sets for a tool in all chats. Apart from `App`, so that the first paint does without it. */

/** Switches a tool in new chats, and in the one shown if it is not begun yet. */
export async function setToolInNewChats(app: App, name: string, isOn: boolean): Promise<void> {
  if (app.session?.isNew) await app.session.setTool(name, isOn);
  const others = app.settings.toolsOff.filter((off) => off !== name);
  await app.saveSettings({ toolsOff: isOn ? others : [...others, name] });
}

/** Whether a tool is listed in every chat: unless the person says so, those that come with the app are. */
export function isPinned(app: App, name: string): boolean {
  const tool = app.tools.find((one) => one.name === name);
  // Those for notes are found when they are wanted: a model that reads little has no room for them.
  const isAtFirst = !app.isCustom(name) && tool?.isCalledByPage !== true && tool?.server === undefined;
  return app.settings.pins[name] ?? isAtFirst;
}

/** What the browser gave back is all there is from now on, and nothing more is said of it. */

/** Rejects with an `AppError` where that cannot be written down. */
export async function acceptShortage(app: App): Promise<void> {
  if (app.storage.type !== 'shortened') return;
  await app.functions.acceptShortage();
  app.storage = { type: 'ok' };
}
