import { expose } from 'comlink';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../../src/contracts/app-error';
import type { ChatModel, LoadProgress, ModelEvent } from '../../../../src/contracts/model';
import {
  createModelHost,
  type HostPhase,
  type Silence,
  type SilenceLimits,
} from '../../../../src/engines/host/model-host';
import { ember } from '../../../../src/ember/spec';
import { createRemoteModel } from '../../../../src/engines/host/remote-model';
import { serveModel } from '../../../../src/engines/host/serve-model';
import { collect } from '../../../support/collect';
import { wait } from '../../../support/tools';

const usage = { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 };
const context = { promptTokens: 1, limitTokens: 100, droppedMessages: 0 };
const request = { messages: [], tools: [], toolChoice: 'auto' as const };
const neverAborts = new AbortController().signal;

function done(text: string): ModelEvent {
  const message = { role: 'assistant' as const, content: [{ type: 'text' as const, text }] };
  return { type: 'finish', message: { ...message, finishReason: 'stop' }, usage };
}

type Life = (
  onProgress: (progress: LoadProgress) => void,
  onLost: (fault: AppError) => void,
) => Promise<ChatModel['respond']>;
/** Timeouts that even a busy machine does not reach. */
const patientLimits = {
  loadMs: 10_000,
  firstTokenMs: 10_000,
  unknownSpeedMs: 10_000,
  betweenTokensMs: 10_000,
  slowMs: 10_000,
};
/** Nobody can be asked whether to wait. */
const nobody = { onSilent: () => false, onSilenceEnd: () => undefined };
const host = (...lives: Life[]) => hostWith(patientLimits, ...lives);

/** Each new worker in this thread gets the next life. Both sides use a real message channel. */
function hostWith(limits: SilenceLimits, ...lives: Life[]) {
  const phases: string[] = [];
  const slow: boolean[] = [];
  const queued: boolean[] = [];
  let started = 0;
  const model = createModelHost({
    spec: ember,
    open() {
      const life = lives[started++]!;
      const { port1, port2 } = new MessageChannel();
      expose(
        serveModel(async (_spec, { onProgress, onLost = () => undefined }) => ({
          respond: await life(onProgress, onLost),
          measure: async () => context,
        })),
        port2,
      );
      port1.start();
      return createRemoteModel(Object.assign(port1, { terminate: () => port2.close() }) as unknown as Worker);
    },
    onPhase: (phase: HostPhase) => phases.push(phase.type),
    onSlow: (isSlow) => slow.push(isSlow),
    onQueued: (isQueued) => queued.push(isQueued),
    ...nobody,
    limits,
  });
  const ask = (signal = neverAborts) => collect(model.respond(request, signal) as AsyncGenerator<ModelEvent>);
  return { model, ask, phases, slow, workers: () => started };
}
const says =
  (text: string): Life =>
  async () =>
    async function* () {
      yield { type: 'text-delta', text };
      yield done(text);
    };
const hangs = async (): Promise<ChatModel['respond']> =>
  async function* () {
    yield { type: 'text-delta', text: 'half' };
    await new Promise(() => undefined);
  };
const lastEvent = ({ items }: { items: ModelEvent[] }) => items.at(-1);

test('the first request loads the model, and the next one reuses it', async () => {
  const { ask, phases, workers } = host(says('a'));
  expect(lastEvent(await ask())).toMatchObject({ type: 'finish', message: { finishReason: 'stop' } });
  await ask();
  expect(workers()).toBe(1);
  expect(phases.filter((phase, index) => phase !== phases[index - 1])).toEqual(['loading', 'ready']);
});

test('a lost engine is reported with its error code, and the next request starts another worker', async () => {
  const dies = async (): Promise<ChatModel['respond']> =>
    async function* () {
      yield { type: 'text-delta', text: 'half' };
      throw new AppError('gpu-lost', 'The device was lost.');
    };
  const { ask, phases, workers } = host(dies, says('whole'));
  await expect(ask()).rejects.toThrow('[gpu-lost] The device was lost.');
  expect(phases.at(-1)).toBe('idle');
  expect(lastEvent(await ask())).toMatchObject({ type: 'finish', message: { finishReason: 'stop' } });
  expect(workers()).toBe(2);
});

