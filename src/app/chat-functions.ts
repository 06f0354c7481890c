/** A part of the composition root: what a chat is handed to run its turns and to write them down. */
import { AppError, writeError } from '../contracts/app-error';
import type { ModelName } from '../contracts/model-library';
import type { Settings } from '../contracts/settings';
import type { ChatFunctions } from '../state/chat-session.svelte';
import type { OpenStore } from '../store/open-store';
import type { AgentRuntime } from './agent-runtime';
import { late, type LoadedOnce } from './load-once';
import type { ModelFunctions } from '../state/model-status.svelte';

interface ChatParts extends Pick<ChatFunctions, 'onRunning' | 'onUsage' | 'newId' | 'now' | 'date'> {
  store: Promise<Pick<OpenStore, 'chats' | 'drafts'>>;
  /** Rejects with an `AppError`. */
  loadRuntime: () => Promise<Pick<AgentRuntime, 'run' | 'host'>>;
  /** The model that ships with the app, for chats that chose none. */
  spec: ModelName;
  /** The settings as they are at this moment. */
  settings: () => Pick<Settings, 'model' | 'rounds'>;
  /** Settles when those that are kept were read. */
  settingsRead: () => Promise<unknown>;
  /** When the person last cancelled a load, by `now`: a turn that was asked for before does not begin another. */
  cancelledAt: () => number;
  /** Held while a turn of the chat runs, in any tab; `undefined` if another tab holds it. */
  lock: ChatFunctions['lockTurn'];
}

export function createChatFunctions(parts: ChatParts): ChatFunctions {
  const { store, loadRuntime, spec, settings, settingsRead, cancelledAt, lock, ...handed } = parts;
  /** The model that is loaded. A turn holds it for as long as it runs, so this is the one that writes. */
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
    chats: late(
      async () => (await store).chats,
      [
        'create',
        'update',
        'retitle',
        'load',
        'loadBefore',
        'binFrom',
        'restoreFrom',
        'save',
        'checkpoint',
        'mark',
      ],
    ),
    drafts: late(async () => (await store).drafts, ['save']),
    async lockTurn(chatId) {
      // Asked before the settings are read, it would go to another model, with tools that are switched off.
      await settingsRead().catch(() => undefined);
      return lock(chatId);
    },
  };
}

interface ModelParts {
  runtime: LoadedOnce<Pick<AgentRuntime, 'load' | 'retry' | 'loadBeside' | 'host'>>;
  /** The model of the chat that is shown. */
  chosen: () => ModelName;
  /** Resolves when the page has nothing better to do. */
  whenIdle: () => Promise<void>;
  /** Milliseconds, from any start. */
  now: () => number;
}

/** A load that fails shows itself by its phase, so nothing here rejects. */
export function createModelFunctions({ runtime, chosen, whenIdle, now }: ModelParts): ModelFunctions & {
  /** When the person last cancelled a load, by `now`. */
  cancelledAt: () => number;
} {
  const ignore = () => undefined;
  let cancelledAt = -Infinity;
  return {
    cancelledAt: () => cancelledAt,
    // Not at once: the letter that was typed is drawn first.
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

/** The name of the lock that is held while a turn of this chat runs, in any tab. */
export const turnLock = (chatId: string) => `turn:${chatId}`;
