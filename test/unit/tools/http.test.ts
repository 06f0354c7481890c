import { afterEach, expect, test, vi } from 'vitest';
import { sendWithRetries } from '../../../src/tools/http';
import { outside } from '../../support/outside';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const request = {
  url: 'https://a.org/',
  method: 'GET' as const,
  headers: {},
  tool: 't',
  accept: [],
  maxBytes: 1,
  timeoutMs: 1,
  redirect: 'follow' as const,
  secrets: [],
};
const busy = (after?: string) => ({
  status: 429,
  headers: after === undefined ? {} : { 'retry-after': after },
});

/** Returns the response, the waits in milliseconds and the progress messages. */
async function send(answers: Parameters<typeof outside>[0][string], signal = new AbortController().signal) {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T10:00:00Z') });
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const door = outside({ 'a.org': answers });
  const said: string[] = [];
  const sending = sendWithRetries(door, request, { signal, onProgress: (text) => said.push(text) });
  await vi.runAllTimersAsync();
  const { status } = await sending;
  return { status, waits: timers.mock.calls.map(([, ms]) => ms), said, times: door.requests.length };
}

test.for([
  { name: 'a successful request is not repeated', answers: [{ status: 200 }], status: 200, waits: [] },
  {
    name: 'a request for a missing page is not repeated',
    answers: [{ status: 404 }],
    status: 404,
    waits: [],
  },
  {
    name: 'a server error is retried after a pause',
    answers: [{ status: 500 }, { status: 200 }],
    status: 200,
    waits: [1000],
  },
  { name: 'it stops after three attempts', answers: [{ status: 503 }], status: 503, waits: [1000, 3000] },
  {
    name: 'it waits as long as the server says',
    answers: [busy('2'), { status: 200 }],
    status: 200,
    waits: [2000],
  },
  {
    name: 'it waits until the time that the server says',
    answers: [busy('Sat, 21 Nov 2026 10:00:05 GMT'), { status: 200 }],
    status: 200,
    waits: [5000],
  },
  {
    name: 'it retries at once if that time is past',
    answers: [busy('Sat, 21 Nov 2026 09:00:00 GMT'), { status: 200 }],
    status: 200,
    waits: [0],
  },
  { name: 'it does not wait for a minute', answers: [busy('60'), { status: 200 }], status: 429, waits: [] },
  {
    name: 'it ignores an unreadable retry-after',
    answers: [busy('soon'), { status: 200 }],
    status: 200,
    waits: [1000],
  },
])('$name', async ({ answers, status, waits }) => {
  const sent = await send(answers);
  expect(sent).toMatchObject({ status, waits, times: waits.length + 1 });
  expect(sent.said).toHaveLength(waits.length);
});

test('a progress message says why a request is waiting', async () => {
  expect((await send([busy('2'), { status: 200 }])).said).toEqual([
    'a.org answered 429; trying again in 2 s',
  ]);
});

test('an abort ends the wait before a retry', async () => {
  const stop = new AbortController();
  const door = outside({ 'a.org': busy('5') });
  const sent = sendWithRetries(door, request, {
    signal: stop.signal,
    onProgress: () => stop.abort(new Error('stopped')),
  });
  await expect(sent).rejects.toThrow('stopped');
  expect(door.requests).toHaveLength(1);
});
