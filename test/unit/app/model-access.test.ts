/** Which model answers for the chosen one, and how it is loaded: the real host and fallbacks, with simulated models. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createModelAccess } from '../../../src/app/model-access';
import { AppError } from '../../../src/contracts/app-error';
import type { ModelEvent, ModelSpec } from '../../../src/contracts/model';
import type { SilenceQuestion } from '../../../src/contracts/model-library';
import type { RunningModel } from '../../../src/engines/host/running-model';
import { scriptedModel } from '../../support/scripted-model';
import { small as large } from '../../support/web-llm-model';

// The worker's security policies need a page.
vi.mock('../../../src/platform/start-worker', () => ({}));

const ember: ModelSpec = {
  ...large,
  id: 'ember',
  name: 'Ember',
  engine: 'llama',
  isSmall: true,
  file: { path: 'models/ember.gguf', bytes: 10 },
};
const wanted = { id: large.id, name: large.name };
const ofEmber = { id: 'ember', name: 'Ember' };

function stage({
  isKept = true,
  fails = undefined as AppError | undefined,
  hasBuiltIn = true,
  isSilent = false,
  canAsk = true,
} = {}) {
  const log: string[] = [];
  const questions: (SilenceQuestion | undefined)[] = [];
  const kept = { isKept };
  /** By model id: the library finds the model only when this promise resolves. */
  const late = new Map<string, Promise<void>>();
  let isShared = false;
  let answer: (event: ModelEvent) => void = () => undefined;
  const access = createModelAccess({
    spec: hasBuiltIn ? ember : undefined,
    lastResort: hasBuiltIn ? ember : undefined,
    library: async () => ({
      find: async (id) => {
        await late.get(id);
        return id === large.id ? large : undefined;
      },
      isKept: async () => kept.isKept,
      alternativesTo: async () => ({ smaller: [] }),
    }),
    open: (spec): RunningModel => ({
      ...scriptedModel(),
      ...(isSilent && {
        async *respond() {
          yield await new Promise<ModelEvent>((speak) => (answer = speak));
        },
      }),
      async load(loading) {
        log.push(`load ${loading.id}`);
        if (loading.id === 'ember') log.push(loading.file.path);
        if (fails && loading.id === large.id) throw fails;
      },
      close: () => void log.push(`end ${spec.id}`),
    }),
    gpu: {
      async take(spec) {
        if (spec.id === large.id && kept.isKept && !isShared && log.includes('elsewhere')) {
          throw new AppError('model-elsewhere', 'Another tab has it.');
        }
        return () => undefined;
      },
      share: () => (isShared = true),
    },
    onFallback: (id, fallback) => log.push(`${id}: ${fallback?.model.id ?? 'itself'}`),
    onPhase: () => undefined,
    onSlow: () => undefined,
    onQueued: () => undefined,
    canAsk: () => canAsk,
    onSilence: (question) => questions.push(question),
    share: (openHere) => openHere,
    limits: {
      loadMs: 10_000,
      firstTokenMs: 10_000,
      unknownSpeedMs: 10_000,
      betweenTokensMs: 10_000,
      slowMs: 10_000,
    },
    baseUrl: 'https://hearth.example/app/',
    beforeLoad: () => undefined,
  });
  return { access, log, kept, late, questions, say: (event: ModelEvent) => answer(event) };
}

test('a loaded model can be replaced by another when no answer is using it', async () => {
  const { access, log } = stage();
  await access.load(wanted);
  expect(log).toEqual(['load small']);
  // No turn uses the model any more, so another one can replace it at once.
  await access.load(ofEmber);
  expect(log.slice(1, 3)).toEqual(['end small', 'load ember']);
});

test('when several models are requested, only the last one is loaded', async () => {
  const { access, log, late } = stage();
  let known = () => {};
  late.set(large.id, new Promise((resolve) => (known = resolve)));
  const first = access.load(wanted);
  await access.load(ofEmber);
  known();
  await expect(first).rejects.toMatchObject({ code: 'load-cancelled' });
  expect(log).not.toContain('load small');
  // Another request loads it.
  await access.load(wanted);
  expect(access.host.spec.id).toBe('small');
});

