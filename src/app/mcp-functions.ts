/** Screen actions for MCP servers: add, change, remove and sign in. */
import type { McpSecrets, ServerPrompt } from '../contracts/mcp-server';
import { checkUrl } from '../egress/gate';
import type { AddProblem, NewServer, ServerFunctions, SignInResult } from '../state/servers.svelte';
import { switchTool } from '../tools/mcp/merge-tools';
import type { Answer, LoginStep } from '../tools/mcp/worker-api';
import type { LiveServer } from './mcp-live';
import type { McpRuntime } from './mcp-runtime';
import { type LoginWindow, openLoginWindow, whenLoginReturns } from '../platform/login-window';
import { findClientDocument } from '../egress/client-document';

export function createMcpFunctions(parts: {
  runtime: McpRuntime;
  allowedAddresses: () => readonly string[];
  onTools: () => void;
  baseUrl: string;
}): ServerFunctions {
  const { runtime, allowedAddresses } = parts;
  const signIn = createSignIn(runtime, parts.baseUrl, (url) => checkUrl(url, allowedAddresses()).ok);

  function problemOf({ url, name, header, key, clientId, clientSecret }: NewServer): AddProblem | undefined {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return { field: 'url', code: 'form' };
    const others = runtime.views().map(({ server }) => server);
    if (others.some((other) => other.url === new URL(url).href)) return { field: 'url', code: 'taken' };
    if (name === '') return { field: 'name', code: 'missing' };
    if (others.some((other) => other.name === name)) return { field: 'name', code: 'taken' };
    if (header === '' && key !== '') return { field: 'header', code: 'form' };
    if (header !== '' && !isAllowedKeyHeader(header)) return { field: 'header', code: 'form' };
    if (header !== '' && key === '') return { field: 'key', code: 'missing' };
    if ([key, clientId, clientSecret].some((text) => /[^\x20-\x7e]/.test(text)))
      return { field: 'key', code: 'form' };
    const checked = checkUrl(url, allowedAddresses());
    return checked.ok ? undefined : { field: 'server', code: 'address', detail: checked.reason };
  }

  async function connectOnce(live: LiveServer, signal: AbortSignal): Promise<AddProblem | undefined> {
    const stop = () => live.connection.end();
    signal.addEventListener('abort', stop);
    await live.connection.connect();
    signal.removeEventListener('abort', stop);
    signal.throwIfAborted();
    const { state } = live.connection;
    if (state.type !== 'away' || state.trouble === 'login') return undefined;
    return { field: 'server', code: state.trouble, detail: state.detail };
  }

  const withLive = async (id: string, work: (live: LiveServer) => Promise<void>) => {
    const live = runtime.find(id);
    if (live) await work(live);
  };

  async function listFrom<Item>(
    feature: 'hasPrompts' | 'hasResources',
    list: (connection: LiveServer['connection']) => Promise<readonly Item[]>,
  ): Promise<(Item & { serverId: string })[]> {
    const offering = runtime
      .views()
      .filter(({ state, server }) => state.type === 'ready' && server.info?.[feature])
      .flatMap(({ server }) => runtime.find(server.id) ?? []);
    const lists = offering.map(async ({ server, connection }) =>
      (await list(connection)).map((item) => ({ serverId: server.id, ...item })),
    );
    return (await Promise.all(lists)).flat();
  }

  return {
    watch: runtime.watch,
    async add(typed, signal) {
      const given = trimNewServer(typed);
      const problem = problemOf(given);
      if (problem) return { ok: false, problem };
      const id = crypto.randomUUID();
      const { key, clientSecret, ...shown } = given;
      const tally = { calls: 0, failures: 0, sentBytes: 0, receivedBytes: 0 };
      const live = runtime.open(
        { ...shown, id, tools: [], tally, createdAt: Date.now() },
        { serverId: id, key, clientSecret },
      );
      const trouble = await connectOnce(live, signal);
      if (trouble) {
        live.connection.end();
        return { ok: false, problem: trouble };
      }
      await runtime.take(live);
      parts.onTools();
      return { ok: true, id };
    },
    refresh: (id) => withLive(id, ({ connection }) => connection.connect()),
    signIn,
    signOut: (id) =>
      withLive(id, async (live) => {
        let ended: McpSecrets['login'];
        // Delete the tokens here before asking the server, which may not answer.
        await runtime.changeSecrets(live, (secrets) => {
          const { login, ...keys } = secrets;
          ended = login;
          return keys;
        });
        live.isSignedIn = false;
        void live.remote.ask((api) => api.revokeLogin(ended)).catch(() => undefined);
        await live.connection.connect();
      }),
    setTool: (id, name, isOn) =>
      withLive(id, async (live) => {
        await runtime.change(live, (server) => switchTool(server, name, isOn));
        parts.onTools();
      }),
    setKey: (id, key) =>
      withLive(id, async (live) => {
        await runtime.changeSecrets(live, (secrets) => ({ ...secrets, key: key.trim() }));
        live.hasKey = key.trim() !== '';
        await live.connection.connect();
      }),
    prompts: () => listFrom('hasPrompts', ({ prompts }) => prompts()),
    async fillPrompt({ serverId, name }: ServerPrompt, values) {
      const live = runtime.find(serverId);
      if (!live) throw new Error('This server is gone.');
      const filled = await live.remote.ask((api) => api.fillPrompt(name, values));
      if (!filled.ok) throw new Error(filled.message);
      return filled.value;
    },
    resources: () => listFrom('hasResources', ({ resources }) => resources()),
  };
}

