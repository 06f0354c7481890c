/** Tests the worker's `fetch` over a real channel to a fake page. */
import { expect, test, vi } from 'vitest';
import { createPageFetch } from '../../../../src/tools/mcp/transport';
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
  const fetch = createPageFetch({
    request(id, request, port) {
      const post = (...events: AnswerEvent[]) => events.forEach((event) => port.postMessage(event));
      requests.push({ id, request: request as ServerRequest, post, port });
    },
    stop,
  });
  return { fetch, requests, stop };
}

test('a request to a server is passed on unchanged, and the response is streamed', async () => {
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

test('form data of a request is sent as text, and other bodies are refused', async () => {
  const { fetch, requests } = open();
  void fetch(url, { method: 'POST', body: new URLSearchParams({ a: '1 2' }) });
  expect(requests[0]?.request.body).toBe('a=1+2');
  await expect(fetch(url, { method: 'POST', body: new Uint8Array(1) })).rejects.toThrow(
    'Only a text is sent.',
  );
  await expect(fetch(url, { method: 'PUT' })).rejects.toThrow('No PUT is sent.');
  expect(requests).toHaveLength(1);
});

test('parallel requests get their own responses', async () => {
  const { fetch, requests } = open();
  const asking = [fetch(`${url}/a`), fetch(`${url}/b`)];
  expect(requests.map(({ id }) => id)).toEqual(['1', '2']);
  requests[1]?.post(head(), text('b'), end);
  requests[0]?.post(head(), text('a'), end);
  expect(await Promise.all(asking.map(async (one) => (await one).text()))).toEqual(['a', 'b']);
});

test.for([202, 204, 205, 304])('a response with the status %i has no body', async (status) => {
  const { fetch, requests } = open();
  const asking = fetch(url);
  requests[0]?.post(head(status, {}), end);
  const response = await asking;
  expect([response.status, await response.text()]).toEqual([status, '']);
});

test.for([0, 99, 101, 600, 999])('a response with the invalid status %i fails', async (status) => {
  const { fetch, requests, stop } = open();
  const asking = expect(fetch(url)).rejects.toThrow();
  requests[0]?.post(head(status, {}), end);
  await asking;
  expect(stop).toHaveBeenCalledWith('1');
});

test('a failure before the response starts rejects the request, and a later failure breaks the body', async () => {
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

test('an invalid message from the page makes the response fail', async () => {
  const { fetch, requests } = open();
  const asking = expect(fetch(url)).rejects.toThrow(TypeError);
  requests[0]?.port.postMessage({ type: 'song' });
  await asking;
});

test('aborting a request before it is sent prevents the request', async () => {
  const { fetch, requests } = open();
  await expect(fetch(url, { signal: AbortSignal.abort() })).rejects.toThrow();
  expect(requests).toEqual([]);
});

test('an abort before or during the response reaches the page at once', async () => {
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

test('an abort after the end of the response has no effect', async () => {
  const { fetch, requests, stop } = open();
  const stopping = new AbortController();
  const asking = fetch(url, { signal: stopping.signal });
  requests[0]?.post(head(), end);
  expect(await (await asking).text()).toBe('');
  stopping.abort();
  expect(stop).not.toHaveBeenCalled();
});

test('a cancelled response body stops the request, and late chunks cause no error', async () => {
  const { fetch, requests, stop } = open();
  const asking = fetch(url);
  requests[0]?.post(head(), text('enough'));
  const response = await asking;
  await response.body?.cancel();
  expect(stop).toHaveBeenCalledWith('1');
  // In a worker, an unhandled error would count as a crash.
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