test('choosing the running model again cancels a queued load of another model', async () => {
  const { access, log } = stage();
  await access.load(ofEmber);
  const endTurn = await access.host.hold(access.host.spec, new AbortController().signal);
  const other = access.load(wanted);
  const isLetGo = expect(other).rejects.toMatchObject({ code: 'load-cancelled' });
  // The library has found the model, and its load is queued.
  await new Promise((resolve) => setTimeout(resolve));
  await access.load(ofEmber);
  endTurn();
  await isLetGo;
  expect(log).not.toContain('load small');
  expect(access.host.spec.id).toBe('ember');
});

test("the built-in model's file is found relative to Hearth's base URL", async () => {
  const { access, log } = stage();
  await access.load(ofEmber);
  expect(log.at(-1)).toBe('https://hearth.example/app/models/ember.gguf');
});

test('the built-in model is used while the chosen model is not on this device', async () => {
  const { access, log, kept } = stage({ isKept: false });
  await access.load(wanted);
  expect(log).toContain('small: ember');
  expect(access.host.spec.id).toBe('ember');
  kept.isKept = true;
  await access.load(wanted);
  expect(log).toContain('small: itself');
  expect(access.host.spec.id).toBe('small');
});

test('retrying a model load first tries the chosen model instead of its fallback', async () => {
  const { access, log } = stage({ isKept: false });
  await access.load(wanted);
  log.length = 0;
  await access.retry(wanted);
  // The model is still not on this device, so it is replaced again.
  expect(log.slice(0, 2)).toEqual(['small: itself', 'small: ember']);
});

test('after a failed model load, another model can be loaded', async () => {
  const { access } = stage({ fails: new AppError('out-of-memory', 'Too large.') });
  await expect(access.load(wanted)).rejects.toMatchObject({ code: 'out-of-memory' });
  await access.load(ofEmber);
  expect(access.host.spec.id).toBe('ember');
});

test('a model is not loaded while another tab has one on the GPU unless the user confirms', async () => {
  const { access, log } = stage();
  log.push('elsewhere');
  await expect(access.load(wanted)).rejects.toMatchObject({ code: 'model-elsewhere' });
  await access.loadDespiteOtherTab(wanted);
  expect(log.at(-1)).toBe('load small');
});

test('choosing an unavailable model is an error if there is no built-in model', async () => {
  const { access, log } = stage({ isKept: false, hasBuiltIn: false });
  await expect(access.load(wanted)).rejects.toMatchObject({ code: 'model-not-downloaded' });
  await expect(access.load({ id: 'none', name: '–' })).rejects.toMatchObject({
    code: 'model-not-downloaded',
  });
  expect(log).toEqual([]);
});

describe('a model that says nothing for longer than its limit', () => {
  afterEach(() => vi.useRealTimers());
  const request = { messages: [], tools: [], toolChoice: 'auto' as const };

  async function askSilent(parts: Parameters<typeof stage>[0]) {
    const given = stage({ isSilent: true, ...parts });
    await given.access.load(wanted);
    vi.useFakeTimers();
    const events = given.access.host.respond(request, new AbortController().signal);
    void Promise.resolve(events[Symbol.asyncIterator]().next()).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(10_000);
    return given;
  }

  test('the user is asked, with the model that could answer instead', async () => {
    const { questions, say } = await askSilent({});
    expect(questions).toMatchObject([{ model: { id: 'small' }, other: { id: 'ember' }, ms: 10_000 }]);
    say({ type: 'text-delta', text: 'At last.' });
    await vi.advanceTimersByTimeAsync(0);
    expect(questions.slice(1)).toEqual([undefined]);
  });

  test('if two requests are silent, the question about one outlives the other', async () => {
    const { access, questions } = await askSilent({});
    const events = access.host.respond(request, new AbortController().signal);
    void Promise.resolve(events[Symbol.asyncIterator]().next()).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(10_000);
    questions[1]?.keepWaiting();
    await vi.advanceTimersByTimeAsync(0);
    expect(questions.at(-1)?.giveUp).toBe(questions[0]?.giveUp);
    questions[0]?.keepWaiting();
    await vi.advanceTimersByTimeAsync(0);
    expect(questions.at(-1)).toBeUndefined();
  });

  test('the question names no other model if there is none', async () => {
    const { questions } = await askSilent({ hasBuiltIn: false });
    expect(questions).toMatchObject([{ model: { id: 'small' }, other: undefined }]);
  });

  test('no question is asked if no chat is being answered', async () => {
    const { questions, log } = await askSilent({ canAsk: false });
    expect(log).toContain('end small');
    expect(questions).toEqual([]);
  });
});
