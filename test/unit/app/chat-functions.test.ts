/** What a chat uses to run and store turns: the right model is chosen, and writes wait for the store. */
import { expect, test } from 'vitest';
import { createChatFunctions, createModelFunctions } from '../../../src/app/chat-functions';
import { loadOnce } from '../../../src/app/load-once';
import { AppError } from '../../../src/contracts/app-error';
import type { TurnOptions } from '../../../src/app/run-turn';
import { collect } from '../../support/collect';
import { chatRecord } from '../../support/stored-chat';
import { small } from '../../support/web-llm-model';
import { createMemoryStore } from '../../../src/store/open-store';
import { InsertedTexts } from '../../../src/state/inserted-texts';

const ember = { ...small, id: 'ember', name: 'Ember', engine: 'llama' };
const chosen = { id: 'chosen', name: 'Chosen', engine: 'web-llm', bytes: 1 };

function stage({ fault, model = null }: { fault?: Error; model?: typeof chosen | null } = {}) {
  const clock = { now: 100 };
  const calls: string[] = [];
  const turns: Pick<TurnOptions, 'model' | 'rounds' | 'toolsOff'>[] = [];
  const cancelled: boolean[] = [];
  const host = { spec: ember, cancel: () => void calls.push('cancel') };
  const runtime = loadOnce(async () => {
    calls.push('loaded');
    if (fault) throw fault;
    return {
      host: host as never,
      load: async ({ id }: { id: string }) => void calls.push(`load ${id}`),
      retry: async ({ id }: { id: string }) => void calls.push(`retry ${id}`),
      loadDespiteOtherTab: async ({ id }: { id: string }) => void calls.push(`beside ${id}`),
      async *run(_history: unknown, { model, rounds, toolsOff, isCancelled }: TurnOptions) {
        cancelled.push(isCancelled());
        turns.push({ model, rounds, toolsOff });
        yield { type: 'turn-end' as const, reason: 'answered' as const };
        return [];
      },
    };
  });
  const models = createModelFunctions({
    runtime,
    chosen: () => chosen,
    whenIdle: async () => void calls.push('idle'),
    now: () => clock.now,
  });
  const store = createMemoryStore(() => 5);
  const { chats } = store;
  const locks: string[] = [];
  let settle: () => void = () => undefined;
  const settingsRead = new Promise<void>((resolve) => (settle = resolve));
  const functions = createChatFunctions({
    store: Promise.resolve(store),
    loadRuntime: runtime.load,
    spec: { ...ember, bytes: 1 },
    settings: () => ({ model, rounds: 3 }),
    settingsRead: () => settingsRead,
    cancelledAt: models.cancelledAt,
    lock: async (chatId) => {
      locks.push(chatId);
      return () => undefined;
    },
    onRunning: () => undefined,
    inserted: new InsertedTexts(),
    nextTask: async () => undefined,
    onUsage: () => undefined,
    newId: () => 'id',
    now: () => clock.now,
    date: () => 5,
  });
  const run = (askedAt = 100, own?: typeof chosen) =>
    collect(
      functions.run([], {
        chatId: 'chat',
        model: own,
        toolsOff: ['clock'],
        askedAt,
        toolSearch: undefined,
        toolOffer: undefined,
        branch: [],
        persona: undefined,
        isSteered: () => false,
        agentHistory: () => undefined,
        signal: new AbortController().signal,
      }),
    );
  return { functions, models, run, runtime, turns, cancelled, calls, clock, host, chats, locks, settle };
}
const unreachable = new AppError('model-unreachable', 'no network');
const own = { ...chosen, id: 'own' };

test.for([
  {
    sentence: 'a chat is answered by the model chosen for that chat, not by the one chosen in Settings',
    model: chosen,
    chat: own,
    id: 'own',
  },
  { sentence: 'the model chosen in Settings answers if the chat has none', model: chosen, id: 'chosen' },
  { sentence: 'the built-in model answers if no model is chosen', model: null, id: 'ember' },
])('$sentence', async ({ model, chat, id }) => {
  const { run, turns } = stage({ model });
  await run(100, chat);
  expect(turns).toMatchObject([{ model: { id }, rounds: 3, toolsOff: ['clock'] }]);
});

test('replies are recorded with the loaded model rather than the chosen one', async () => {
  const { functions, run, host } = stage({ model: chosen });
  expect(functions.currentModel()).toEqual({ id: 'ember', engine: 'llama' });
  host.spec = small;
  await run();
  expect(functions.currentModel()).toEqual({ id: 'small', engine: 'web-llm' });
});

test('cancelling a model load cancels questions sent before, but not later ones', async () => {
  const { run, models, runtime, cancelled, calls, clock } = stage();
  await runtime.load();
  clock.now = 200;
  models.cancel();
  await expect.poll(() => calls).toContain('cancel');
  await run(150);
  await run(250);
  expect(cancelled).toEqual([true, false]);
});

test("an answer fails with the error code if the model engine's code cannot be loaded", async () => {
  const { run, calls } = stage({ fault: unreachable });
  for (const turn of [await run(), await run()]) {
    expect(turn.items).toMatchObject([
      { message: { finishReason: 'error', errorMessage: '[model-unreachable] no network' } },
      { type: 'turn-end', reason: 'failed' },
    ]);
  }
  expect(calls).toEqual(['loaded', 'loaded']);
});

test('a bug in Hearth is not reported as a failure of the model', async () => {
  const { run } = stage({ fault: new TypeError('of undefined') });
  await expect(run()).rejects.toThrow('of undefined');
});

test('Hearth waits until the settings are loaded before it locks a chat to answer in it', async () => {
  const { functions, locks, settle } = stage();
  const locking = functions.lockTurn('chat');
  await Promise.resolve();
  expect(locks).toEqual([]);
  settle();
  await locking;
  expect(locks).toEqual(['chat']);
});

test('a new chat title is saved to the store', async () => {
  const { functions, chats } = stage();
  await functions.chats.create(chatRecord('chat'));
  await functions.chats.retitle('chat', 'Hello');
  expect(await chats.list()).toMatchObject([{ id: 'chat', title: 'Hello' }]);
});

test('the first model load waits until the page is idle, and a retry starts at once', async () => {
  const { models, calls } = stage();
  models.load();
  await expect.poll(() => calls).toEqual(['idle', 'loaded', 'load chosen']);
  models.retry();
  await models.loadDespiteOtherTab();
  expect(calls.slice(3)).toEqual(['retry chosen', 'beside chosen']);
  const failing = stage({ fault: unreachable });
  await expect(failing.models.loadDespiteOtherTab()).resolves.toBeUndefined();
});

test('cancelling before any model load does not start one', () => {
  const { models, calls, clock } = stage();
  clock.now = 7;
  models.cancel();
  expect(models.cancelledAt()).toBe(7);
  expect(calls).toEqual([]);
});
