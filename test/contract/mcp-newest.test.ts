/** The MCP client as the worker runs it, with protocol version 2026-07-28: no session, and questions arrive as results of calls. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession } from '../../src/tools/mcp/session';
import { createPageEnd } from '../support/mcp-page';
import { type NewestServer, startNewest } from '../support/mcp/newest';

const neverAborts = new AbortController().signal;
let server: NewestServer;
beforeAll(async () => void (server = await startNewest()));
afterAll(() => server.close());

async function connected() {
  const { page, sent } = createPageEnd();
  const redirectUrl = 'http://localhost/oauth.html';
  const setup = {
    url: server.url,
    redirectUrl,
    homeUrl: 'http://localhost/',
    clientId: '',
    clientSecret: '',
  };
  const session = openSession(setup, page);
  const welcome = await session.connect();
  if (!welcome.ok) throw new Error(welcome.message);
  return { page, sent, session, welcome: welcome.value };
}

test('the client and the server agree on the newest MCP version, which needs no session', async () => {
  const { session, welcome, sent } = await connected();
  expect(welcome).toMatchObject({ protocol: '2026-07-28' });
  expect(welcome.tools.map(({ name }) => name)).toEqual(['greet', 'deploy']);
  expect(await session.callTool('c1', 'greet', { name: 'Maren' }, neverAborts)).toMatchObject({
    ok: true,
    value: { content: [{ type: 'text', text: 'Good morning, Maren.' }], isError: false },
  });
  expect(sent.every(({ headers }) => !('mcp-session-id' in headers))).toBe(true);
  expect(sent.at(-1)?.headers).toMatchObject({ 'mcp-method': 'tools/call', 'mcp-name': 'greet' });
  await session.close();
});

test('a tool call pauses for a question from the server and continues with the answer', async () => {
  const { session, page } = await connected();
  page.ask.mockResolvedValue({ action: 'accept', content: { name: 'Maren', isSure: false } });
  expect(await session.callTool('c1', 'deploy', {}, neverAborts)).toMatchObject({
    ok: true,
    value: { content: [{ type: 'text', text: 'Deployed for Maren: false' }], isError: false },
  });
  expect(page.ask).toHaveBeenCalledWith(
    expect.objectContaining({ message: 'Who asks?', requestedSchema: expect.any(Object) }),
  );
  await session.close();
});
