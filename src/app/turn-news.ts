/** Notifies the user when a long answer ends while they are away. Shows only the chat's name, and nothing of a temporary chat. */
import type { App } from '../state/app.svelte';
import type { ChatSession } from '../state/chat-session.svelte';
import { hashOf } from '../state/route';

/** Milliseconds. Users hardly leave during a shorter turn. */
const longTurnMs = 8_000;

type Told = Pick<ChatSession, 'id' | 'isTemporary' | 'branch'>;

interface NewsParts {
  app: Pick<App, 'settings' | 'chats' | 'isNewsOffered'>;
  now: () => number;
  isHidden: () => boolean;
  permission: () => NotificationPermission | 'missing';
  notify: (notice: { title: string; body: string; tag: string; hash: string }) => Promise<void>;
  showBadge: (count: number) => Promise<void>;
  dropNotifications: () => Promise<void>;
  words: () => Promise<{ ready: string; ended: string; temporary: string }>;
}

export function createTurnNews(parts: NewsParts) {
  const { app, now, isHidden, permission } = parts;
  const begunAt = new Map<string, number>();
  const unseen = new Set<string>();

  async function say({ id, isTemporary, branch }: Told): Promise<void> {
    const words = await parts.words();
    const title = isTemporary ? undefined : app.chats?.find((chat) => chat.id === id)?.title;
    await parts.notify({
      title: title ?? words.temporary,
      body: branch.at(-1)?.turnEnd === 'answered' ? words.ready : words.ended,
      tag: id,
      hash: isTemporary ? '' : hashOf({ screen: 'chat', chatId: id }),
    });
  }

  return {
    async tell(session: Told, isRunning: boolean) {
      if (isRunning) {
        begunAt.set(session.id, now());
        return;
      }
      const lasted = now() - (begunAt.get(session.id) ?? Infinity);
      begunAt.delete(session.id);
      const { isTellingWhenReady: isWanted } = app.settings;
      if (!isHidden() || !(lasted >= longTurnMs) || isWanted === false) return;
      unseen.add(session.id);
      await parts.showBadge(unseen.size);
      if (isWanted && permission() === 'granted') await say(session);
      // The page asks first, when it would have helped, because the browser asks only after a click.
      else if (isWanted === undefined && ['default', 'granted'].includes(permission()))
        app.isNewsOffered = true;
    },
    /** The user is back. */
    async seen() {
      if (unseen.size === 0) return;
      unseen.clear();
      await parts.showBadge(0);
      await parts.dropNotifications();
    },
  };
}
