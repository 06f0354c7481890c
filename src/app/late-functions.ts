/**
 * Part of the composition root: functions of the screens whose code loads when it is first needed. Separate from `app-functions.ts`, so that the
 * first paint need not load this file.
 */
import type { App, AppFunctions } from '../state/app.svelte';
import type { OpenStore } from '../store/open-store';
import type { LateWords } from '../ui/i18n/words';
import type { AgentRuntime } from './agent-runtime';
import { type LoadedOnce, loadOnce } from './load-once';
import type { ModelLibrary } from './model-library';
import type { TemporaryChats } from './temporary-chats';

interface LateParts {
  app: () => App;
  store: Promise<OpenStore>;
  runtime: LoadedOnce<AgentRuntime>;
  library: LoadedOnce<ModelLibrary>;
  temporary: LoadedOnce<TemporaryChats>;
  /** The texts of the screens that load later, in the app's language. */
  loadWords: () => Promise<LateWords>;
}

/** Names of those functions. */
type LateFunction =
  | 'loadNotes'
  | 'loadPrompts'
  | 'loadSearch'
  | 'loadFollowUps'
  | 'loadPersonas'
  | 'loadBackups'
  | 'loadStorage'
  | 'tellTurn'
  | 'askToNotify'
  | 'deleteEverything';

export function createLateFunctions({
  app,
  store,
  runtime,
  library,
  temporary,
  loadWords,
}: LateParts): Pick<AppFunctions, LateFunction> {
  const onError = (error: Error) => (app().fault = String(error));
  const search = loadOnce(async () => {
    const isBusy = () => app().running.length > 0 || app().update?.phase === 'applying';
    return (await import('./search-runtime')).createSearchRuntime({ store, isBusy });
  });
  const backups = loadOnce(async () =>
    (await import('./backup-functions')).createBackupRuntime({ app, store }),
  );
  const news = loadOnce(async () => {
    const [{ createTurnNews }, platform] = await Promise.all([
      import('./turn-news'),
      import('../platform/notifications'),
    ]);
    const { notify, showBadge, dropNotifications, notificationPermission, onNotificationClick } = platform;
    const created = createTurnNews({
      ...{ app: app(), notify, showBadge, dropNotifications },
      now: () => performance.now(),
      isHidden: () => document.hidden,
      permission: notificationPermission,
      words: async () => (await loadWords()).command.news,
    });
    if (notificationPermission() !== 'missing')
      onNotificationClick((hash) => app().functions.setHash(hash, false));
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) void created.seen().catch(() => undefined);
    });
    return created;
  });
  return {
    loadNotes: loadOnce(async () =>
      (await import('./note-functions')).createNoteFunctions((await store).notes, onError),
    ).load,
    loadPrompts: loadOnce(async () =>
      (await import('./own-prompt-functions')).createOwnPromptFunctions((await store).ownPrompts, onError),
    ).load,
    loadSearch: async () => (await search.load()).search,
    loadFollowUps: loadOnce(async () =>
      (await import('./follow-up-functions')).createFollowUps({ app: app(), store, temporary }),
    ).load,
    loadPersonas: loadOnce(async () =>
      (await import('./persona-functions')).createPersonaFunctions({ app, store, runtime }),
    ).load,
    loadBackups: async () => (await backups.load()).backups,
    loadStorage: loadOnce(async () =>
      (await import('./storage-functions')).createStorageFunctions({
        ...{ app, store },
        now: () => performance.now(),
      }),
    ).load,
    tellTurn: async (session, isRunning) => (await news.load()).tell(session, isRunning),
    async askToNotify() {
      const { askToNotify, notificationPermission } = await import('../platform/notifications');
      return notificationPermission() !== 'missing' && (await askToNotify());
    },
    async deleteEverything() {
      const { deleteEverything } = await import('../platform/storage');
      // Code that failed to load has nothing to end.
      const ends = [search.begun, backups.begun, library.begun];
      for (const begun of ends) (await begun?.catch(() => undefined))?.end();
      const opened = await store;
      opened.close();
      const failed = await deleteEverything();
      if (failed.some(({ isHeld }) => isHeld)) return 'held';
      if (failed.length > 0) return opened.condition === 'memory' ? 'refused' : 'unreachable';
      location.replace(location.pathname);
      return undefined;
    },
  };
}