describe('a model that loses the GPU or memory', () => {
  const lost = new AppError('gpu-lost', 'The device was lost.');

  test('invariant: a model lost while idle is reported at once and restarts with the next question', async () => {
    let lose = () => {};
    const losable: Life = (onProgress, onLost) => {
      lose = () => onLost(lost);
      return says('before')(onProgress, onLost);
    };
    const { ask, phases, workers } = host(losable, says('after'));
    await ask();
    lose();
    await expect.poll(() => phases.at(-1)).toBe('failed');
    expect(lastEvent(await ask())).toMatchObject({ message: { content: [{ text: 'after' }] } });
    expect([workers(), phases.at(-1)]).toEqual([2, 'ready']);
  });

  test('it delivers the text of its reply before the error', async () => {
    const losable: Life = async (_, onLost) =>
      async function* () {
        yield { type: 'text-delta', text: 'half' };
        onLost(lost);
        await wait(30);
        yield { type: 'text-delta', text: ' of it' };
        throw lost;
      };
    const { model, phases } = host(losable);
    const seen: string[] = [];
    const reply = async () => {
      for await (const event of model.respond(request, neverAborts))
        if ('text' in event) seen.push(event.text);
    };
    await expect(reply()).rejects.toThrow('[gpu-lost]');
    expect(seen.join('')).toBe('half of it');
    expect(phases.at(-1)).not.toBe('ready');
  });
});

test('a request that waits behind a hanging reply is answered by a new worker', async () => {
  let lives = 0;
  const queued: boolean[] = [];
  const model = createModelHost({
    spec: ember,
    open() {
      const life = ++lives;
      let close: (reason: Error) => void = () => undefined;
      const over = new Promise<never>((_resolve, reject) => (close = reject));
      over.catch(() => undefined);
      let isBusy = false;
      return {
        load: async () => undefined,
        measure: async () => context,
        async *respond(_request, _signal, onQueued = () => undefined) {
          if (life === 1) {
            onQueued(isBusy);
            isBusy = true;
            await over;
          }
          yield done('again');
        },
        close: (reason) => close(reason),
      };
    },
    onPhase: () => undefined,
    onSlow: () => undefined,
    onQueued: (isQueued) => queued.push(isQueued),
    ...nobody,
    limits: { ...patientLimits, unknownSpeedMs: 30 },
  });
  const ask = () => collect(model.respond(request, neverAborts) as AsyncGenerator<ModelEvent>);
  const hanging = ask();
  const next = ask();
  await wait(5);
  // The reply before it belongs to this page, so no other tab goes first.
  expect(queued).not.toContain(true);
  await expect(hanging).rejects.toThrow('No sign of life');
  expect(lastEvent(await next)).toMatchObject({ message: { content: [{ text: 'again' }] } });
  expect(lives).toBe(2);
  expect(queued.at(-1)).toBe(false);
});

test('a silent engine is terminated, and a new worker answers the next request', async () => {
  const { ask, workers, slow } = hostWith(
    { ...patientLimits, betweenTokensMs: 40, slowMs: 20 },
    hangs,
    says('again'),
  );
  await expect(ask()).rejects.toThrow('No sign of life for 0.04 s.');
  // On a busy machine, the load may have been slow too.
  expect(slow.slice(-2)).toEqual([true, false]);
  expect(lastEvent(await ask())).toMatchObject({ message: { content: [{ text: 'again' }] } });
  expect(workers()).toBe(2);
});

