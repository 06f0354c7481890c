/** Notifies the user when a long answer ended while they were away. A notification does not name a temporary chat. */
import type { App } from '../state/app.svelte';
import type { ChatSession } from '../state/chat-session.svelte';
import { hashOf } from '../state/route';

/** We notify the user only of turns that took at least this many milliseconds. Users rarely leave during a shorter turn. */
const minNotifiedTurnMs = 8_000;

type ReportedChat = Pick<ChatSession, 'id' | 'isTemporary' | 'branch'>;

export function createTurnNotifier(parts: {
  app: Pick<App, 'settings' | 'chats' | 'isNewsOffered'>;
  now: () => number;
  isHidden: () => boolean;
  getNotificationPermission: () => NotificationPermission | 'missing';
  notify: (notice: { title: string; body: string; tag: string; hash: string }) => Promise<void>;
  showBadge: (count: number) => Promise<void>;
  closeNotifications: () => Promise<void>;
  words: () => Promise<{ ready: string; ended: string; temporary: string }>;
}) {
  const { app, now, isHidden, getNotificationPermission } = parts;
  const begunAt = new Map<string, number>();
  const unseen = new Set<string>();

  async function say({ id, isTemporary, branch }: ReportedChat): Promise<void> {
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
    async tell(session: ReportedChat, isRunning: boolean) {
      if (isRunning) {
        begunAt.set(session.id, now());
        return;
      }
      const lasted = now() - (begunAt.get(session.id) ?? Infinity);
      begunAt.delete(session.id);
      const { isTellingWhenReady: isWanted } = app.settings;
      if (!isHidden() || !(lasted >= minNotifiedTurnMs) || isWanted === false) return;
      unseen.add(session.id);
      await parts.showBadge(unseen.size);
      if (isWanted && getNotificationPermission() === 'granted') await say(session);
      // Offer notifications now that one would have helped. The browser's permission prompt must wait for a click.
      else if (isWanted === undefined && ['default', 'granted'].includes(getNotificationPermission()))
        app.isNewsOffered = true;
    },
    async seen() {
      if (unseen.size === 0) return;
      unseen.clear();
      await parts.showBadge(0);
      await parts.closeNotifications();
    },
  };
}
