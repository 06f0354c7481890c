/** Puts chats in order: above the others, out of the way, into folders. */
import type { Folder } from '../contracts/chat';
import type { App } from './app.svelte';

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
