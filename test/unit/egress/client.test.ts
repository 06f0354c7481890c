import { expose } from 'comlink';
import { expect, test, vi } from 'vitest';
import { EgressError, type EgressRequest, type RequestRecord } from '../../../src/contracts/egress';
import { createEgress } from '../../../src/egress/client';
import type { EgressWorkerApi } from '../../../src/egress/outcome';

const neverAborts = new AbortController().signal;
const request: EgressRequest = {
  url: 'https://example.com/a?secret=1',
  method: 'GET',
  headers: {},
  tool: 'fetch_page',
  accept: ['text/html'],
  maxBytes: 1000,
  timeoutMs: 1000,
  redirect: 'follow',
  secrets: [],
};
const response = { url: 'https://example.com/a', status: 200, headers: {}, text: 'Hi', isCut: false };
const answered = { ok: true as const, response, sentBytes: 30, receivedBytes: 2 };
const hang = () => new Promise<never>(() => undefined);

/** Fake workers in this thread, behind real message channels. */
function open(behaviours: Partial<EgressWorkerApi>[] = [{ send: async () => answered }], isOnline = true) {
  const records: RequestRecord[] = [];
  const workers: { isEnded: boolean; crash: () => void }[] = [];
  let ids = 0;
  let time = 1000;
  const egress = createEgress({
    startWorker() {
      const behaviour = behaviours[workers.length];
      if (!behaviour) throw new Error('One worker too many.');
      const { port1, port2 } = new MessageChannel();
      expose(behaviour, port2);
      const state = { isEnded: false, crash: () => port1.dispatchEvent(new Event('error')) };
      workers.push(state);
      const terminate = () => {
        state.isEnded = true;
        port1.close();
      };
      return Object.assign(port1, { terminate }) as unknown as Worker;
    },
    allowedAddresses: () => ['http://localhost:8080'],
    record: (record) => records.push(record),
    isOnline: () => isOnline,
    newId: () => `id${ids++}`,
    date: () => (time += 5),
  });
  return { egress, records, workers };
}

test('invariant: every request to another origin is logged, without its path or query', async () => {
  const send = vi.fn(async () => answered);
  const { egress, records, workers } = open([{ send }]);
  expect(workers).toHaveLength(0);
  expect(await egress.send(request, neverAborts)).toEqual(response);
  expect(await egress.send({ ...request, url: 'http://localhost:8080/' }, neverAborts)).toEqual(response);
  expect(workers).toHaveLength(1);
  expect(send.mock.calls[0]).toEqual([expect.any(String), request, ['http://localhost:8080']]);
  const written = { tool: 'fetch_page', method: 'GET', sentBytes: 30, receivedBytes: 2, outcome: 200 };
  expect(records).toMatchObject([
    { ...written, host: 'example.com', at: 1005, durationMs: 5 },
    { ...written, host: 'localhost:8080' },
  ]);
  expect(JSON.stringify(records)).not.toMatch(/secret|Hi/);
});

test('checking an address sends no request, and a refusal is logged', () => {
  const { egress, records, workers } = open([]);
  expect(egress.refuse('https://example.com/a', 'fetch_page')).toBeUndefined();
  expect(egress.refuse('http://localhost:8080/', 'fetch_page')).toBeUndefined();
  expect(records).toEqual([]);
  expect(egress.refuse('https://192.168.1.1/secret', 'fetch_page')).toMatch(/192\.168\.1\.1/);
  expect(records).toMatchObject([{ host: '192.168.1.1', tool: 'fetch_page', outcome: 'refused-address' }]);
  expect(JSON.stringify(records)).not.toContain('secret');
  expect(workers).toHaveLength(0);
});

test('the request log also names the host that a redirect led to', async () => {
  const led = { ...answered, response: { ...response, url: 'https://other.example.org/b' } };
  const { egress, records } = open([{ send: async () => led }]);
  await egress.send(request, neverAborts);
  expect(records).toMatchObject([{ host: 'example.com', endHost: 'other.example.org' }]);
});

test('a binary response arrives as bytes and is logged', async () => {
  const { text: _, ...head } = response;
  const bytes = new Uint8Array([1, 2]);
  const load = vi.fn(async () => ({ ...answered, response: { ...head, bytes } }));
  const { egress, records } = open([{ load }]);
  expect(await egress.load(request, neverAborts)).toEqual({ ...head, bytes });
  expect(records).toMatchObject([{ host: 'example.com', receivedBytes: 2, outcome: 200 }]);
});

test('a malformed response from the egress worker fails the request', async () => {
  const send = (async () => ({ ok: 'perhaps' })) as unknown as EgressWorkerApi['send'];
  const { egress } = open([{ send }]);
  await expect(egress.send(request, neverAborts)).rejects.toMatchObject({ failure: 'unreachable' });
});

