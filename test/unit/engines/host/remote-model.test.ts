import { expose } from 'comlink';
import { expect, test } from 'vitest';
import { AppError } from '../../../../src/contracts/app-error';
import type { ChatModel, LoadProgress, ModelEvent } from '../../../../src/contracts/model';
import { ember } from '../../../../src/ember/spec';
import { createRemoteModel } from '../../../../src/engines/host/remote-model';
import { serveModel } from '../../../../src/engines/host/serve-model';
import { collect } from '../../../support/collect';

const usage = { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 };
const request = { messages: [], tools: [], toolChoice: 'auto' as const };
const context = { promptTokens: 7, limitTokens: 100, droppedMessages: 0 };
const neverAborts = new AbortController().signal;
const spec = ember;
const ignore = () => undefined;

/** A worker in this thread: the other end of a real message channel. */
function connect(load: Parameters<typeof serveModel>[0]) {
  const { port1, port2 } = new MessageChannel();
  expose(serveModel(load), port2);
  port1.start();
  const worker = Object.assign(port1, { terminate: () => port2.close() }) as unknown as Worker;
  return { worker, model: createRemoteModel(worker) };
}
async function start(respond: ChatModel['respond']) {
  const connected = connect(async () => ({ respond, measure: async () => context }));
  await connected.model.load(spec, ignore);
  return { ...connected, close: () => connected.model.close(new Error('over')) };
}
const finish = (text: string, finishReason: 'stop' | 'aborted'): ModelEvent => ({
  type: 'finish',
  usage,
  message: { role: 'assistant', content: [{ type: 'text', text }], finishReason },
});
async function* nothing(): AsyncGenerator<ModelEvent> {
  yield finish('', 'stop');
}
const replyOf = (events: AsyncIterable<ModelEvent>) => collect(events as AsyncGenerator<ModelEvent>);

test('the tokens of a reply arrive in a few batches, without loss, before the finish event', async () => {
  const { model, close } = await start(async function* () {
    for (let token = 0; token < 500; token++) yield { type: 'text-delta', text: `${token} ` };
    yield finish('', 'stop');
  });
  const { items } = await replyOf(model.respond(request, neverAborts));
  expect(items.length).toBeLessThan(10);
  expect(items.map((event) => ('text' in event ? event.text : '')).join('')).toContain('499');
  expect(items.at(-1)?.type).toBe('finish');
  expect(await model.measure([], [])).toEqual(context);
  close();
});

test('a stopped reply still ends with a finish event with the reason "aborted"', async () => {
  const { model, close } = await start(async function* (_request, signal) {
    while (!signal.aborted) {
      yield { type: 'text-delta', text: 'x' };
      await new Promise((r) => setTimeout(r, 2));
    }
    yield finish('', 'aborted');
  });
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 40);
  const { items } = await replyOf(model.respond(request, abort.signal));
  expect(items.at(-1)).toMatchObject({ type: 'finish', message: { finishReason: 'aborted' } });
  close();
});

test('a crash of the model worker fails the current reply and every later call', async () => {
  const { model, worker, close } = await start(async function* () {
    yield { type: 'text-delta', text: 'half' };
    await new Promise(() => undefined);
  });
  const seen: string[] = [];
  await expect(async () => {
    for await (const event of model.respond(request, neverAborts)) {
      seen.push(event.type);
      worker.dispatchEvent(new Event('error'));
    }
  }).rejects.toThrow('crashed');
  expect(seen).toEqual(['text-delta']);
  await expect(model.measure([], [])).rejects.toThrow('crashed');
  close();
});

test('a crash of the model worker is reported even while it is idle', async () => {
  const faults: string[] = [];
  const { model, worker } = connect(async () => ({ respond: nothing, measure: async () => context }));
  const told = (fault: AppError) => faults.push(fault.code);
  await model.load(spec, ignore, told);
  worker.dispatchEvent(new Event('error'));
  // Whoever waits for the worker receives the error first.
  await expect.poll(() => faults).toEqual(['engine-crashed']);
  model.close(new Error('over'));
});

test('a model worker that cannot be downloaded is not reported as a crash', async () => {
  const { model, worker } = connect(async () => ({ respond: nothing, measure: async () => context }));
  const loading = model.load(spec, ignore);
  worker.dispatchEvent(new Event('error'));
  await expect(loading).rejects.toMatchObject({ code: 'model-unreachable' });
  model.close(new Error('over'));
});

test('invariant: the model worker refuses a request that does not match its schema', async () => {
  const { model, close } = await start(async function* () {
    yield finish('', 'stop');
  });
  const wrong = { ...request, messages: [{ role: 'oracle' }] } as never;
  await expect(replyOf(model.respond(wrong, neverAborts))).rejects.toThrow('"role"');
  close();
});

test('the page receives the progress and the error code of a failed load', async () => {
  const progress = { step: 'weights' as const, loadedBytes: 1, totalBytes: 2 };
  const seen: LoadProgress[] = [];
  const { model } = connect(async (_spec, { onProgress }) => {
    onProgress(progress);
    throw new AppError('model-damaged', 'Not a GGUF.');
  });
  await expect(model.load(spec, (now) => seen.push(now))).rejects.toMatchObject({
    code: 'model-damaged',
    message: 'Not a GGUF.',
  });
  expect(seen).toEqual([progress]);
  model.close(new Error('over'));
});
