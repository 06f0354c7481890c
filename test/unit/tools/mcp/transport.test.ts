/** `fetch`, as the client of the protocol wants it, over a real channel to a page that answers as the test says. */
import { expect, test, vi } from 'vitest';
import { createFetch } from '../../../../src/tools/mcp/transport';
import type { AnswerEvent, ServerRequest } from '../../../../src/tools/mcp/worker-api';

const url = 'https://mcp.example.org/mcp';
const head = (status = 200, headers: Record<string, string> = { 'content-type': 'text/plain' }) =>
  ({ type: 'head', status, headers }) as const;
const text = (text: string) => ({ type: 'text', text }) as const;
const end = { type: 'end' } as const;

function open() {
  const requests: {
    id: string;
    request: ServerRequest;
    post: (...events: AnswerEvent[]) => void;
    port: MessagePort;
  }[] = [];
  const stop = vi.fn<(id: string) => void>();
  const fetch = createFetch({
    request(id, request, port) {
      const post = (...events: AnswerEvent[]) => events.forEach((event) => port.postMessage(event));
      requests.push({ id, request: request as ServerRequest, post, port });
    },
    stop,
  });
  return { fetch, requests, stop };
}

test('a request goes as it is, and its answer comes in pieces', async () => {
  const { fetch, requests } = open();
  const asking = fetch(new URL(url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Mcp-Session-Id': 's1' },
    body: '{"a":"é"}',
  });
  expect(requests[0]?.request).toEqual({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'mcp-session-id': 's1' },
    body: '{"a":"é"}',
  });
  requests[0]?.post(
    head(201, { 'content-type': 'application/json', 'mcp-session-id': 's2' }),
    text('{"b":"ü'),
  );
  const response = await asking;
  expect([response.status, response.headers.get('mcp-session-id')]).toEqual([201, 's2']);
  requests[0]?.post(text('"}'), end);
  expect(await response.json()).toEqual({ b: 'ü' });
});

test('a form is a text, and what is no text is not sent', async () => {
  const { fetch, requests } = open();
  void fetch(url, { method: 'POST', body: new URLSearchParams({ a: '1 2' }) });
  expect(requests[0]?.request.body).toBe('a=1+2');
  await expect(fetch(url, { method: 'POST', body: new Uint8Array(1) })).rejects.toThrow(
    'Only a text is sent.',
  );
  await expect(fetch(url, { method: 'PUT' })).rejects.toThrow('No PUT is sent.');
  expect(requests).toHaveLength(1);
});

test('requests at once each have their own answer', async () => {
  const { fetch, requests } = open();
  const asking = [fetch(`${url}/a`), fetch(`${url}/b`)];
  expect(requests.map(({ id }) => id)).toEqual(['1', '2']);
  requests[1]?.post(head(), text('b'), end);
  requests[0]?.post(head(), text('a'), end);
  expect(await Promise.all(asking.map(async (one) => (await one).text()))).toEqual(['a', 'b']);
});

test.for([202, 204, 205, 304])('an answer of %i without a body is one', async (status) => {
  const { fetch, requests } = open();
  const asking = fetch(url);
  requests[0]?.post(head(status, {}), end);
  const response = await asking;
  expect([response.status, await response.text()]).toEqual([status, '']);
});

test.for([0, 99, 101, 600, 999])('a status that none can have fails: %i', async (status) => {
  const { fetch, requests, stop } = open();
  const asking = expect(fetch(url)).rejects.toThrow();
  requests[0]?.post(head(status, {}), end);
  await asking;
  expect(stop).toHaveBeenCalledWith('1');
});

test('a failure before the head is one of the request, one after it of the answer', async () => {
  const { fetch, requests } = open();
  const asking = expect(fetch(url)).rejects.toThrow(new TypeError('It could not be read.'));
  requests[0]?.post({ type: 'failed', message: 'It could not be read.' });
  await asking;

  const answer = fetch(url);
  requests[1]?.post(head(), text('The beginning'));
  const reader = (await answer).body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('The beginning');
  requests[1]?.post({ type: 'failed', message: 'It broke off.' });
  await expect(reader.read()).rejects.toThrow('It broke off.');
});

test('what is no event of an answer fails it', async () => {
  const { fetch, requests } = open();
  const asking = expect(fetch(url)).rejects.toThrow(TypeError);
  requests[0]?.port.postMessage({ type: 'song' });
  await asking;
});

test('Stop before it is sent asks nobody', async () => {
  const { fetch, requests } = open();
  await expect(fetch(url, { signal: AbortSignal.abort() })).rejects.toThrow();
  expect(requests).toEqual([]);
});

test('Stop before the head, and in the middle, is told to the page and heard at once', async () => {
  const { fetch, requests, stop } = open();
  const early = new AbortController();
  const asking = expect(fetch(url, { signal: early.signal })).rejects.toMatchObject({ name: 'AbortError' });
  early.abort();
  await asking;
  expect(stop).toHaveBeenLastCalledWith('1');

  const late = new AbortController();
  const answer = fetch(url, { signal: late.signal });
  requests[1]?.post(head(), text('The beginning'));
  const reader = (await answer).body!.getReader();
  await reader.read();
  late.abort();
  await expect(reader.read()).rejects.toMatchObject({ name: 'AbortError' });
  expect(stop).toHaveBeenLastCalledWith('2');
});

test('Stop after the end stops nothing', async () => {
  const { fetch, requests, stop } = open();
  const stopping = new AbortController();
  const asking = fetch(url, { signal: stopping.signal });
  requests[0]?.post(head(), end);
  expect(await (await asking).text()).toBe('');
  stopping.abort();
  expect(stop).not.toHaveBeenCalled();
});

test('whoever has read enough stops the request, and what comes late is no error', async () => {
  const { fetch, requests, stop } = open();
  const asking = fetch(url);
  requests[0]?.post(head(), text('enough'));
  const response = await asking;
  await response.body?.cancel();
  expect(stop).toHaveBeenCalledWith('1');
  // On a worker an error that nobody catches would be taken for its end.
  const errors: unknown[] = [];
  const note = (error: unknown) => errors.push(error);
  process.on('uncaughtException', note);
  requests[0]?.post(text('more'), text('and more'), { type: 'failed', message: 'stopped' });
  const later = fetch(url);
  requests[1]?.post(head(), end);
  await (await later).text();
  process.off('uncaughtException', note);
  expect(errors).toEqual([]);
});
