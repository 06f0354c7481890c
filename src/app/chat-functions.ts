/** Part of the composition root: the functions that a chat needs to run and store its turns. */
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
  /** The current settings. */
  settings: () => Pick<Settings, 'model' | 'rounds'>;
  /** Settles when the stored settings have been read. */
  settingsRead: () => Promise<unknown>;
  /** When the user last cancelled a load, by `now`. A turn that was started before must not load the model again. */
  cancelledAt: () => number;
  /** The lock that is held while a turn of the chat runs, in any tab. Undefined if another tab holds it. */
  lock: ChatFunctions['lockTurn'];
}

export function createChatFunctions(parts: ChatParts): ChatFunctions {
  const { store, loadRuntime, spec, settings, settingsRead, cancelledAt, lock, ...handed } = parts;
  /** The loaded model. A running turn holds it, so this is the model that writes. */
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
      // Without the stored settings, the question would go to the default model, with tools that the user switched off.
      await settingsRead().catch(() => undefined);
      return lock(chatId);
    },
  };
}
