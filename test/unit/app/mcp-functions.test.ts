/** Adding a server: invalid input is reported before the server is contacted. */
import { describe, expect, test, vi } from 'vitest';
import { createMcpFunctions } from '../../../src/app/mcp-functions';
import type { LiveServer } from '../../../src/app/mcp-live';
import type { McpRuntime } from '../../../src/app/mcp-runtime';
import type { McpSecrets, McpServer, ServerState } from '../../../src/contracts/mcp-server';
import type { NewServer } from '../../../src/state/servers.svelte';

const typed = (changed: Partial<NewServer> = {}): NewServer => ({
  url: 'https://new.example.org/mcp',
  name: 'New',
  header: '',
  key: '',
  clientId: '',
  clientSecret: '',
  ...changed,
});
const kept = { id: 'kept', name: 'Kept', url: 'https://kept.example.org/mcp', createdAt: 1 } as McpServer;

function open(state: ServerState = { type: 'ready' }) {
  const connection = {
    state,
    connect: vi.fn(async () => Promise.resolve()),
    end: vi.fn(),
  };
  const runtime = {
    views: () => [{ server: kept }],
    open: vi.fn((server: McpServer) => ({ server, connection }) as unknown as LiveServer),
    take: vi.fn(async () => undefined),
    find: () => undefined,
  };
  const onTools = vi.fn();
  const functions = createMcpFunctions({
    runtime: runtime as unknown as McpRuntime,
    allowedAddresses: () => ['http://192.168.1.5:3000'],
    onTools,
    baseUrl: 'https://hearth.example/',
  });
  const add = (changed: Partial<NewServer> = {}, signal = new AbortController().signal) =>
    functions.add(typed(changed), signal);
  return { add, runtime, connection, onTools };
}

test('signing out deletes the login at once, even if the server does not answer', async () => {
  let secrets: McpSecrets = {
    serverId: 'kept',
    key: '',
    clientSecret: 'cs-1',
    clientIssuer: 'https://login.example',
    login: { tokens: '{"access_token":"at-1"}', origins: ['https://login.example'] },
  };
  const login = secrets.login;
  const revokeLogin = vi.fn();
  const ask = vi.fn((run: (api: object) => unknown) => {
    run({ revokeLogin });
    return new Promise(() => undefined);
  });
  const live = {
    server: kept,
    isSignedIn: true,
    remote: { ask },
    connection: { connect: async () => undefined },
  };
  const runtime = {
    find: () => live,
    changeSecrets: async (_: LiveServer, how: (kept: McpSecrets) => McpSecrets) =>
      void (secrets = how(secrets)),
  };
  const { signOut } = createMcpFunctions({
    runtime: runtime as unknown as McpRuntime,
    allowedAddresses: () => [],
    onTools: () => undefined,
    baseUrl: 'https://hearth.example/',
  });
  await signOut('kept');
  expect(secrets).toEqual({
    serverId: 'kept',
    key: '',
    clientSecret: 'cs-1',
    clientIssuer: 'https://login.example',
  });
  expect(live.isSignedIn).toBe(false);
  expect(revokeLogin).toHaveBeenCalledWith(login);
});

