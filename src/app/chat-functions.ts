import { AppError, writeError } from '../contracts/app-error';
import type { ModelName } from '../contracts/model-library';
import type { Settings } from '../contracts/settings';
import type { ChatFunctions } from '../state/chat-session.svelte';
import type { OpenStore } from '../store/open-store';
import type { AgentRuntime } from './agent-runtime';
import type { InsertedText } from '../contracts/chat';
import type { InsertedTexts } from '../state/inserted-texts';
import { smallModelSpec } from './small-model';
import { loadLazily, loadOnce, type LoadedOnce } from './load-once';

interface ChatOptions extends Pick<
  ChatFunctions,
  'onRunning' | 'inserted' | 'nextTask' | 'onUsage' | 'newId' | 'now' | 'date'
> {
  store: Promise<Pick<OpenStore, 'chats' | 'drafts'>>;
  loadRuntime: () => Promise<Pick<AgentRuntime, 'run' | 'host'>>;
  spec: ModelName;
  settings: () => Pick<Settings, 'model' | 'rounds'>;
  settingsRead: () => Promise<unknown>;
  /** When the user last cancelled loading a model, in milliseconds, as returned by `now`. A turn requested before that must not load a model again. */
  cancelledAt: () => number;
  /** Locks a chat's turns across tabs. Resolves to undefined if another tab runs a turn of this chat. */
  lock: ChatFunctions['lockTurn'];
}

export function createChatFunctions(parts: ChatOptions): ChatFunctions {
  const { store, loadRuntime, spec, settings, settingsRead, cancelledAt, lock, ...handed } = parts;
  /** Returns the loaded model. A running turn keeps its model loaded, so the loaded model is also the one that answers. */
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
    currentModel(writer) {
      const { id, engine } = (writer === smallModelSpec?.id && smallModelSpec) || loaded();
      return { id, engine };
    },
    chats: loadLazily(async () => (await store).chats),
    drafts: loadLazily(async () => (await store).drafts),
    async lockTurn(chatId) {
      // Wait for the settings. Otherwise the turn would ignore the chosen model and offer tools that are off.
      await settingsRead().catch(() => undefined);
      return lock(chatId);
    },
  };
}

/** Loads the code that finds inserted texts with the first of them. Until then, every text counts as containing them. */
export function createInsertedTexts(): ChatFunctions['inserted'] {
  let texts: InsertedTexts | undefined;
  const waiting: InsertedText[] = [];
  const loading = loadOnce(async () => {
    const { InsertedTexts: Texts } = await import('../state/inserted-texts');
    texts = new Texts();
    for (const inserted of waiting) texts.add(inserted);
  });
  return {
    add(inserted) {
      if (texts) texts.add(inserted);
      else waiting.push(inserted);
      void loading.load().catch(() => undefined);
    },
    originsIn: (text) => texts?.originsIn(text) ?? waiting.map(({ origin }) => origin),
  };
}

/** These functions never reject. The model's phase shows when a load has failed. */
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
    // Wait until the page is idle, so the letter just typed appears first.
    load: () => void whenIdle().then(() => loadWith('load')),
    retry: () => void loadWith('retry'),
    loadDespiteOtherTab: () => loadWith('loadDespiteOtherTab'),
    cancel() {
      cancelledAt = now();
      void runtime.begun?.then(({ host }) => host.cancel()).catch(ignore);
    },
  };
}

export const toTurnLockName = (chatId: string) => `turn:${chatId}`;
