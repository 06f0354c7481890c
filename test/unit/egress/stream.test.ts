/** Streamed responses: both ends of egress over a real message channel, with a local server. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { EgressStreamRequest, RequestRecord } from '../../../src/contracts/egress';
import { createEgress } from '../../../src/egress/client';
import { serveEgress } from '../../../src/egress/serve-egress';
import { createChannelWorkers } from '../../support/channel-worker';
import { type HeldServer, openHeldServer } from '../../support/held-server';

let server: HeldServer;
beforeAll(async () => {
  // Node 20 has no `navigator`.
  vi.stubGlobal('navigator', { onLine: true });
  server = await openHeldServer();
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await server.close();
});
afterEach(() => vi.useRealTimers());

const neverAborts = new AbortController().signal;
const key = 'Bearer sk-0123456789';

function open(...behaviours: object[]) {
  const records: RequestRecord[] = [];
  const { workers, startWorker } = createChannelWorkers(
    ...(behaviours.length ? behaviours : [serveEgress()]),
  );
  let ids = 0;
  const egress = createEgress({
    startWorker,
    allowedAddresses: () => [server.url],
    record: (record) => records.push(record),
    isOnline: () => true,
    newId: () => `id${ids++}`,
    date: () => 1000,
  });
  const ask = (changed: Partial<EgressStreamRequest> = {}, signal = neverAborts) =>
    egress.stream(
      {
        url: `${server.url}/chat?secret=1`,
        method: 'POST',
        headers: { Authorization: key },
        body: '{}',
        tool: 'endpoint',
        accept: ['text/event-stream', 'application/json'],
        maxBytes: 1000,
        silentMs: 60_000,
        redirect: 'never',
        secrets: [{ name: 'key', value: key }],
        ...changed,
      },
      signal,
    );
  /** Starts a request and waits for its head. */
  async function begun(changed: Partial<EgressStreamRequest> = {}, signal = neverAborts) {
    const asking = ask(changed, signal);
    const request = await server.next();
    request.response.writeHead(200, { 'content-type': 'text/event-stream' });
    request.response.flushHeaders();
    const answer = await asking;
    return { ...request, answer, pieces: answer.text[Symbol.asyncIterator]() };
  }
  const written = async () => {
    await expect.poll(() => records.length).toBeGreaterThan(0);
    return records;
  };
  return { ask, begun, written, records, workers };
}

async function whole(text: AsyncIterable<string>): Promise<string> {
  let all = '';
  for await (const piece of text) all += piece;
  return all;
}

test('a streamed response arrives chunk by chunk and is logged once, with its total size', async () => {
  const { begun, written } = open();
  const { answer, pieces, response, headers, body, closed } = await begun();
  expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream' } });
  expect([headers.authorization, body]).toEqual([key, '{}']);
  for (const text of ['data: one\n\n', 'data: two\n\n', 'data: three\n\n']) {
    response.write(text);
    expect(await pieces.next()).toEqual({ done: false, value: text });
  }
  response.end();
  expect(await pieces.next()).toMatchObject({ done: true });
  expect(await closed).toBe(true);
  const host = new URL(server.url).host;
  expect(await written()).toMatchObject([{ tool: 'endpoint', host, receivedBytes: 35, outcome: 200 }]);
  expect(JSON.stringify(await written())).not.toMatch(/secret|sk-|three/);
});

test('a character split across two chunks of a streamed response stays intact', async () => {
  const { begun } = open();
  const { pieces, response } = await begun();
  const [first, second] = [Buffer.from('é').subarray(0, 1), Buffer.from('é!').subarray(1)];
  response.write(Buffer.concat([Buffer.from('a'), first]));
  expect(await pieces.next()).toMatchObject({ value: 'a' });
  response.end(second);
  expect(await pieces.next()).toMatchObject({ value: 'é!' });
});

