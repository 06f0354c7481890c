/** Makes a chat of its own of what was said up to a message. */
import type { MessageNode } from '../contracts/chat';
import type { App } from './app.svelte';
import type { ChatSession } from './chat-session.svelte';
import { hashOf } from './route';

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
