/** Deletes: into the bin, and for some seconds back with one press. */
import type { BinEntry } from '../contracts/bin';
import type { MessageNode } from '../contracts/chat';
import type { App } from './app.svelte';
import type { ChatSession } from './chat-session.svelte';

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
  if (chatIds.includes(app.session?.id ?? '')) app.newChat();
}

/** Puts a message and everything after it into the bin. */
export async function deleteMessages(app: App, session: ChatSession, node: MessageNode): Promise<void> {
  const kind = node.message.role === 'user' ? 'messages' : 'answer';
  app.deletion = { kind, name: '', count: 1, undo: () => session.restore(node.id) };
  await session.remove(node);
}

/** Takes something out of the bin. The chat on the screen is read anew where it was a part of it. */
export async function restore(app: App, { kind, id }: BinEntry): Promise<void> {
  const { session } = app;
  await app.functions.bin.restoreAll([{ kind, id }]);
  if (kind === 'messages' && session) await app.reopen(session);
}