describe('the form that adds an MCP server', () => {
  test.for<[string, Partial<NewServer>, object]>([
    ['an empty URL', { url: '' }, { field: 'url', code: 'form' }],
    ['a URL without its scheme', { url: 'new.example.org/mcp' }, { field: 'url', code: 'form' }],
    ['a script URL', { url: 'javascript:alert(1)' }, { field: 'url', code: 'form' }],
    ['a file URL', { url: 'file:///etc/passwd' }, { field: 'url', code: 'form' }],
    ['a WebSocket URL', { url: 'wss://new.example.org/' }, { field: 'url', code: 'form' }],
    [
      'the URL of an existing server',
      { url: 'https://kept.example.org/mcp' },
      { field: 'url', code: 'taken' },
    ],
    [
      'the same URL in another spelling',
      { url: ' HTTPS://KEPT.example.org:443/mcp ' },
      { field: 'url', code: 'taken' },
    ],
    ['an empty name', { name: '' }, { field: 'name', code: 'missing' }],
    ['a blank name', { name: '  ' }, { field: 'name', code: 'missing' }],
    ['the name of an existing server', { name: ' Kept ' }, { field: 'name', code: 'taken' }],
    ['a key without a header', { key: 'k' }, { field: 'header', code: 'form' }],
    ['a header without a key', { header: 'X-Api-Key' }, { field: 'key', code: 'missing' }],
    ['unencrypted HTTP', { url: 'http://new.example.org/mcp' }, { field: 'server', code: 'address' }],
    [
      'an address in the local network',
      { url: 'https://192.168.1.5/mcp' },
      { field: 'server', code: 'address' },
    ],
    ['an address of this device', { url: 'http://localhost:3000/mcp' }, { field: 'server', code: 'address' }],
    [
      'a host name that leads to this device',
      { url: 'https://127.0.0.1.nip.io/mcp' },
      { field: 'server', code: 'address' },
    ],
    [
      'a password in the URL',
      { url: 'https://me:secret@new.example.org/' },
      { field: 'server', code: 'address' },
    ],
    [
      'a port that is not allowed',
      { url: 'https://new.example.org:9000/' },
      { field: 'server', code: 'address' },
    ],
  ])('refuses invalid input without contacting the server: %s', async ([, changed, problem]) => {
    const { add, runtime } = open();
    expect(await add(changed)).toMatchObject({ ok: false, problem });
    expect(runtime.open).not.toHaveBeenCalled();
    expect(runtime.take).not.toHaveBeenCalled();
  });

  test.for([
    ...['X Key', 'X:Key', 'Schlüssel', 'a\nb', 'x'.repeat(101), '密钥'],
    ...[
      'Accept',
      'accept-language',
      'Content-Type',
      'Mcp-Session-Id',
      'MCP-Protocol-Version',
      'Last-Event-ID',
    ],
    ...[
      'Host',
      'Cookie',
      'Cookie2',
      'Set-Cookie',
      'Origin',
      'Referer',
      'Sec-Key',
      'Proxy-Authorization',
      'Connection',
    ],
    ...[
      'Access-Control-Request-Headers',
      'TE',
      'Upgrade',
      'Date',
      'DNT',
      'Expect',
      'Keep-Alive',
      'Trailer',
      'Via',
    ],
    ...['Transfer-Encoding', 'X-HTTP-Method-Override'],
  ])('refuses to send the key in the header %s', async (header) => {
    const { add, runtime } = open();
    expect(await add({ header, key: 'k' })).toEqual({
      ok: false,
      problem: { field: 'header', code: 'form' },
    });
    expect(runtime.open).not.toHaveBeenCalled();
  });

  test.for(['schlüssel', '密钥', 'two\nlines', 'a\tb', 'a\u200bb', 'a\u007fb'])(
    'refuses a key or client secret with invalid characters: %j',
    async (key) => {
      const { add, runtime } = open();
      const problem = { field: 'key', code: 'form' };
      expect(await add({ header: 'X-Api-Key', key })).toEqual({ ok: false, problem });
      expect(await add({ clientId: 'id', clientSecret: key })).toEqual({ ok: false, problem });
      expect(runtime.open).not.toHaveBeenCalled();
    },
  );
});

describe('adding an MCP server', () => {
  test('stores its data without surrounding spaces once it is connected', async () => {
    const { add, runtime, connection, onTools } = open();
    const given = {
      url: ' https://NEW.example.org/mcp ',
      name: ' New ',
      header: ' Authorization ',
      key: ' Bearer k ',
      clientId: ' id ',
      clientSecret: ' cs ',
    };
    const added = await add(given);
    const id = added.ok ? added.id : '';
    expect(id).not.toBe('');
    expect(runtime.open).toHaveBeenCalledExactlyOnceWith(
      {
        id,
        url: 'https://new.example.org/mcp',
        name: 'New',
        header: 'Authorization',
        clientId: 'id',
        tools: [],
        tally: { calls: 0, failures: 0, sentBytes: 0, receivedBytes: 0 },
        createdAt: expect.any(Number),
      },
      { serverId: id, key: 'Bearer k', clientSecret: 'cs' },
    );
    expect(connection.connect).toHaveBeenCalledOnce();
    expect(runtime.take).toHaveBeenCalledOnce();
    expect(onTools).toHaveBeenCalledOnce();
  });

  test.for(['Authorization', 'X-Api-Key', 'api_key', 'X-Date', 'Tenant', 'Video'])(
    'accepts a key in the header %s',
    async (header) => {
      expect(await open().add({ header, key: 'k' })).toMatchObject({ ok: true });
    },
  );

  test('accepts a local network address that is allowed in Settings', async () => {
    expect(await open().add({ url: 'http://192.168.1.5:3000/mcp' })).toMatchObject({ ok: true });
  });

  test('stores a server that requires a login', async () => {
    const { add, runtime } = open({ type: 'away', trouble: 'login', detail: '' });
    expect(await add()).toMatchObject({ ok: true });
    expect(runtime.take).toHaveBeenCalledOnce();
  });

  test('does not store a server that cannot be reached', async () => {
    const { add, runtime, connection } = open({ type: 'away', trouble: 'certificate', detail: 'Why.' });
    expect(await add()).toEqual({
      ok: false,
      problem: { field: 'server', code: 'certificate', detail: 'Why.' },
    });
    expect(runtime.take).not.toHaveBeenCalled();
    expect(connection.end).toHaveBeenCalledOnce();
  });

  test('stores nothing if the user cancels', async () => {
    const { add, runtime, connection } = open();
    const stop = new AbortController();
    connection.connect.mockImplementation(async () => stop.abort(new Error('Cancelled')));
    await expect(add({}, stop.signal)).rejects.toThrow('Cancelled');
    expect(connection.end).toHaveBeenCalled();
    expect(runtime.take).not.toHaveBeenCalled();
  });
});
