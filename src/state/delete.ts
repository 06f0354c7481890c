/** Deletes: into the bin, and for some seconds back with one press. */
import type { BinPlace } from '../contracts/store';
import type { MessageNode } from '../contracts/chat';
import type { ModelCard } from '../contracts/model-library';
import type { App } from './app.svelte';
import type { ChatSession } from './chat-session.svelte';
import type { Deletion } from './deletion';

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
