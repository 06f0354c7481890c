/** Which calls fail when a stream breaks off and cannot be resumed. Uses a server whose responses the test controls. */
import { expect, test } from 'vitest';
import { openSession } from '../../src/tools/mcp/session';
import type { ServerRequest } from '../../src/tools/mcp/worker-api';
import { createPageEnd } from '../support/mcp-page';
import { slow } from '../support/matrix';

const neverAborts = new AbortController().signal;
const url = 'http://localhost:9/mcp';
const json = { 'content-type': 'application/json', 'mcp-session-id': 's1' };
const events = { 'content-type': 'text/event-stream', 'mcp-session-id': 's1' };

function later<Value>() {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((then) => (resolve = then));
  return { promise, resolve: (value: Value) => resolve(value) };
}

/** Returns a client whose requests wait for the test: `resumed` resumes a broken stream, `called` is a tool call. */
function openScripted() {
  const resumed = later<MessagePort>();
  const called = later<{ port: MessagePort; id: unknown }>();
  const { page } = createPageEnd();
  const answer = (port: MessagePort, status: number, headers: Record<string, string>, text = '') => {
    port.postMessage({ type: 'head', status, headers });
    if (text !== '') port.postMessage({ type: 'text', text });
  };
  const end = (port: MessagePort) => port.postMessage({ type: 'end' });
  const request = (_: string, written: unknown, port: MessagePort) => {
    const { method, headers, body } = written as ServerRequest;
    const message = body === undefined ? {} : (JSON.parse(body) as { id?: number; method?: string });
    const reply = (result: unknown) => {
      answer(port, 200, json, JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
      end(port);
    };
    if (method === 'GET' && 'last-event-id' in headers) resumed.resolve(port);
    else if (method === 'GET') {
      // The server's own stream delivers something, then breaks off.
      answer(
        port,
        200,
        events,
        'id: 1\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}\n\n',
      );
      end(port);
    } else if (message.method === 'tools/call') called.resolve({ port, id: message.id });
    else if (message.method === 'initialize') {
      const capabilities = { tools: {}, logging: {} };
      reply({ protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'scripted', version: '1' } });
    } else if (message.method === 'tools/list') {
      reply({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] });
    } else if (message.id === undefined) {
      answer(port, 202, {});
      end(port);
    } else {
      answer(
        port,
        200,
        json,
        JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'None.' } }),
      );
      end(port);
    }
  };
  const setup = { url, redirectUrl: '', homeUrl: 'http://localhost/', clientId: '', clientSecret: '' };
  const session = openSession(setup, { ...page, request });
  return { session, page, resumed: resumed.promise, called: called.promise, answer, end };
}

test('a tool call that waits for its response survives the loss of another stream', async () => {
  const { session, page, resumed, called, answer, end } = openScripted();
  const welcome = await session.connect();
  if (!welcome.ok) throw new Error(welcome.message);
  const calling = session.callTool('c1', 'echo', {}, neverAborts);
  const { port, id } = await called;
  const stale = await resumed;
  answer(stale, 404, {});
  end(stale);
  // By now the client knows that the other stream is lost for good.
  await expect.poll(() => page.log).toHaveBeenCalledWith('error', expect.any(String));
  const result = { content: [{ type: 'text', text: 'Echo' }] };
  answer(port, 200, json, JSON.stringify({ jsonrpc: '2.0', id, result }));
  end(port);
  expect(await calling).toMatchObject({ ok: true, value: { content: [{ type: 'text', text: 'Echo' }] } });
  await session.close();
});

slow('a tool call is reported as lost if its response breaks off and cannot be resumed', async () => {
  const { session, resumed, called, answer, end } = openScripted();
  await session.connect();
  const calling = session.callTool('c1', 'echo', {}, neverAborts);
  const { port } = await called;
  answer(
    port,
    200,
    events,
    'id: 7\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"y"}}\n\n',
  );
  end(port);
  const stale = await resumed;
  answer(stale, 404, {});
  end(stale);
  expect(await calling).toMatchObject({ ok: false, fault: 'lost' });
  await session.close();
});
