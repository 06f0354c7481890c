/** Creates the services that load together with the store, so the first paint need not wait for them. */
import type { App } from '../state/app.svelte';
import type { ChatFunctions, ChatSession } from '../state/chat-session.svelte';
import type { DeletionFailure } from '../state/services';
import type { OpenStore } from '../store/open-store';
import type { RestWords } from '../ui/i18n/words';
import type { AgentRuntime } from './agent-runtime';
import { toTurnLockName } from './chat-functions';
import { waitForLock } from '../platform/waiting-locks';
import { type LoadedOnce, loadOnce, loadLazily } from './load-once';
import type { ModelLibrary } from './model-library';
import type { TemporaryChats } from './temporary-chats';
import checkToolWorkerUrl from '../../workers/check-tool.worker.ts?worker&url';
import { type PersonaContent, type PersonaList, toolNameOf } from '../contracts/persona';
import { startWorker } from '../platform/start-worker';
import type { PersonaFunctions } from '../state/personas.svelte';

export interface ServiceOptions {
  app: () => App;
  store: Promise<OpenStore>;
  runtime: LoadedOnce<AgentRuntime>;
  library: LoadedOnce<ModelLibrary>;
  chatFunctions: ChatFunctions;
  temporary: LoadedOnce<TemporaryChats>;
  loadWords: () => Promise<RestWords>;
}

export function createOnDemandServices(parts: ServiceOptions) {
  const { app, store, library, temporary, loadWords } = parts;
  const search = loadOnce(async () => {
    const isBusy = () => app().running.length > 0 || app().update?.phase === 'applying';
    return (await import('./search-runtime')).createSearchRuntime({ store, isBusy });
  });
  const backups = loadOnce(async () => (await import('./backups')).createBackupRuntime({ app, store }));
  const news = loadOnce(async () => {
    const [{ createTurnNotifier }, platform] = await Promise.all([
      import('./turn-news'),
      import('../platform/notifications'),
    ]);
    const { notify, showBadge, closeNotifications, getNotificationPermission } = platform;
    const created = createTurnNotifier({
      app: app(),
      notify,
      showBadge,
      closeNotifications,
      getNotificationPermission,
      now: () => performance.now(),
      isHidden: () => document.hidden,
      words: async () => (await loadWords()).command.news,
    });
    if (getNotificationPermission() !== 'missing')
      platform.onNotificationClick((hash) => app().services.setHash(hash, false));
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) void created.seen().catch(() => undefined);
    });
    return created;
  });
  return {
    personas: createPersonaService(parts),
    news: {
      tell: async (session: ChatSession, isRunning: boolean) => (await news.load()).tell(session, isRunning),
      async ask() {
        const { askToNotify, getNotificationPermission } = await import('../platform/notifications');
        return getNotificationPermission() !== 'missing' && (await askToNotify());
      },
    },
    loadSearch: async () => (await search.load()).search,
    loadFollowUps: loadOnce(async () => {
      const { createFollowUps } = await import('./temporary-chats');
      const lock = (chatId: string) => waitForLock(toTurnLockName(chatId), 1000);
      return createFollowUps(app(), store, temporary, lock);
    }).load,
    loadBackups: async () => (await backups.load()).backups,
    async deleteEverything(): Promise<DeletionFailure | undefined> {
      const { deleteEverything } = await import('../platform/storage');
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

function createPersonaService(parts: ServiceOptions): Omit<PersonaFunctions, 'newId' | 'date'> {
  const { app, store, runtime } = parts;
  const { signal } = new AbortController();
  const checker = loadOnce(async () => {
    const { createToolChecker } = await import('../tools/custom/remote-checker');
    return createToolChecker(() => startWorker(checkToolWorkerUrl));
  });

  async function takenFor(personaId: string): Promise<string[]> {
    const { customTools, personas } = await store;
    const [tools, { personas: kept }, own] = await Promise.all([
      runtime.load().then(({ listTools }) => listTools()),
      personas.list(),
      customTools.list(),
    ]);
    const agents = kept.filter(({ content }) => content.isTool);
    const agentNames = new Set(agents.map(({ content }) => toolNameOf(content)));
    return [
      ...tools.map(({ name }) => name).filter((name) => !agentNames.has(name)),
      ...own.tools.map(({ content }) => content.name),
      ...agents.filter(({ id }) => id !== personaId).map(({ content }) => toolNameOf(content)),
    ];
  }

  return loadLazily(async () => (await store).personas, {
    async watch(onList: (list: PersonaList) => void) {
      const onError = (error: Error) => (app().fault = String(error));
      (await store).personas.watch((list) => {
        onList(list);
        // Personas can be tools, so the tool list must be read again. A runtime that starts later reads it anyway.
        void runtime.begun
          ?.then(async ({ listTools }) => (app().tools = await listTools()))
          .catch(() => undefined);
      }, onError);
    },
    async check(personaId: string, content: PersonaContent) {
      const taken = content.isTool ? await takenFor(personaId) : [];
      return (await checker.load()).checkPersona(content, taken, signal);
    },
    readFile: async (file: Blob) => (await checker.load()).readPersonaFile(file),
    writeFile: async (content: PersonaContent) =>
      (await import('../tools/personas/persona-file')).writePersonaFile(content),
    gallery: async () => (await import('../tools/personas/gallery')).galleryPersonas,
  });
}
