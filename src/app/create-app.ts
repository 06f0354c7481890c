/**
 * The composition root: creates the state of the screen and its functions. Later parts are passed as loaders, so that the first paint does
 * not wait for them and tests can replace them.
 */
import { AppError } from '../contracts/app-error';
import type { RequestRecord } from '../contracts/egress';
import { tryLock, isHeld, whenFree } from '../platform/locks';
import { whenIdle } from '../platform/page-events';
import { App, type AppFunctions, type Watch } from '../state/app.svelte';
import { ModelStatus } from '../state/model-status.svelte';
import type { OpenOptions, OpenStore } from '../store/open-store';
import type { LateWords } from '../ui/i18n/words';
import type { AgentRuntime, AgentRuntimeOptions } from './agent-runtime';
import { createChatFunctions, createModelFunctions, turnLock } from './chat-functions';
import { type LoadedOnce, loadOnce, deferred } from './load-once';
import type { ModelLibrary, ModelLibraryOptions } from './model-library';
import { builtInModels, builtInName, noModel, smallModelSpec } from './small-model';
import { type ChatFunctions, ChatSession } from '../state/chat-session.svelte';
import type { TemporaryChats } from './temporary-chats';

interface PageParts {
  openStore: (options: Pick<OpenOptions, 'onBlocked' | 'onClosed'>) => Promise<OpenStore>;
  loadRuntime: (options: AgentRuntimeOptions) => Promise<AgentRuntime>;
  loadLibrary: (options: ModelLibraryOptions) => Promise<ModelLibrary>;
  loadWords: () => Promise<LateWords>;
}

export interface Page {
  app: App;
  store: Promise<OpenStore>;
  runtime: LoadedOnce<AgentRuntime>;
  library: LoadedOnce<ModelLibrary>;
  /** Settles when the stored settings are loaded. */
  settingsRead: Promise<void>;
}

export function createApp({ openStore, loadRuntime, loadLibrary, loadWords }: PageParts): Page {
  const [spec] = builtInModels;
  const first = spec ? builtInName(spec) : noModel;
  const settings = () => app.settings;
  const store = openStore({
    onBlocked: () => (app.storage = { type: 'blocked' }),
    onClosed: (reason) => (app.storage = { type: 'closed', reason }),
  });
  // A failed write of the log is not reported here: the store reports its own failure.
  const record = (added: RequestRecord) => {
    const isTemporary = app.running.some((session) => session.isTemporary);
    const stored: Promise<Pick<OpenStore, 'requests'>> = isTemporary ? temporary.load() : store;
    void stored.then(({ requests }) => requests.add(added)).catch(() => undefined);
  };
  const temporary = loadOnce(async () =>
    (await import('./temporary-chats')).createTemporaryChats({
      chatFunctions,
      newId: () => crypto.randomUUID(),
      hasWords: () => app.wouldLose,
    }),
  );

  const library = loadOnce(() => loadLibrary({ app: () => app, store, record }));
  const runtime = loadOnce(() =>
    loadRuntime({
      spec,
      lastResort: smallModelSpec,
      library: library.load,
      settings,
      onFallback: (id, fallback) => model.setFallback(id, fallback),
      outside: { allowedAddresses: () => settings().allowedAddresses, record },
      store,
      temporary,
      app: () => app,
      onPhase: (phase, { id }) => (model.running = { id, phase }),
      onSlow: (isSlow) => (model.isSlow = isSlow),
      onQueued: (isQueued) => (model.isQueued = isQueued),
    }).catch((error: unknown) => {
      model.phase = { type: 'failed', code: 'model-unreachable', detail: String(error) };
      throw new AppError('model-unreachable', String(error), { cause: error });
    }),
  );

  const now = () => performance.now();
  const modelFunctions = createModelFunctions({
    runtime,
    chosen: () => app.chosen,
    whenIdle: () => whenIdle(300),
    now,
  });
  const model = new ModelStatus(first, modelFunctions);

  let persisting: Promise<boolean> | undefined;
  const chatFunctions = createChatFunctions({
    store,
    spec: first,
    settings,
    now,
    loadRuntime: runtime.load,
    cancelledAt: modelFunctions.cancelledAt,
    settingsRead: () => settingsRead,
    lock: (chatId) => tryLock(turnLock(chatId)),
    onRunning: (session, isRunning) => app.setRunning(session, isRunning),
    onUsage(usage) {
      model.usage = usage;
      void lookAfterStorage().catch(() => undefined);
    },
    newId: () => crypto.randomUUID(),
    date: Date.now,
  });
  async function lookAfterStorage(): Promise<void> {
    const storage = await app.functions.loadStorage();
    // Now there is something to lose. Chromium decides by itself, Firefox asks the user, so we ask once a visit.
    persisting ??= storage.askToPersist().catch(() => false);
    await storage.lookForRoom();
  }
  const app: App = new App(
    model,
    createAppFunctions({
      app: () => app,
      store,
      runtime,
      library,
      chatFunctions,
      temporary,
      loadWords,
    }),
  );
  const settingsRead = store.then(async ({ settings }) => app.takeSettings(await settings.load()));
  return { app, store, runtime, library, settingsRead };
}

