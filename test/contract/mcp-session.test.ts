/** The MCP client as the worker runs it, against the protocol authors' reference server. Only the browser is missing. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession } from '../../src/tools/mcp/session';
import { createPageEnd } from '../support/mcp-page';
import { type EverythingServer, startEverything } from '../support/mcp/everything';
import { slow } from '../support/matrix';

const neverAborts = new AbortController().signal;
let server: EverythingServer;

beforeAll(async () => void (server = await startEverything()));
afterAll(() => server.close());

const open = (page = createPageEnd()) => {
  const redirectUrl = 'http://localhost/oauth.html';
  const setup = {
    url: server.url,
    redirectUrl,
    homeUrl: 'http://localhost/',
    clientId: '',
    clientSecret: '',
  };
  return { ...page, session: openSession(setup, page.page) };
};
const call = async (
  session: ReturnType<typeof openSession>,
  name: string,
  args: Record<string, unknown> = {},
) => {
  const answered = await session.callTool('c1', name, args, neverAborts);
  if (!answered.ok) throw new Error(answered.message);
  return answered.value;
};

test('the client connects to a server, lists its tools and calls them', async () => {
  const { session } = open();
  const welcome = await session.connect();
  if (!welcome.ok) throw new Error(welcome.message);
  expect(welcome.value).toMatchObject({ protocol: '2025-11-25', hasPrompts: true, hasResources: true });
  const names = welcome.value.tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['echo', 'get-sum', 'get-tiny-image']));
  expect(welcome.value.tools.every(({ hash }) => /^[\da-f]{64}$/.test(hash))).toBe(true);

  expect(await call(session, 'echo', { message: 'heron' })).toEqual({
    content: [{ type: 'text', text: 'Echo: heron' }],
    isError: false,
  });
  const picture = await call(session, 'get-tiny-image');
  expect(picture.content).toContainEqual(expect.objectContaining({ type: 'image', mimeType: 'image/png' }));
  const links = await call(session, 'get-resource-links', { count: 2 });
  expect(links.content.filter(({ type }) => type === 'link')).toHaveLength(2);
  const structured = await call(session, 'get-structured-content', { location: 'New York' });
  expect(structured.isError).toBe(false);
  await session.close();
});

slow('the client never sends invalid tool arguments to the server', async () => {
  const { session, sent } = open();
  await session.connect();
  const before = sent.length;
  expect(await call(session, 'get-sum', { a: 'many', b: 2 })).toMatchObject({
    isError: true,
    failure: 'arguments',
  });
  expect(sent.length).toBe(before);
  await session.close();
});

slow('a long tool call reports its progress, and stopping it notifies the server', async () => {
  const { session, page, sent } = open();
  await session.connect();
  const done = await call(session, 'trigger-long-running-operation', { duration: 0.4, steps: 2 });
  expect(done.isError).toBe(false);
  expect(page.progress).toHaveBeenCalledWith('c1', expect.stringContaining('/ 2'));

  const stop = new AbortController();
  const calling = session.callTool(
    'c2',
    'trigger-long-running-operation',
    { duration: 60, steps: 2 },
    stop.signal,
  );
  await expect.poll(() => sent.some(({ body }) => body?.includes('"duration":60'))).toBe(true);
  stop.abort();
  expect(await calling).toMatchObject({ ok: false });
  await expect.poll(() => sent.some(({ body }) => body?.includes('notifications/cancelled'))).toBe(true);
  await session.close();
});

test("the client lists a server's prompts and resources, and reads their content", async () => {
  const { session } = open();
  await session.connect();
  const prompts = await session.prompts();
  if (!prompts.ok) throw new Error(prompts.message);
  expect(prompts.value.length).toBeGreaterThan(0);
  const simple = prompts.value.find((prompt) => prompt.arguments.length === 0);
  const filled = await session.fillPrompt(simple?.name ?? '', {});
  expect(filled).toMatchObject({ ok: true, value: expect.stringMatching(/\w+/) });
  const resources = await session.resources();
  if (!resources.ok) throw new Error(resources.message);
  const text = await session.readResource(resources.value[0]?.uri ?? '', neverAborts);
  expect(text).toMatchObject({ ok: true, value: { isError: false } });
  await session.close();
});

test('a question from the server during a tool call is passed to the page', async () => {
  const asked = createPageEnd();
  asked.page.ask.mockResolvedValue({ action: 'decline' });
  const { session } = open(asked);
  await session.connect();
  // The server asks over the stream that stays open alongside the calls.
  await expect.poll(() => asked.sent.some(({ method }) => method === 'GET')).toBe(true);
  await call(session, 'trigger-elicitation-request');
  expect(asked.page.ask).toHaveBeenCalledWith(expect.objectContaining({ message: expect.any(String) }));
  await session.close();
});

test('a tool call fails with a session error if the server has ended the session', async () => {
  const { session, sent } = open();
  await session.connect();
  const id = sent.find(({ headers }) => 'mcp-session-id' in headers)?.headers['mcp-session-id'] ?? '';
  const { page } = createPageEnd();
  const { port1: ended, port2 } = new MessageChannel();
  await page.request('end', { url: server.url, method: 'DELETE', headers: { 'mcp-session-id': id } }, port2);
  ended.close();
  expect(await session.callTool('c3', 'echo', { message: 'x' }, neverAborts)).toMatchObject({
    ok: false,
    fault: 'session',
  });
  await session.close();
});
