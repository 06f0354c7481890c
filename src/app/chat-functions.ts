/** Functions that run and store the turns of a chat, and that control the model of the open chat. */
import { AppError, writeError } from '../contracts/app-error';
import type { ModelName } from '../contracts/model-library';
import type { Settings } from '../contracts/settings';
import type { ChatFunctions } from '../state/chat-session.svelte';
import type { OpenStore } from '../store/open-store';
import type { AgentRuntime } from './agent-runtime';
import { lazyService, type LoadedOnce } from './load-once';

interface ChatParts extends Pick<ChatFunctions, 'onRunning' | 'onUsage' | 'newId' | 'now' | 'date'> {
  store: Promise<Pick<OpenStore, 'chats' | 'drafts'>>;
  loadRuntime: () => Promise<Pick<AgentRuntime, 'run' | 'host'>>;
  /** The model for chats without a chosen model. */
  spec: ModelName;
  settings: () => Pick<Settings, 'model' | 'rounds'>;
  settingsRead: () => Promise<unknown>;
  /** When the user last cancelled a load, in milliseconds on the clock of `now`. Turns sent before do not start another load. */
  cancelledAt: () => number;
  /** Locks the turns of a chat across tabs. Undefined if another tab runs a turn of this chat. */
  lock: ChatFunctions['lockTurn'];
}

export function createChatFunctions(parts: ChatParts): ChatFunctions {
  const { store, loadRuntime, spec, settings, settingsRead, cancelledAt, lock, ...handed } = parts;
  /** Returns the loaded model. A running turn keeps it loaded, so it is also the model that answers. */
  let loaded = (): Pick<ModelName, 'id' | 'engine'> => spec;
  return {
    ...handed,
    async *run(history, options) {
      try {
        const { run, host } = await loadRuntime();
        loaded = () => host.spec;
        const { model, rounds } = settings();
        const isCancelled = () => options.askedAt < cancelledAt();
        const chosen = options.model ?? model ?? spec;
        return yield* run(history, { ...options, model: chosen, rounds, isCancelled });
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
      // Wait for the settings: without them a turn would ignore the chosen model and which tools are off.
      await settingsRead().catch(() => undefined);
      return lock(chatId);
    },
  };
}

/** None of these functions rejects: the phase of the model shows a failed load. */
export function createModelFunctions(parts: {
  runtime: LoadedOnce<Pick<AgentRuntime, 'load' | 'retry' | 'loadDespiteOtherTab' | 'host'>>;
  chosen: () => ModelName;
  whenIdle: () => Promise<void>;
  now: () => number;
}) {
  const { runtime, chosen, whenIdle, now } = parts;
  const ignore = () => undefined;
  const loadWith = (how: 'load' | 'retry' | 'loadDespiteOtherTab') =>
    runtime
      .load()
      .then((loaded) => loaded[how](chosen()))
      .catch(ignore);
  let cancelledAt = -Infinity;
  return {
    cancelledAt: () => cancelledAt,
    // Wait until the page is idle, so that the letter just typed is rendered first.
    load: () => void whenIdle().then(() => loadWith('load')),
    retry: () => void loadWith('retry'),
    loadDespiteOtherTab: () => loadWith('loadDespiteOtherTab'),
    cancel() {
      cancelledAt = now();
      void runtime.begun?.then(({ host }) => host.cancel()).catch(ignore);
    },
  };
}

export const turnLockName = (chatId: string) => `turn:${chatId}`;
