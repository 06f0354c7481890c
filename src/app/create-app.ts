/**
 * The composition root: the state of the screen with its functions. Functions of code that loads later are passed in, so that the first paint
 * does not need it and tests can replace it.
 */
import { AppError } from '../contracts/app-error';
import type { RequestRecord } from '../contracts/egress';
import { tryLock } from '../platform/locks';
import { whenIdle } from '../platform/page-events';
import { App } from '../state/app.svelte';
import { ModelStatus } from '../state/model-status.svelte';
import type { OpenOptions, OpenStore } from '../store/open-store';
import type { LateWords } from '../ui/i18n/words';
import type { AgentRuntime, AgentRuntimeOptions } from './agent-runtime';
import { createAppFunctions } from './app-functions';
import { createChatFunctions } from './chat-functions';
import { type LoadedOnce, loadOnce } from './load-once';
import type { ModelLibrary, ModelLibraryOptions } from './model-library';
import { createModelFunctions } from './model-functions';
import { builtInModels, builtInName, noModel, smallModelSpec } from './small-model';
import { turnLock } from './turn-lock';

interface PageParts {
  openStore: (options: Pick<OpenOptions, 'onBlocked' | 'onClosed'>) => Promise<OpenStore>;
  loadRuntime: (options: AgentRuntimeOptions) => Promise<AgentRuntime>;
  loadLibrary: (options: ModelLibraryOptions) => Promise<ModelLibrary>;
  /** The texts of the screens that load later, in the app's language. */
  loadWords: () => Promise<LateWords>;
}

export interface Page {
  app: App;
  store: Promise<OpenStore>;
  runtime: LoadedOnce<AgentRuntime>;
  library: LoadedOnce<ModelLibrary>;
  /** Settles when the stored settings have been read. */
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
  // If the log cannot be written, the store has already reported that nothing can be.
  const record = (added: RequestRecord) => {
    const isTemporary = app.running.some((session) => session.isTemporary);
    const kept: Promise<Pick<OpenStore, 'requests'>> = isTemporary ? temporary.load() : store;
    void kept.then(({ requests }) => requests.add(added)).catch(() => undefined);
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
      ...{ spec, lastResort: smallModelSpec, library: library.load, settings },
      onFallback: (id, fallback) => model.setFallback(id, fallback),
      outside: { allowedAddresses: () => settings().allowedAddresses, record },
      ...{ store, temporary, app: () => app },
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
    ...{ store, spec: first, settings, now },
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
    // From now on there is something to lose. Chromium decides by itself; Firefox asks the user, so once per visit is enough.
    persisting ??= storage.askToPersist().catch(() => false);
    await storage.lookForRoom();
  }
  const app: App = new App(
    model,
    createAppFunctions({
      app: () => app,
      ...{ store, runtime, library, chatFunctions, temporary, loadWords },
    }),
  );
  const settingsRead = store.then(async ({ settings }) => app.takeSettings(await settings.load()));
  return { app, store, runtime, library, settingsRead };
}
