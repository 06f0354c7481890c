/** What a chat needs to run and store its turns, and what the screen does with the model of the open chat. */
import { AppError, writeError } from '../contracts/app-error';
import type { ModelName } from '../contracts/model-library';
import type { Settings } from '../contracts/settings';
import type { ChatFunctions } from '../state/chat-session.svelte';
import type { OpenStore } from '../store/open-store';
import type { AgentRuntime } from './agent-runtime';
import { lazyService, type LoadedOnce } from './load-once';
import type { ModelFunctions } from '../state/model-status.svelte';

interface ChatParts extends Pick<ChatFunctions, 'onRunning' | 'onUsage' | 'newId' | 'now' | 'date'> {
  store: Promise<Pick<OpenStore, 'chats' | 'drafts'>>;
  loadRuntime: () => Promise<Pick<AgentRuntime, 'run' | 'host'>>;
  /** The model that ships with the app, for chats that chose none. */
  spec: ModelName;
  settings: () => Pick<Settings, 'model' | 'rounds'>;
  /** Settles when the stored settings are loaded. */
  settingsRead: () => Promise<unknown>;
  /** When the user last cancelled a load, on the clock of `now`. Turns from before do not start another load. */
  cancelledAt: () => number;
  /** The lock of a chat's running turn, across tabs. Undefined if another tab holds it. */
  lock: ChatFunctions['lockTurn'];
}

export function createChatFunctions(parts: ChatParts): ChatFunctions {
  const { store, loadRuntime, spec, settings, settingsRead, cancelledAt, lock, ...handed } = parts;
  /** The loaded model. A turn holds it while it runs, so this is the model that answers. */
  let loaded = (): Pick<ModelName, 'id' | 'engine'> => spec;
  return {
    ...handed,
    async *run(history, options) {
      try {
        const { run, host } = await loadRuntime();
        loaded = () => host.spec;
        const { model, rounds } = settings();
        const isCancelled = () => options.askedAt < cancelledAt();
        return yield* run(history, {
          ...options,
          model: options.model ?? model ?? spec,
          rounds,
          isCancelled,
        });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const failed = { role: 'assistant' as const, content: [], finishReason: 'error' as const };
        yield { type: 'message-end', message: { ...failed, errorMessage: writeError(error) } };
        yield { type: 'turn-end', reason: 'failed' };
        return [];
      }
    },
    currentModel() {
      const { id, engine } = loaded();
      return { id, engine };
    },
    chats: lazyService(async () => (await store).chats),
    drafts: lazyService(async () => (await store).drafts),
    async lockTurn(chatId) {
      // A turn that starts before the settings are loaded would ignore the chosen model and the tools that are off.
      await settingsRead().catch(() => undefined);
      return lock(chatId);
    },
  };
}

interface ModelParts {
  runtime: LoadedOnce<Pick<AgentRuntime, 'load' | 'retry' | 'loadBeside' | 'host'>>;
  /** The model of the open chat. */
  chosen: () => ModelName;
  /** Resolves when the page is idle. */
  whenIdle: () => Promise<void>;
  now: () => number;
}

/** Nothing here rejects: a failed load shows in the model's phase. */
export function createModelFunctions({ runtime, chosen, whenIdle, now }: ModelParts): ModelFunctions & {
  cancelledAt: () => number;
} {
  const ignore = () => undefined;
  let cancelledAt = -Infinity;
  return {
    cancelledAt: () => cancelledAt,
    // Waits for an idle page, so that the typed letter is rendered first.
    load: () =>
      void whenIdle()
        .then(runtime.load)
        .then(({ load }) => load(chosen()))
        .catch(ignore),
    retry: () =>
      void runtime
        .load()
        .then(({ retry }) => retry(chosen()))
        .catch(ignore),
    loadBeside: () =>
      runtime
        .load()
        .then(({ loadBeside }) => loadBeside(chosen()))
        .catch(ignore),
    cancel() {
      cancelledAt = now();
      void runtime.begun?.then(({ host }) => host.cancel()).catch(ignore);
    },
  };
}

export const turnLock = (chatId: string) => `turn:${chatId}`;
