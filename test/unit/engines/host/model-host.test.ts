import { expose } from 'comlink';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src/contracts/app-error';
import type { ChatModel, LoadProgress, ModelEvent } from '../../../../src/contracts/model';
import { createModelHost, type HostPhase, type SilenceLimits } from '../../../../src/engines/host/model-host';
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
const patientLimits = { loadMs: 10_000, firstTokenMs: 10_000, betweenTokensMs: 10_000, slowMs: 10_000 };
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
    limits: { ...patientLimits, firstTokenMs: 30 },
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