test('a failure in the egress worker is reported with its message and logged with byte counts', async () => {
  const failed = { ok: false as const, failure: 'timeout' as const, message: 'Too slow. Try again.' };
  const { egress, records } = open([{ send: async () => ({ ...failed, sentBytes: 30, receivedBytes: 7 }) }]);
  const error = await egress.send(request, neverAborts).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(EgressError);
  expect(error).toMatchObject({ failure: 'timeout', message: 'Too slow. Try again.' });
  expect(records).toMatchObject([{ outcome: 'timeout', sentBytes: 30, receivedBytes: 7 }]);
});

test.for([
  { name: 'the address is refused', url: 'https://10.0.0.1/x', failure: 'refused-address', host: '10.0.0.1' },
  { name: 'the address is invalid', url: 'nonsense', failure: 'refused-address', host: '' },
  { name: 'the device is offline', isOnline: false, failure: 'offline', host: 'example.com' },
  {
    name: 'the user stopped it before it started',
    signal: AbortSignal.abort(),
    failure: 'stopped',
    host: 'example.com',
  },
])(
  'a request that fails at once starts no worker and is logged: $name',
  async ({ failure, host, ...given }) => {
    const { egress, records, workers } = open([], given.isOnline ?? true);
    const sending = egress.send({ ...request, url: given.url ?? request.url }, given.signal ?? neverAborts);
    await expect(sending).rejects.toMatchObject({ failure, message: expect.stringMatching(/^\S.+\.$/) });
    expect(workers).toHaveLength(0);
    expect(records).toMatchObject([{ outcome: failure, host, sentBytes: 0, receivedBytes: 0 }]);
  },
);

test('when the egress worker crashes, pending requests fail and the next request starts another worker', async () => {
  const { egress, records, workers } = open([{ send: hang }, { send: async () => answered }]);
  const waiting = [egress.send(request, neverAborts), egress.send(request, neverAborts)].map((sending) =>
    expect(sending).rejects.toMatchObject({
      failure: 'unreachable',
      message: expect.stringMatching(/broke down/),
    }),
  );
  workers[0]!.crash();
  await Promise.all(waiting);
  expect(records).toMatchObject([{ sentBytes: 30 }, { sentBytes: 30 }]);
  expect(await egress.send(request, neverAborts)).toEqual(response);
  expect(workers).toMatchObject([{ isEnded: true }, { isEnded: false }]);
});

test('an error in one request does not end the egress worker', async () => {
  const send = vi
    .fn<EgressWorkerApi['send']>()
    .mockRejectedValueOnce(new Error('no'))
    .mockResolvedValue(answered);
  const { egress, workers } = open([{ send }]);
  await expect(egress.send(request, neverAborts)).rejects.toMatchObject({ failure: 'unreachable' });
  expect(await egress.send(request, neverAborts)).toEqual(response);
  expect(workers).toHaveLength(1);
});

test('an egress worker that is silent for too long is terminated', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { egress, workers } = open([{ send: hang }]);
    const sending = egress.send(request, neverAborts);
    const failing = expect(sending).rejects.toMatchObject({ failure: 'unreachable' });
    vi.advanceTimersByTime(6001);
    await failing;
    expect(workers).toMatchObject([{ isEnded: true }]);
  } finally {
    vi.useRealTimers();
  }
});

test('Stop ends the request in the egress worker, and the bytes transferred so far are logged', async () => {
  const stopped = { ok: false as const, failure: 'stopped' as const, message: 'The request was stopped.' };
  let answer = (): void => undefined;
  const send = (id: unknown) =>
    new Promise<typeof stopped & { sentBytes: number; receivedBytes: number }>((resolve) => {
      answer = () => resolve({ ...stopped, sentBytes: 30, receivedBytes: String(id).length });
    });
  const { egress, records } = open([{ send, stop: () => answer() }]);
  const stop = new AbortController();
  const failing = expect(egress.send(request, stop.signal)).rejects.toMatchObject({ failure: 'stopped' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  stop.abort();
  await failing;
  expect(records).toMatchObject([{ outcome: 'stopped', sentBytes: 30, receivedBytes: 3 }]);
});

test('Stop does not wait for an egress worker that does not respond', async () => {
  const { egress, records } = open([{ send: hang, stop: () => undefined }]);
  const stop = new AbortController();
  const failing = expect(egress.send(request, stop.signal)).rejects.toMatchObject({ failure: 'stopped' });
  stop.abort();
  await failing;
  expect(records).toMatchObject([{ outcome: 'stopped', sentBytes: 30 }]);
});