test('a secret split across two chunks of a streamed response is hidden, without delaying other text', async () => {
  const { begun, written } = open();
  const { pieces, response } = await begun();
  response.write('You sent Bearer sk-01');
  expect(await pieces.next()).toMatchObject({ value: 'You sent ' });
  response.write('23456789. And sk-');
  expect(await pieces.next()).toMatchObject({ value: '[key]. And ' });
  response.end('nothing');
  expect(await pieces.next()).toMatchObject({ value: 'sk-nothing' });
  expect(await pieces.next()).toMatchObject({ done: true });
  expect(await written()).toMatchObject([{ receivedBytes: 45 }]);
});

test('invariant: a streamed answer ends at its size limit, and the server sees the connection close', async () => {
  const { begun, written } = open();
  const { answer, response, closed } = await begun({ maxBytes: 250_000 });
  const write = () => {
    if (!response.destroyed) response.write('x'.repeat(100_000), () => setImmediate(write));
  };
  write();
  let length = 0;
  const reading = (async () => {
    for await (const piece of answer.text) length += piece.length;
  })();
  await expect(reading).rejects.toMatchObject({
    failure: 'too-long',
    message: expect.stringMatching(/250000/),
  });
  expect(length).toBe(250_000);
  expect(await closed).toBe(false);
  expect(await written()).toMatchObject([{ outcome: 'too-long' }]);
});

test('a streamed response of exactly the size limit is complete', async () => {
  const { begun } = open();
  const { answer, response } = await begun({ maxBytes: 3 });
  response.end('abc');
  expect(await whole(answer.text)).toBe('abc');
});

test('each chunk of a streamed response restarts the silence timeout', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { begun, written } = open();
  const { pieces, response, closed } = await begun({ silentMs: 1000 });
  for (let piece = 0; piece < 5; piece++) {
    vi.advanceTimersByTime(900);
    response.write('.');
    expect(await pieces.next()).toMatchObject({ value: '.' });
  }
  const next = expect(pieces.next()).rejects.toMatchObject({
    failure: 'timeout',
    message: expect.stringMatching(/sent nothing for 1 s/),
  });
  vi.advanceTimersByTime(1000);
  await next;
  vi.useRealTimers();
  expect(await closed).toBe(false);
  expect(await written()).toMatchObject([{ outcome: 'timeout', receivedBytes: 5 }]);
});

test('a server that never responds times out', async () => {
  const { ask, written } = open();
  await expect(ask({ silentMs: 50 })).rejects.toMatchObject({ failure: 'timeout' });
  expect(await (await server.next()).closed).toBe(false);
  expect(await written()).toMatchObject([{ outcome: 'timeout', receivedBytes: 0 }]);
});

test('a request that the user stops before it is sent never reaches the server', async () => {
  const { ask, written, workers } = open();
  const count = server.count();
  await expect(ask({}, AbortSignal.abort())).rejects.toMatchObject({ failure: 'stopped' });
  expect(await written()).toMatchObject([{ outcome: 'stopped', sentBytes: 0 }]);
  expect(server.count()).toBe(count);
  expect(workers).toEqual([]);
});

test('Stop cancels a request that has no response yet', async () => {
  const { ask, written } = open();
  const stop = new AbortController();
  const asking = expect(ask({}, stop.signal)).rejects.toMatchObject({ failure: 'stopped' });
  const { closed } = await server.next();
  stop.abort();
  await asking;
  expect(await closed).toBe(false);
  expect(await written()).toMatchObject([{ outcome: 'stopped', receivedBytes: 0 }]);
});

test('Stop during a streamed response ends it and closes the connection at once', async () => {
  const { begun, written } = open();
  const stop = new AbortController();
  const { pieces, response, closed } = await begun({}, stop.signal);
  response.write('The beginning');
  await pieces.next();
  const next = expect(pieces.next()).rejects.toMatchObject({ failure: 'stopped' });
  stop.abort();
  await next;
  expect(await closed).toBe(false);
  expect(await written()).toMatchObject([{ outcome: 'stopped', receivedBytes: 13 }]);
});

test('Stop does not wait for an egress worker that does not respond', async () => {
  const { ask, written, records } = open({
    stream: () => new Promise(() => undefined),
    stop: () => undefined,
  });
  const stop = new AbortController();
  const asking = expect(ask({}, stop.signal)).rejects.toMatchObject({ failure: 'stopped' });
  stop.abort();
  await asking;
  // The log entry follows later.
  expect(records).toEqual([]);
  expect(await written()).toMatchObject([{ outcome: 'stopped' }]);
});

