/** The composition root: creates the app's state and services. Other code is passed in as functions that load it on first use. */
import { AppError } from '../contracts/app-error';
import type { RequestRecord } from '../contracts/egress';
import { tryLock } from '../platform/locks';
import { nextTask, whenIdle } from '../platform/page-events';
import { App } from '../state/app.svelte';
import { ModelStatus } from '../state/model-status.svelte';
import type { OpenOptions, OpenStore } from '../store/open-store';
import type { RestWords } from '../ui/i18n/words';
import type { AgentRuntime, AgentRuntimeOptions } from './agent-runtime';
import {
  createChatFunctions,
  createInsertedTexts,
  createModelFunctions,
  toTurnLockName,
} from './chat-functions';
import { loadOnce } from './load-once';
import type { ModelLibrary, ModelLibraryOptions } from './model-library';
import { createServices } from './services';
import { builtInModels, toBuiltInModelName, noModel, smallModelSpec } from './small-model';

export type CreatedApp = ReturnType<typeof createApp>;

export function createApp(parts: {
  openStore: (options: Pick<OpenOptions, 'onBlocked' | 'onClosed'>) => Promise<OpenStore>;
  loadRuntime: (options: AgentRuntimeOptions) => Promise<AgentRuntime>;
  loadLibrary: (options: ModelLibraryOptions) => Promise<ModelLibrary>;
  loadWords: () => Promise<RestWords>;
}) {
  const { openStore, loadRuntime, loadLibrary, loadWords } = parts;
  const [spec] = builtInModels;
  const first = spec ? toBuiltInModelName(spec) : noModel;
  const store = openStore({
    onBlocked: () => (app.storage = { type: 'blocked' }),
    onClosed: (reason) => (app.storage = { type: 'closed', reason }),
  });
  // Ignore failed writes to the log. The store reports its own failures.
  const record = (added: RequestRecord) => {
    const isTemporary = app.running.some((session) => session.isTemporary);
    const stored: Promise<Pick<OpenStore, 'requests'>> = isTemporary ? temporary.load() : store;
    void stored.then(({ requests }) => requests.add(added)).catch(() => undefined);
  };
  const temporary = loadOnce(async () =>
    (await import('./temporary-chats')).createTemporaryChats(chatFunctions, () => app.hasTemporaryContent),
  );

  const library = loadOnce(() => loadLibrary({ app: () => app, store, record }));
  const runtime = loadOnce(() =>
    loadRuntime({
      spec,
      lastResort: smallModelSpec,
      library: library.load,
      onFallback: (id, fallback) => model.setFallback(id, fallback),
      record,
      store,
      temporary,
      app: () => app,
      onPhase: (phase, { id }) => (model.running = { id, phase }),
      onSlow: (isSlow) => (model.isSlow = isSlow),
      onQueued: (isQueued) => (model.isQueued = isQueued),
      onSilence: (question) => (model.silence = question),
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

  // Ask the browser to keep the data once there is a chat. Firefox asks the user, so do this only once per visit.
  const persisting = loadOnce(() => app.services.storage.askToPersist());
  const chatFunctions = createChatFunctions({
    store,
    spec: first,
    settings: () => app.settings,
    now,
    loadRuntime: runtime.load,
    cancelledAt: modelFunctions.cancelledAt,
    settingsRead: () => settingsRead,
    lock: (chatId) => tryLock(toTurnLockName(chatId)),
    inserted: createInsertedTexts(),
    nextTask,
    onRunning: (session, isRunning) => app.setRunning(session, isRunning),
    onUsage(usage) {
      model.usage = usage;
      void persisting.load().catch(() => undefined);
      void app.services.storage.lookForRoom().catch(() => undefined);
    },
    newId: () => crypto.randomUUID(),
    date: Date.now,
  });
  const services = createServices({
    app: () => app,
    store,
    runtime,
    library,
    chatFunctions,
    temporary,
    loadWords,
  });
  const app: App = new App(model, services);
  const settingsRead = store.then(async ({ settings }) => app.applySettings(await settings.load()));
  return { app, store, runtime, library, settingsRead };
}
