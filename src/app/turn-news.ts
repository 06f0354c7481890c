/**
 * A part of the composition root: a long answer that ends while the person is elsewhere is told of, where they want that. What is said is the
 * name of the chat; of a temporary one not even that.
 */
import type { App } from '../state/app.svelte';
import type { ChatSession } from '../state/chat-session.svelte';
import { hashOf } from '../state/route';

/** Milliseconds: whoever waits less has hardly gone away. */
const longTurnMs = 8_000;

type Told = Pick<ChatSession, 'id' | 'isTemporary' | 'branch'>;

interface NewsParts {
  app: Pick<App, 'settings' | 'chats' | 'isNewsOffered'>;
  /** Milliseconds, from any start. */
  now: () => number;
  isHidden: () => boolean;
  permission: () => NotificationPermission | 'missing';
  notify: (notice: { title: string; body: string; tag: string; hash: string }) => Promise<void>;
  showBadge: (count: number) => Promise<void>;
  dropNotifications: () => Promise<void>;
  /** In the language of the screen. */
  words: () => Promise<{ ready: string; ended: string; temporary: string }>;
}

export interface TurnNews {
  /** A turn has begun, or ended. */
  tell: (session: Told, isRunning: boolean) => Promise<void>;
  /** The person has come back. */
  seen: () => Promise<void>;
}

export function createTurnNews(parts: NewsParts): TurnNews {
  const { app, now, isHidden, permission } = parts;
  const begunAt = new Map<string, number>();
  /** Chats with an answer that nobody has seen. */
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
    async tell(session, isRunning) {
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
      // Asked where it would have been of use, and by the page: the browser asks only after a press.
      else if (isWanted === undefined && ['default', 'granted'].includes(permission()))
        app.isNewsOffered = true;
    },
    async seen() {
      if (unseen.size === 0) return;
      unseen.clear();
      await parts.showBadge(0);
      await parts.dropNotifications();
    },
  };
}