interface AppParts {
  app: () => App;
  store: Promise<OpenStore>;
  runtime: LoadedOnce<AgentRuntime>;
  library: LoadedOnce<ModelLibrary>;
  chatFunctions: ChatFunctions;
  temporary: LoadedOnce<TemporaryChats>;
  loadWords: () => Promise<LateWords>;
}

function createAppFunctions(parts: AppParts): AppFunctions {
  const { app, store, runtime, library, chatFunctions, temporary, loadWords } = parts;
  const chats = async () => (await store).chats;
  const bin = async () => (await store).bin;
  const folders = async () => (await store).folders;
  const requests = async () => {
    const stored = (await store).requests;
    const begun = await temporary.begun;
    return begun ? (await import('./temporary-chats')).bothRequests(stored, begun.requests) : stored;
  };
  const grants = async () => (await store).grants;
  const statistics = async () => (await store).statistics;

  // Loaded with the first screen that needs it.
  const customTools = loadOnce(async () => {
    const load = async () => (await runtime.load()).customTools;
    return (await import('./screen-functions')).createCustomToolFunctions(store, load);
  });

  const more = loadOnce(async () =>
    (await import('./late-functions')).createLateFunctions({
      app,
      store,
      runtime,
      library,
      temporary,
      loadWords,
    }),
  );

  function watching<Item>(
    load: () => Promise<{
      watch: (onList: (list: Item[]) => void, onError: (error: Error) => void) => () => void;
    }>,
  ): Watch<Item> {
    return async (onList) => (await load()).watch(onList, (error) => (app().fault = String(error)));
  }

  async function openSession(chatId: string): Promise<ChatSession | undefined> {
    const { chats, drafts } = await store;
    const [loaded, draft, isElsewhere] = await Promise.all([
      chats.loadTail(chatId),
      drafts.load(chatId),
      isHeld(turnLock(chatId)),
    ]);
    if (!loaded) return undefined;
    const damaged = loaded.damaged.length;
    const session = new ChatSession(chatFunctions, loaded, {
      draft,
      damaged,
      isElsewhere,
      agents: loaded.agents,
      from: loaded.from,
    });
    if (isElsewhere) void whenFree(turnLock(chatId)).then(() => app().reopen(session));
    return session;
  }

  return {
    openSession,
    newSession: () => new ChatSession(chatFunctions, { id: crypto.randomUUID() }),
    newTemporary: async () => (await temporary.load()).begin(),
    chats: deferred(chats, ['update', 'loadPrompt', 'copyBranch', 'arrange']),
    bin: { ...deferred(bin, ['put', 'restoreAll', 'purge']), watch: watching(bin) },
    folders: { ...deferred(folders, ['save', 'remove']), watch: watching(folders) },
    newId: () => crypto.randomUUID(),
    loadChat: async (id) => (await chats()).load(id),
    drafts: deferred(async () => (await store).drafts, ['listUnbegun']),
    settings: deferred(async () => (await store).settings, ['save']),
    requests: { ...deferred(requests, ['clear']), watch: watching(requests) },
    grants: { ...deferred(grants, ['remove']), watch: watching(grants) },
    statistics: { watch: watching(statistics) },
    ...deferred(more.load, [
      'loadNotes',
      'loadPrompts',
      'loadSearch',
      'loadFollowUps',
      'loadPersonas',
      'loadBackups',
      'loadStorage',
      'tellTurn',
      'askToNotify',
      'deleteEverything',
    ]),
    ...deferred(() => store, ['acceptShortage']),
    readAddress: async (text) => (await import('../egress/allowed-address')).readAllowedAddress(text),
    ...deferred(runtime.load, [
      'trySearch',
      'findTools',
      'loadServers',
      'loadExams',
      'loadAttachments',
      'loadResult',
      'fetchPicture',
    ]),
    forgetCall: (call) =>
      void runtime.begun?.then(({ forgetCall }) => forgetCall(call)).catch(() => undefined),
    measureDraft: async (...draft) =>
      app().model.phase.type === 'ready' ? (await runtime.begun)?.measure(...draft) : undefined,
    customTools: {
      ...deferred(customTools.load, [
        ...(['list', 'loadDraft', 'saveDraft', 'removeDraft', 'setSecret', 'keptSecrets'] as const),
        ...(['save', 'check', 'run', 'readFile', 'writeFile', 'gallery'] as const),
      ]),
      newId: () => crypto.randomUUID(),
      date: Date.now,
    },
    models: deferred(
      async () => (await library.load()).functions,
      [
        'view',
        'download',
        'pause',
        'remove',
        'add',
        'addRecord',
        'importFiles',
        'exportModel',
        'seeing',
        'tryEndpoint',
        'saveEndpoint',
        'forgetKey',
      ],
    ),
    setHash(hash, isReplacing) {
      if (!isReplacing) location.hash = hash;
      else {
        history.replaceState(null, '', hash);
        void app().open(hash);
      }
    },
  };
}
