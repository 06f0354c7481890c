/** The page's end of a worker; the other end is a real message channel in this thread. */
import { expect, test } from 'vitest';
import { createWorkerClient, reuseWorker } from '../../../src/platform/worker-client';
import { createChannelWorkers } from '../../support/channel-worker';

interface Api {
  double: (value: number) => number;
  hang: () => void;
}
const never = new Promise<never>(() => undefined);
const behaviour = { double: (value: number) => value * 2, hang: () => never };
const crashed = (detail: string) => new Error(`It crashed. ${detail}`.trim());
const stage = (...lives: object[]) => {
  const { workers, startWorker } = createChannelWorkers(...lives);
  return { workers, worker: reuseWorker<Api>(startWorker, crashed) };
};

test('the first call starts a worker, which then serves all calls', async () => {
  const { workers, worker } = stage(behaviour);
  expect(workers).toHaveLength(0);
  const { ask } = worker();
  expect(await Promise.all([ask((remote) => remote.double(2)), ask((remote) => remote.double(3))])).toEqual([
    4, 6,
  ]);
  await worker().ask((remote) => remote.double(1));
  expect(workers).toHaveLength(1);
});

test.for([
  ['error', 'It crashed.'],
  ['messageerror', 'It crashed. It sent what cannot be read.'],
] as const)(
  'the event "%s" ends a worker and its calls, and the next call starts another worker',
  async ([type, message]) => {
    const { port1, port2 } = new MessageChannel();
    let isEnded = false;
    const first = Object.assign(port1, { terminate: () => (isEnded = true) }) as unknown as Worker;
    const { startWorker } = createChannelWorkers(behaviour);
    const workers = [() => first, startWorker];
    const worker = reuseWorker<Api>(() => workers.shift()!(), crashed);
    const client = worker();
    const waiting = [client.ask((remote) => remote.hang()), client.ask((remote) => remote.double(1))];
    const failures = Promise.allSettled(waiting);
    port1.dispatchEvent(new Event(type));
    expect(await failures).toMatchObject([{ reason: { message } }, { reason: { message } }]);
    expect(isEnded).toBe(true);
    port2.close();
    await expect(client.ask((remote) => remote.double(2))).rejects.toThrow(message);
    expect(await worker().ask((remote) => remote.double(2))).toBe(4);
  },
);

test("the error of a crashed worker contains the browser's message", async () => {
  const { startWorker } = createChannelWorkers(behaviour);
  const worker = startWorker();
  const { ask } = createWorkerClient<Api>(worker, crashed);
  const waiting = ask((remote) => remote.hang());
  worker.dispatchEvent(Object.assign(new Event('error'), { message: 'out of bounds' }));
  await expect(waiting).rejects.toThrow('It crashed. out of bounds');
});

test('aborting a call does not end its worker', async () => {
  const { workers, worker } = stage(behaviour);
  const abort = new AbortController();
  const waiting = worker().ask((remote) => remote.hang(), { signal: abort.signal });
  abort.abort(new Error('Stopped.'));
  await expect(waiting).rejects.toThrow('Stopped.');
  expect(await worker().ask((remote) => remote.double(2))).toBe(4);
  expect(workers).toMatchObject([{ isEnded: false }]);
  await expect(worker().ask((remote) => remote.double(2), { signal: abort.signal })).rejects.toThrow(
    'Stopped.',
  );
});

test('a timeout ends the worker and all its calls', async () => {
  const { workers, worker } = stage(behaviour, behaviour);
  const limit = { ms: 5, error: new Error('Too slow.') };
  const { ask } = worker();
  const failures = Promise.allSettled([
    ask((remote) => remote.hang(), { limit }),
    ask((remote) => remote.hang()),
  ]);
  expect(await failures).toMatchObject([{ reason: limit.error }, { reason: limit.error }]);
  expect(workers).toMatchObject([{ isEnded: true }]);
  expect(await worker().ask((remote) => remote.double(4), { limit: { ...limit, ms: 10_000 } })).toBe(8);
});

test('a worker that is ended twice reports the first reason', async () => {
  const { worker } = stage(behaviour);
  const client = worker();
  client.end(new Error('Closed.'));
  client.end(new Error('Again.'));
  await expect(client.ask((remote) => remote.double(1))).rejects.toThrow('Closed.');
});