describe('a model that says nothing before its first token', () => {
  afterEach(() => vi.useRealTimers());
  const minutes = (count: number) => count * 60_000;
  const limits = {
    loadMs: minutes(10),
    firstTokenMs: minutes(3),
    unknownSpeedMs: minutes(5),
    betweenTokensMs: 30_000,
    slowMs: 10_000,
  };
  const reads = (promptTokens: number): ModelEvent => ({
    type: 'context',
    context: { promptTokens, limitTokens: 4096, droppedMessages: 0 },
  });
  /** Ends a reply whose prompt took `msPerToken` for each of 100 tokens. */
  const doneAt = (msPerToken: number): ModelEvent => ({
    ...(done('measured') as Extract<ModelEvent, { type: 'finish' }>),
    usage: { promptTokens: 100, prefilledTokens: 100, outputTokens: 1, firstTokenMs: 100 * msPerToken },
  });

  /** Each request gets the next list of events, and then silence until `speak`. */
  function silentHost({ canAsk = true } = {}, ...heard: ModelEvent[][]) {
    vi.useFakeTimers();
    const asked: Silence[] = [];
    let isOpen = false;
    let isEnded = false;
    let speak: (event: ModelEvent) => void = () => undefined;
    const model = createModelHost({
      spec: ember,
      open() {
        let close: (reason: Error) => void = () => undefined;
        const over = new Promise<never>((_resolve, reject) => (close = reject));
        over.catch(() => undefined);
        return {
          load: async () => undefined,
          measure: async () => context,
          async *respond(_request, signal) {
            const stopped = new Promise<never>((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(new Error('stopped')));
            });
            stopped.catch(() => undefined);
            yield* heard.shift() ?? [];
            const next = () => new Promise<ModelEvent>((resolve) => (speak = resolve));
            for (;;) {
              const event = await Promise.race([next(), over, stopped]);
              yield event;
              if (event.type === 'finish') return;
            }
          },
          close: (reason) => {
            isEnded = true;
            close(reason);
          },
        };
      },
      onPhase: () => undefined,
      onSlow: () => undefined,
      onQueued: () => undefined,
      onSilent(silence) {
        if (canAsk) asked.push(silence);
        isOpen = canAsk;
        return canAsk;
      },
      onSilenceEnd: () => (isOpen = false),
      limits,
    });
    /** Answers the request, and resolves to the last event or the error. */
    const ask = (signal = new AbortController().signal) =>
      collect(model.respond(request, signal) as AsyncGenerator<ModelEvent>).then(
        lastEvent,
        (error: unknown) => error,
      );
    return {
      ask,
      asked,
      say: (event: ModelEvent) => speak(event),
      isOpen: () => isOpen,
      isEnded: () => isEnded,
    };
  }
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  test.for([
    { name: 'of unknown speed', msPerToken: undefined, tokens: 900, limit: minutes(5) },
    { name: 'that reads quickly', msPerToken: 1, tokens: 900, limit: minutes(3) },
    { name: 'that reads 900 tokens in 3 minutes', msPerToken: 200, tokens: 900, limit: minutes(9) },
  ])('is waited for as long as its speed says: one $name', async ({ msPerToken, tokens, limit }) => {
    const { ask, asked, say } = silentHost({}, [], [reads(tokens)]);
    const first = ask();
    await pass(0);
    say(msPerToken === undefined ? done('too short to measure') : doneAt(msPerToken));
    await first;
    void ask();
    await pass(limit - 1);
    expect(asked).toEqual([]);
    await pass(1);
    expect(asked.map(({ ms }) => ms)).toEqual([limit]);
  });

  test('invariant: without an answer, we keep waiting, and the first word removes the question', async () => {
    const { ask, asked, say, isOpen, isEnded } = silentHost();
    const reply = ask();
    await pass(minutes(60));
    expect([asked.length, isOpen(), isEnded()]).toEqual([1, true, false]);
    say({ type: 'text-delta', text: 'At last.' });
    await pass(0);
    expect(isOpen()).toBe(false);
    // An answer that comes too late changes nothing.
    asked[0]?.giveUp();
    asked[0]?.keepWaiting();
    say(done('At last.'));
    expect(await reply).toMatchObject({ type: 'finish' });
    expect(isEnded()).toBe(false);
  });

  test('the user is asked again after as long a silence, with its whole length', async () => {
    const { ask, asked, isOpen } = silentHost();
    void ask();
    await pass(minutes(5));
    asked[0]?.keepWaiting();
    expect(isOpen()).toBe(false);
    await pass(minutes(5));
    expect(asked.map(({ ms }) => ms)).toEqual([minutes(5), minutes(10)]);
    expect(isOpen()).toBe(true);
  });

  test('giving up ends the model, and the request fails with a timeout', async () => {
    const { ask, asked, isOpen, isEnded } = silentHost();
    const reply = ask();
    await pass(minutes(5));
    asked[0]?.giveUp();
    expect(await reply).toMatchObject({ code: 'engine-timeout', message: 'No sign of life for 300 s.' });
    expect([isOpen(), isEnded()]).toEqual([false, true]);
  });

  test('Stop ends the reply and removes the question', async () => {
    const { ask, isOpen } = silentHost();
    const stop = new AbortController();
    const reply = ask(stop.signal);
    await pass(minutes(5));
    stop.abort();
    expect(await reply).toMatchObject({ message: 'stopped' });
    expect(isOpen()).toBe(false);
  });

  test('progress in the prompt postpones the question', async () => {
    const { ask, asked, say } = silentHost();
    void ask();
    for (let part = 1; part < 5; part++) {
      await pass(minutes(4));
      say({ type: 'prompt-progress', readTokens: part, totalTokens: 9, remainingMs: 1 });
      await pass(0);
    }
    expect(asked).toEqual([]);
  });

  test('if nobody can be asked, it is given up at the limit', async () => {
    const { ask, isEnded } = silentHost({ canAsk: false });
    const reply = ask();
    await pass(minutes(5));
    expect(await reply).toMatchObject({ code: 'engine-timeout' });
    expect(isEnded()).toBe(true);
  });

  test('a silence in the middle of a reply still ends the model, so that it starts again by itself', async () => {
    const { ask, asked, say, isEnded } = silentHost();
    const reply = ask();
    await pass(0);
    say({ type: 'text-delta', text: 'half' });
    await pass(30_000);
    expect(await reply).toMatchObject({ code: 'engine-timeout' });
    expect([asked.length, isEnded()]).toEqual([0, true]);
  });
});

