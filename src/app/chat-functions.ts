/** A part of the composition root: what a chat is handed to run its turns and to write them down. */
import { AppError, writeError } from '../contracts/app-error';
import type { ModelName } from '../contracts/model-library';
import type { Settings } from '../contracts/settings';
import type { ChatFunctions } from '../state/chat-session.svelte';
import type { OpenStore } from '../store/open-store';
import type { AgentRuntime } from './agent-runtime';
import { late } from './load-once';

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
