/** Actions on chats, folders, tools and deleted items. Kept out of `App`, so the shell need not load them. */
import type { Folder, MessageNode } from '../contracts/chat';
import type { ModelCard } from '../contracts/model-library';
import type { BinItemKey } from '../contracts/store';
import type { App } from './app.svelte';
import type { ChatSession } from './chat-session.svelte';
import { hashOf } from './route';

export async function pin(app: App, chatIds: readonly string[], isPinned: boolean): Promise<void> {
  await app.services.chats.arrange(chatIds, { pinnedAt: isPinned ? Date.now() : undefined });
  app.lastAction = { type: isPinned ? 'pinned' : 'unpinned' };
}

export async function archive(app: App, chatIds: readonly string[], isArchived: boolean): Promise<void> {
  const change = isArchived ? { archivedAt: Date.now(), pinnedAt: undefined } : { archivedAt: undefined };
  await app.services.chats.arrange(chatIds, change);
  app.lastAction = { type: isArchived ? 'archived' : 'unarchived' };
}

export async function moveToFolder(app: App, chatIds: readonly string[], folderId?: string): Promise<void> {
  await app.services.chats.arrange(chatIds, { folderId });
  app.lastAction = { type: 'moved' };
}

export async function createFolder(app: App, name: string): Promise<string> {
  const id = app.services.newId();
  await app.services.folders.save({ id, name, isFolded: false, createdAt: Date.now() });
  return id;
}

export async function deleteFolder(app: App, folder: Folder): Promise<void> {
  await app.services.folders.remove(folder.id);
  const undo = () => app.services.folders.save(folder);
  app.deletion = { kind: 'folder', name: folder.name, count: 1, undo };
}

export async function deleteChats(app: App, chatIds: readonly string[]): Promise<void> {
  for (const session of app.running) if (chatIds.includes(session.id)) session.stop();
  const name = app.chats?.find(({ id }) => id === chatIds[0])?.title ?? '';
  const places = chatIds.map((id) => ({ kind: 'chat' as const, id }));
  await app.services.bin.put(places);
  const undo = () => app.services.bin.restoreAll(places);
  app.deletion = { kind: 'chat', name, count: chatIds.length, undo };
  if (!chatIds.includes(app.session?.id ?? '')) return;
  if (app.route.screen === 'chat') app.openNewChat();
  else app.session = undefined;
}

export async function deleteMessages(app: App, session: ChatSession, node: MessageNode): Promise<void> {
  const kind = node.message.role === 'user' ? 'messages' : 'answer';
  app.deletion = { kind, name: '', count: 1, undo: () => session.restore(node.id) };
  await session.remove(node);
}

/** Moves any item except a chat to the bin. `name` is shown to the user. */
export async function deleteItem(app: App, place: BinItemKey, name: string): Promise<void> {
  await app.services.bin.put([place]);
  showUndoForDeletion(app, place, name);
}

/** Deletes a model and its files. Files imported from this device cannot be restored. */
export async function deleteModel(app: App, { id, name, origin, isFromDisk }: ModelCard): Promise<void> {
  await app.models.remove(id);
  if (origin === 'own' && !isFromDisk) showUndoForDeletion(app, { kind: 'model', id }, name);
}

function showUndoForDeletion(app: App, place: BinItemKey, name: string): void {
  app.deletion = { kind: place.kind, name, count: 1, undo: () => restore(app, place) };
}

export async function purge(app: App, places: readonly BinItemKey[]): Promise<void> {
  await app.services.bin.purge(places);
  app.deletion = undefined;
  app.lastAction = { type: 'purged' };
}

export async function restore(app: App, { kind, id }: BinItemKey): Promise<void> {
  const { services, session } = app;
  await services.bin.restoreAll([{ kind, id }]);
  app.deletion = undefined;
  app.lastAction = { type: 'restored' };
  if (kind === 'messages' && session) await app.reopen(session);
  // Without servers, Hearth does not load the code that runs them. Load it now, or the restored server's tools would not work.
  if (kind === 'server') await services.agent.loadServers();
  if (kind === 'model' && app.models.view) await (await services.agent.loadExams()).refresh();
}

export async function copyBranch(app: App, session: { id: string }, last: { id: string }): Promise<void> {
  const { services, chats = [] } = app;
  const chat = chats.find(({ id }) => id === session.id);
  if (!chat) return;
  const now = Date.now();
  const times = { createdAt: now, updatedAt: now, pinnedAt: undefined, archivedAt: undefined };
  const id = services.newId();
  const titles = chats.map(({ title }) => title);
  const copy = { ...chat, ...times, id, title: findFreeTitle(chat.title, titles), leafId: null };
  await services.chats.copyBranch(last.id, copy, services.newId);
  services.setHash(hashOf({ screen: 'chat', chatId: id }), false);
  app.lastAction = { type: 'branched' };
}

/** Returns the title with the first free number: `Clocks (2)`, or `Clocks (3)` if that is taken. */
export function findFreeTitle(title: string, others: readonly string[]): string {
  const bare = title.replace(/ \(\d+\)$/, '');
  let count = 2;
  while (others.includes(`${bare} (${count})`)) count += 1;
  return `${bare} (${count})`;
}

export async function setToolInNewChats(app: App, name: string, isOn: boolean): Promise<void> {
  if (app.session?.isNew) await app.session.setTool(name, isOn);
  const others = app.settings.toolsOff.filter((off) => off !== name);
  await app.saveSettings({ toolsOff: isOn ? others : [...others, name] });
}

/** Whether every prompt lists this tool. By default, true only for built-in tools. */
export function isPinned(app: App, name: string): boolean {
  const tool = app.tools.find((one) => one.name === name);
  // Do not pin tools that the page can call itself, such as those for notes. A small model's prompt has no room for them.
  const isAtFirst = !app.isCustom(name) && tool?.isCalledByPage !== true && tool?.server === undefined;
  return app.settings.pins[name] ?? isAtFirst;
}

export async function acceptShortage(app: App): Promise<void> {
  if (app.storage.type !== 'shortened') return;
  await app.services.acceptShortage();
  app.storage = { type: 'ok' };
}
