import { textOf } from '../../contracts/message-parts';
import type { App } from '../../state/app.svelte';
import { archive, pin } from '../../state/app-actions';
import { regenerate } from '../../state/versions';
import { hashOf, type ScreenName, screens } from '../../state/route';
import { turnsOf } from '../../state/turns';
import type { ActionName } from './keys';

export type Actions = Partial<Record<ActionName, () => unknown>>;

/** The dialogs that `CommandDialogs` opens. The components of the chat open the other ones. */
export type CommandDialog = Exclude<App['currentPanel'], 'dictation' | 'files' | 'find' | undefined>;

interface Navigation {
  onMenu: () => void;
  onList: () => void;
  /** Closes the sidebar on a phone, then calls `then` to navigate. */
  onLeave: (then: () => void) => void;
}

export function actionsOf(app: App, places: Navigation): Actions {
  return {
    ...createGlobalActions(app, places),
    ...createScreenActions(app, places),
    ...createChatActions(app),
    ...createSavedChatActions(app),
  };
}

function createGlobalActions(app: App, { onMenu, onList, onLeave }: Navigation): Actions {
  const { settings } = app;
  return {
    palette: () => (app.currentPanel = 'palette'),
    shortcuts: () => (app.currentPanel = 'shortcuts'),
    'new-chat': () =>
      onLeave(() => {
        app.openNewChat();
        app.focusRequests += 1;
      }),
    'temporary-chat': () => onLeave(() => void app.openTemporaryChat()),
    'search-chats': () => {
      onMenu();
      app.searchRequests += 1;
    },
    list: onList,
    theme: () => app.saveSettings({ theme: oppositeThemeOf(settings.theme) }),
  };
}

/** The opposite of the visible theme, so every press has a visible effect. */
function oppositeThemeOf(theme: App['settings']['theme']): 'light' | 'dark' {
  const isDark =
    theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  return isDark ? 'light' : 'dark';
}

function createScreenActions(app: App, { onLeave }: Navigation): Actions {
  const open = (screen: ScreenName) => onLeave(() => app.services.setHash(hashOf({ screen }), false));
  const names = Object.keys(screens) as ScreenName[];
  return Object.fromEntries(names.map((name) => [`go-${name}`, () => open(name)]));
}

/** Copied from `dictation/recognition.ts`, because importing that file would slow down startup. */
const hasSpeechRecognition = 'SpeechRecognition' in window || 'webkitSpeechRecognition' in window;

function createChatActions(app: App): Actions {
  const { session } = app;
  if (!session || app.route.screen !== 'chat') return {};
  const last = turnsOf(session.branch).at(-1);
  const reply = session.branch.findLast(({ message }) => message.role === 'assistant')?.message;
  const answer =
    reply?.role === 'assistant' ? textOf(reply.content.filter((part) => part.type === 'text')) : '';
  return {
    'tools-of-chat': () => (app.toolListRequests += 1),
    attach: () => (app.currentPanel = 'files'),
    ...(hasSpeechRecognition && { dictate: () => (app.currentPanel = 'dictation') }),
    ...(session.isRunning && { stop: () => session.stop() }),
    ...(!session.isEmpty && { find: () => (app.currentPanel = 'find') }),
    ...(answer !== '' && { 'copy-answer': () => copyText(app, answer) }),
    ...(!session.isRunning && last?.question && { 'answer-again': () => regenerate(session, last) }),
  };
}

async function copyText(app: App, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    app.lastAction = { type: 'copied' };
  } catch {
    app.lastAction = { type: 'copyFailed' };
  }
}

/** A temporary or unsaved chat has none of these actions. */
function createSavedChatActions(app: App): Actions {
  const chat = app.route.screen === 'chat' ? app.chats?.find(({ id }) => id === app.session?.id) : undefined;
  if (!chat) return {};
  return {
    rename: () => (app.currentPanel = 'rename'),
    pin: () => pin(app, [chat.id], chat.pinnedAt === undefined),
    archive: () => archive(app, [chat.id], chat.archivedAt === undefined),
    export: () => (app.currentPanel = 'export'),
    delete: () => (app.currentPanel = 'delete'),
  };
}