function trimNewServer(typed: NewServer): NewServer {
  const url = typed.url.trim();
  return {
    url: URL.canParse(url) ? new URL(url).href : url,
    name: typed.name.trim(),
    header: typed.header.trim(),
    key: typed.key.trim(),
    clientId: typed.clientId.trim(),
    clientSecret: typed.clientSecret.trim(),
  };
}

/** Whether a header may contain an API key. The MCP client, the browser and proxies reserve some headers. */
function isAllowedKeyHeader(name: string): boolean {
  const own =
    /^(?:accept|content-|mcp-|last-event-id|host|cookie|origin|referer|sec-|proxy-|access-control-|connection|te$|upgrade|date$|dnt$|expect$|keep-alive|set-cookie|trailer|transfer-encoding|via$|x-(?:http-)?method)/i;
  return /^[!#$%&'*+.^_`|~\w-]{1,100}$/.test(name) && !own.test(name);
}

const maxLoginMs = 600_000;
/** If the login window appears closed for this many milliseconds, we cancel the login. */
const maxLoginWindowClosedMs = 3_000;
const closedCheckIntervalMs = 500;

function createSignIn(runtime: McpRuntime, baseUrl: string, isAllowed: (url: string) => boolean) {
  /** Allows the login origins that the user has seen and confirmed with this click. */
  const allowOrigins = (live: LiveServer) =>
    runtime.changeSecrets(live, (secrets) => {
      const origins = [...new Set([...(secrets.login?.origins ?? []), ...live.loginOrigins])];
      return { ...secrets, login: { ...secrets.login, origins } };
    });

  const failed = (detail: string): SignInResult => ({ end: 'failed', detail });

  async function follow(
    live: LiveServer,
    step: Answer<LoginStep>,
    opened: LoginWindow,
  ): Promise<SignInResult> {
    if (!step.ok) return failed(step.message);
    if (step.value.type === 'unseen') {
      live.loginOrigins = [...new Set([...live.loginOrigins, ...step.value.origins])];
      runtime.notifyWatchers();
      return { end: 'other-hosts', detail: step.value.origins.join(', ') };
    }
    if (step.value.type === 'open') return goOn(live, step.value, opened);
    return reconnect(live);
  }

  async function goOn(
    live: LiveServer,
    { url, state }: Extract<LoginStep, { type: 'open' }>,
    opened: LoginWindow,
  ): Promise<SignInResult> {
    if (!isAllowed(url)) return failed(`${url.slice(0, 200)} may not be opened.`);
    const over = AbortSignal.any([AbortSignal.timeout(maxLoginMs), live.over.signal]);
    const returning = whenLoginReturns(state, over).then((said) => finish(live, state, said));
    opened.go(url);
    const end = await Promise.race([returning.catch(() => undefined), waitUntilClosed(opened, over)]);
    return end ?? { end: 'closed', detail: '' };
  }

  async function finish(live: LiveServer, state: string, said: URLSearchParams): Promise<SignInResult> {
    const code = said.get('code');
    if (code === null) return failed(said.get('error') ?? 'It came back without a code.');
    const answered = await live.remote.ask((api) =>
      api.finishLogin(state, code, said.get('iss') ?? undefined),
    );
    if (!answered.ok) return failed(answered.message);
    if (answered.value.type === 'unseen') return failed(answered.value.origins.join(', '));
    return reconnect(live);
  }

  async function reconnect(live: LiveServer): Promise<SignInResult> {
    await live.connection.connect();
    return { end: 'done', detail: '' };
  }

  return async (id: string): Promise<SignInResult> => {
    // Open the window first, because browsers allow that only in a click handler.
    const opened = openLoginWindow();
    const live = runtime.find(id);
    if (!opened) return { end: 'window', detail: '' };
    try {
      if (!live) return { end: 'closed', detail: '' };
      const refused = live.loginOrigins.find((origin) => !isAllowed(origin));
      if (refused !== undefined) return { end: 'address', detail: refused };
      await allowOrigins(live);
      const document = await findClientDocument(baseUrl);
      return await follow(live, await live.remote.ask((api) => api.beginLogin(document)), opened);
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error));
    } finally {
      opened.close();
    }
  };
}

/** Resolves to undefined once the window has appeared closed for `maxLoginWindowClosedMs`, or when `over` aborts. */
async function waitUntilClosed(opened: LoginWindow, over: AbortSignal): Promise<undefined> {
  let closedFor = 0;
  while (!over.aborted && closedFor < maxLoginWindowClosedMs) {
    await new Promise((resolve) => setTimeout(resolve, closedCheckIntervalMs));
    closedFor = opened.isClosed ? closedFor + closedCheckIntervalMs : 0;
  }
  return undefined;
}
