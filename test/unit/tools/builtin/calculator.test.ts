import { expect, test } from 'vitest';
import {
  type CalculatorWorkerApi,
  createCalculator,
  createCalculatorTool,
} from '../../../../src/tools/builtin/calculator';
import { calculate } from '../../../../src/tools/builtin/calculator/calculate';
import { createChannelWorkers } from '../../../support/channel-worker';

const context = { signal: new AbortController().signal, onProgress: () => undefined };

test('the calculator returns first the bare number and then, as a separate text, the exact value', async () => {
  const tool = createCalculatorTool(async () => '53.3333333333 (exactly 160/3)');
  const output = await tool.execute({ expression: '1840/34.5' }, context);
  expect(output.content).toEqual([
    { type: 'text', text: '53.3333333333' },
    { type: 'text', text: '(exactly 160/3)' },
  ]);
});

const never = new AbortController().signal;
const limits = { startMs: 10_000, answerMs: 2_000 };
const hang = () => new Promise<never>(() => undefined);

const real = {
  start: () => undefined,
  calculate: (expression) => calculate(expression as string),
} satisfies CalculatorWorkerApi;

test('the first expression starts a calculator worker, which serves all later expressions', async () => {
  const { workers, startWorker } = createChannelWorkers(real);
  const { calculate: ask } = createCalculator(startWorker);
  expect(workers).toHaveLength(0);
  expect(await ask('17*23', never)).toBe('391');
  await expect(ask('12*', never)).rejects.toThrow('Expected a number after * at position 4');
  expect(await Promise.all([ask('1+1', never), ask('2+2', never)])).toEqual(['2', '4']);
  expect(workers).toMatchObject([{ isEnded: false }]);
});

test('a slow calculation ends its worker, and queued expressions get a new worker', async () => {
  const { workers, startWorker } = createChannelWorkers({ ...real, calculate: hang }, real);
  const { calculate: ask } = createCalculator(startWorker, { ...limits, answerMs: 30 });
  const [slow, next] = await Promise.allSettled([ask('9^9^9', never), ask('1+1', never)]);
  expect(slow).toMatchObject({ reason: new Error('The calculation took longer than 0.03 s and was ended') });
  expect(next).toMatchObject({ value: '2' });
  expect(workers).toMatchObject([{ isEnded: true }, { isEnded: false }]);
});

test('aborting a calculation ends its worker at once and rejects with the given reason', async () => {
  const { workers, startWorker } = createChannelWorkers({ ...real, calculate: hang }, real);
  const { calculate: ask } = createCalculator(startWorker);
  const stop = new AbortController();
  const answer = ask('1', stop.signal);
  setTimeout(() => stop.abort(new Error('stopped')), 5);
  await expect(answer).rejects.toThrow('stopped');
  expect(workers).toMatchObject([{ isEnded: true }]);
  expect(await ask('1+1', never)).toBe('2');
});

test('a calculator call that is already aborted starts no worker', async () => {
  const { workers, startWorker } = createChannelWorkers();
  const { calculate: ask } = createCalculator(startWorker);
  await expect(ask('1', AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  expect(workers).toEqual([]);
});

test('a calculator worker that does not start or crashes is replaced', async () => {
  const { workers, startWorker } = createChannelWorkers(
    { ...real, start: hang },
    { ...real, calculate: hang },
    real,
  );
  const { calculate: ask } = createCalculator(startWorker, { ...limits, startMs: 30 });
  await expect(ask('1', never)).rejects.toThrow('The calculator did not start; try again');
  const answer = ask('2', never);
  setTimeout(() => workers[1]?.crash(), 10);
  await expect(answer).rejects.toThrow('The calculator crashed; try again');
  expect(await ask('1+1', never)).toBe('2');
  expect(workers).toMatchObject([{ isEnded: true }, { isEnded: true }, { isEnded: false }]);
});

test('a calculator call fails if no worker can be created, and the next call tries again', async () => {
  let tries = 0;
  const { startWorker } = createChannelWorkers(real);
  const { calculate: ask } = createCalculator(() => {
    if (tries++ === 0) throw new Error('No workers here.');
    return startWorker();
  });
  await expect(ask('1+1', never)).rejects.toThrow('No workers here.');
  expect(await ask('1+1', never)).toBe('2');
});

test('a calculator worker prepared early serves the first call, and a failed preparation throws no error', async () => {
  const { workers, startWorker } = createChannelWorkers(real);
  const { calculate, prepare } = createCalculator(startWorker);
  prepare();
  prepare();
  expect(workers).toHaveLength(1);
  expect(await calculate('1+1', never)).toBe('2');
  expect(workers).toHaveLength(1);

  createCalculator(() => {
    throw new Error('No workers here.');
  }).prepare();
});