test('a failed load fails the waiting requests and can be retried', async () => {
  const { ask, phases } = host(() => Promise.reject(new AppError('model-damaged', 'no magic')), says('now'));
  await expect(ask()).rejects.toMatchObject({ code: 'model-damaged', message: 'no magic' });
  expect(phases.at(-1)).toBe('failed');
  expect(lastEvent(await ask())).toMatchObject({ message: { finishReason: 'stop' } });
});

test('a model load without progress times out', async () => {
  const limits = { ...patientLimits, loadMs: 300 };
  const { ask, phases, workers } = hostWith(limits, () => new Promise(() => undefined), says('now'));
  await expect(ask()).rejects.toMatchObject({ code: 'engine-timeout' });
  expect(phases.at(-1)).toBe('failed');
  expect(lastEvent(await ask())).toMatchObject({ message: { content: [{ text: 'now' }] } });
  expect(workers()).toBe(2);
});

test('progress reported after a load has ended is ignored', async () => {
  const late: (() => void)[] = [];
  const { ask, phases } = host(async (onProgress) => {
    late.push(() => onProgress({ step: 'start', loadedBytes: 0, totalBytes: 0 }));
    return await says('a')(onProgress, () => undefined);
  });
  await ask();
  late.forEach((send) => send());
  await ask();
  await wait(20);
  expect(phases.at(-1)).toBe('ready');
});

test('cancelling a load fails the requests that wait for it', async () => {
  const { model, ask, phases } = host(() => new Promise(() => undefined), says('now'));
  const reply = ask();
  await wait(5);
  model.cancel();
  await expect(reply).rejects.toMatchObject({ code: 'load-cancelled' });
  expect(phases.at(-1)).toBe('idle');
});

test('another model loads only after the running turns have ended', async () => {
  const { model, ask, workers } = host(says('first'), says('second'));
  const other = { ...ember, id: 'other' };
  const release = await model.hold(ember, neverAborts);
  await ask();
  let isHeld = false;
  const waiting = model.hold(other, neverAborts).then((letGo) => {
    isHeld = true;
    return letGo;
  });
  await wait(5);
  expect(isHeld).toBe(false);
  expect(lastEvent(await ask())).toMatchObject({ message: { content: [{ text: 'first' }] } });
  release();
  await waiting;
  expect(model.spec.id).toBe('other');
  expect(lastEvent(await ask())).toMatchObject({ message: { content: [{ text: 'second' }] } });
  expect(workers()).toBe(2);
});

test('new sampling settings apply to the next request without reloading the model', async () => {
  const asked: unknown[] = [];
  const { model, ask, workers } = host(
    async () =>
      async function* ({ sampling }) {
        asked.push(sampling);
        yield done('a');
      },
  );
  const release = await model.hold(ember, neverAborts);
  await ask();
  model.replace({ ...ember, sampling: { temperature: 0.9, topP: 0.5 } });
  await ask();
  release();
  expect(asked).toEqual([ember.sampling, { temperature: 0.9, topP: 0.5 }]);
  expect(workers()).toBe(1);
});

test('a request can override the sampling settings of the model', async () => {
  const asked: unknown[] = [];
  const { model } = host(
    async () =>
      async function* ({ sampling }) {
        asked.push(sampling);
        yield done('a');
      },
  );
  const release = await model.hold(ember, neverAborts);
  const request = {
    messages: [],
    tools: [],
    toolChoice: 'none' as const,
    sampling: { temperature: 1, seed: 7 },
  };
  await collect(model.respond(request, neverAborts) as AsyncGenerator<ModelEvent>);
  release();
  expect(asked).toEqual([{ temperature: 1, seed: 7 }]);
});

test('a turn that is stopped while it waits for another model never loads it', async () => {
  const { model } = host(says('first'));
  await model.hold(ember, neverAborts);
  const stop = new AbortController();
  const waiting = model.hold({ ...ember, id: 'other' }, stop.signal);
  stop.abort();
  await expect(waiting).rejects.toThrow('aborted');
  expect(model.spec.id).toBe(ember.id);
});