test('a reader that stops early ends the streamed request, which is logged as successful', async () => {
  const { begun, written } = open();
  const { answer, response, closed } = await begun();
  response.write('data: [DONE]\n\n');
  for await (const piece of answer.text) if (piece.includes('[DONE]')) break;
  expect(await closed).toBe(false);
  expect(await written()).toMatchObject([{ outcome: 200, receivedBytes: 14 }]);
});

test('a broken connection is reported after the text received so far', async () => {
  const { begun, written } = open();
  const { pieces, response } = await begun();
  response.write('The beginning', () => setImmediate(() => response.destroy()));
  expect(await pieces.next()).toMatchObject({ value: 'The beginning' });
  await expect(pieces.next()).rejects.toMatchObject({
    failure: 'unreachable',
    message: expect.stringMatching(/broke off/),
  });
  expect(await written()).toMatchObject([{ outcome: 'unreachable', receivedBytes: 13 }]);
});

test('a streamed request never follows a redirect, so its key is not sent to another host', async () => {
  const { ask } = open();
  const asking = ask({ redirect: 'follow' });
  const { response } = await server.next();
  const count = server.count();
  response.writeHead(307, { location: '/elsewhere' }).end();
  // Node shows the redirect itself; test/e2e/endpoint.test.ts checks that browsers refuse it.
  expect(await asking).toMatchObject({ status: 307 });
  expect(server.count()).toBe(count);
});

test('a request to a forbidden address starts no worker', async () => {
  const { ask, written, workers } = open();
  await expect(ask({ url: 'https://10.0.0.1/' })).rejects.toMatchObject({ failure: 'refused-address' });
  expect(await written()).toMatchObject([{ outcome: 'refused-address', host: '10.0.0.1' }]);
  expect(workers).toEqual([]);
});

test.for([
  { name: 'an error with an explanation', status: 429, type: 'application/json', text: '{"error":"busy"}' },
  { name: 'an error with a content type that we do not read', status: 502, type: 'text/html', text: '' },
])('a streamed response is passed on with its status: $name', async ({ status, type, text }) => {
  const { ask, written } = open();
  const asking = ask();
  const { response } = await server.next();
  response.writeHead(status, { 'content-type': type, 'retry-after': '7' }).end('{"error":"busy"}');
  const answer = await asking;
  expect(answer).toMatchObject({ status, headers: { 'retry-after': '7' } });
  expect(await whole(answer.text)).toBe(text);
  expect(await written()).toMatchObject([{ outcome: status }]);
});

test('a streamed response of an unexpected type fails, and its error message hides the key', async () => {
  const { ask } = open();
  const asking = expect(ask({ secrets: [{ name: 'key', value: 'sk-0123456789' }] })).rejects.toMatchObject({
    failure: 'wrong-type',
    message: expect.stringMatching(/sent text\/\[key\], and only/),
  });
  const { response } = await server.next();
  response.writeHead(200, { 'content-type': 'text/sk-0123456789' }).end('Hi');
  await asking;
});

test('if the worker crashes, a streamed response fails after the text received so far', async () => {
  const { begun, written, workers } = open();
  const { pieces, response } = await begun();
  response.write('The beginning');
  await pieces.next();
  workers[0]!.crash();
  await expect(pieces.next()).rejects.toMatchObject({ failure: 'unreachable', message: /broke down/ });
  expect(await written()).toMatchObject([{ outcome: 'unreachable', receivedBytes: 13 }]);
  response.end();
});

test('an egress worker that is silent during a stream is terminated', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { ask, workers } = open({ stream: () => new Promise(() => undefined) });
  const asking = expect(ask({ silentMs: 1000 })).rejects.toMatchObject({ failure: 'unreachable' });
  vi.advanceTimersByTime(6001);
  await asking;
  expect(workers).toMatchObject([{ isEnded: true }]);
});
