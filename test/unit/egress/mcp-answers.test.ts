/** Egress features that only MCP needs: DELETE, session ids, login hints, empty responses. */
import { createServer, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EgressRequest } from '../../../src/contracts/egress';
import { sendRequest } from '../../../src/egress/send-outside';

let home: string;
let answer: (response: ServerResponse) => void;
const seen: { method?: string | undefined; body: string }[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += String(chunk)));
  request.on('end', () => {
    seen.push({ method: request.method, body });
    answer(response);
  });
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  home = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const neverAborts = new AbortController().signal;
const send = (changed: Partial<EgressRequest> = {}) =>
  sendRequest(
    {
      url: `${home}/mcp`,
      method: 'POST',
      headers: {},
      tool: 'Notes',
      redirect: 'never',
      secrets: [],
      accept: ['application/json', 'text/event-stream'],
      maxBytes: 1_000,
      timeoutMs: 5_000,
      ...changed,
    },
    { allowedAddresses: [home], stop: neverAborts, isOnline: () => true },
  );
const says = (status: number, headers: OutgoingHttpHeaders, body = '') => {
  answer = (response) => void response.writeHead(status, headers).end(body);
};
const json = { 'content-type': 'application/json' };

describe('a DELETE request to a server', () => {
  test('it is sent without a body', async () => {
    says(204, {});
    expect(await send({ method: 'DELETE' })).toMatchObject({ ok: true, response: { status: 204, text: '' } });
    expect(seen.at(-1)).toEqual({ method: 'DELETE', body: '' });
    const count = seen.length;
    expect(await send({ method: 'DELETE', body: '{}' })).toMatchObject({
      failure: 'refused-request',
      message: expect.stringMatching(/A DELETE has no body/),
    });
    expect(seen).toHaveLength(count);
  });

  test('it does not follow redirects', async () => {
    says(307, { location: '/elsewhere' });
    const count = seen.length;
    await send({ method: 'DELETE', redirect: 'follow' });
    expect(seen).toHaveLength(count + 1);
  });
});

describe('headers of a server response', () => {
  test.for<[string, string]>([
    ['mcp-session-id', '1868a90c-7b5e-4e1c-b1a2-3f0f5c6d7e8f'],
    ['mcp-session-id', `eyJhbGciOi.${'x'.repeat(1_000)}`],
    [
      'www-authenticate',
      'Bearer resource_metadata="https://a.example/.well-known/oauth-protected-resource", scope="a b"',
    ],
    ['www-authenticate', 'Bearer'],
  ])('this header is passed on: %s: %s', async ([name, value]) => {
    says(401, { ...json, [name]: value }, '{}');
    expect(await send()).toMatchObject({ response: { headers: { [name]: value } } });
  });

  test.for<[string, string]>([
    ['mcp-session-id', 'two words'],
    ['mcp-session-id', 'é'],
    ['mcp-session-id', 'x'.repeat(1_025)],
    ['www-authenticate', 'Bearer realm="é"'],
    ['www-authenticate', `Bearer ${'x'.repeat(2_048)}`],
    ['www-authenticate', 'Bearer\trealm'],
    ['set-cookie', 'a=b'],
    ['x-more', '1'],
    ['location', '/elsewhere'],
  ])('this header is dropped: %s: %s', async ([name, value]) => {
    says(200, { ...json, [name]: value }, '{}');
    const outcome = await send();
    expect(outcome).toMatchObject({ ok: true, response: { text: '{}' } });
    if (outcome.ok) expect(Object.keys(outcome.response.headers)).toEqual(['content-type']);
  });
});

describe('the content type of an MCP response', () => {
  test.for([202, 204])(
    'it may be missing if the server sends the status 202 or 204: status %i',
    async (status) => {
      says(status, {});
      expect(await send()).toMatchObject({ ok: true, response: { status, text: '' } });
    },
  );

  test('with the status 202, a body without an accepted content type is ignored', async () => {
    says(202, {}, 'OBEY');
    expect(await send()).toMatchObject({ ok: true, response: { status: 202, text: '' } });
    says(202, { 'content-type': 'text/html' }, 'OBEY');
    expect(await send()).toMatchObject({ ok: true, response: { status: 202, text: '' } });
  });

  test('it is required if the server sends the status 200', async () => {
    says(200, {}, '{}');
    expect(await send()).toMatchObject({ ok: false, failure: 'wrong-type' });
  });

  test('with the status 202, a body with an accepted content type is read normally', async () => {
    says(202, json, '{"a":1}');
    expect(await send()).toMatchObject({ response: { status: 202, text: '{"a":1}' } });
  });
});
