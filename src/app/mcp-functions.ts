/** Part of the composition root: actions of the screens on MCP servers. */
import type { McpSecrets, McpServer, ServerPrompt } from '../contracts/mcp-server';
import { checkUrl } from '../egress/gate';
import type { AddProblem, NewServer, ServerFunctions } from '../state/servers.svelte';
import { switchTool } from '../tools/mcp/merge-tools';
import type { Answered } from '../tools/mcp/worker-api';
import { createSignIn } from './mcp-sign-in';
import type { Live } from './mcp-live';
import type { McpRuntime } from './mcp-runtime';

interface McpFunctionParts {
  runtime: McpRuntime;
  /** Origins that the user allowed in Settings. */
  allowedAddresses: () => readonly string[];
  onTools: () => void;
  baseUrl: string;
  newId: () => string;
  /** Milliseconds since the epoch. */
  date: () => number;
}

export function createMcpFunctions(parts: McpFunctionParts): ServerFunctions {
  const { runtime, allowedAddresses, newId, date } = parts;
  const signIn = createSignIn({ ...parts, isAllowed: (url) => checkUrl(url, allowedAddresses()).ok });

  function problemOf({ url, name, header, key, clientId, clientSecret }: NewServer): AddProblem | undefined {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return { field: 'url', code: 'form' };
    const others = runtime.views().map(({ server }) => server);
    if (others.some((other) => other.url === new URL(url).href)) return { field: 'url', code: 'taken' };
    if (name === '') return { field: 'name', code: 'missing' };
    if (others.some((other) => other.name === name)) return { field: 'name', code: 'taken' };
    if (header === '' && key !== '') return { field: 'header', code: 'form' };
    if (header !== '' && !fitsHeader(header)) return { field: 'header', code: 'form' };
    if (header !== '' && key === '') return { field: 'key', code: 'missing' };
    if ([key, clientId, clientSecret].some((text) => /[^\x20-\x7e]/.test(text)))
      return { field: 'key', code: 'form' };
    const checked = checkUrl(url, allowedAddresses());
    return checked.ok ? undefined : { field: 'server', code: 'address', detail: checked.reason };
  }

  async function connectOnce(live: Live, signal: AbortSignal): Promise<AddProblem | undefined> {
    const stop = () => live.connection.end();
    signal.addEventListener('abort', stop);
    await live.connection.connect();
    signal.removeEventListener('abort', stop);
    signal.throwIfAborted();
    const { state } = live.connection;
    if (state.type !== 'away' || state.trouble === 'login') return undefined;
    return { field: 'server', code: state.trouble, detail: state.detail };
  }

  /** Does nothing if the server was removed in the meantime. */
  const withLive = async (id: string, work: (live: Live) => Promise<void>) => {
    const live = runtime.find(id);
    if (live) await work(live);
  };

  const ready = () =>
    runtime
      .views()
      .filter(({ state }) => state.type === 'ready')
      .flatMap(({ server }) => runtime.find(server.id) ?? []);

  return {
    watch: runtime.watch,
    async add(typed, signal) {
      const given = trimmed(typed);
      const problem = problemOf(given);
      if (problem) return { ok: false, problem };
      const live = runtime.open(...rowsOf(given, newId(), date()));
      const trouble = await connectOnce(live, signal);
      if (trouble) {
        live.connection.end();
        return { ok: false, problem: trouble };
      }
      await runtime.take(live);
      parts.onTools();
      return { ok: true, id: live.server.id };
    },
    refresh: (id) => withLive(id, ({ connection }) => connection.connect()),
    signIn,
    signOut: (id) =>
      withLive(id, async (live) => {
        await live.remote.ask((api) => api.revokeLogin()).catch(() => undefined);
        await runtime.changeSecrets(live, ({ serverId, key, clientSecret }) => ({
          serverId,
          key,
          clientSecret,
        }));
        live.isSignedIn = false;
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
    async prompts() {
      const lists = ready()
        .filter(({ server }) => server.info?.hasPrompts)
        .map(async ({ server, connection }) =>
          (await connection.prompts()).map((prompt) => ({ serverId: server.id, ...prompt })),
        );
      return (await Promise.all(lists)).flat();
    },
    async fillPrompt({ serverId, name }: ServerPrompt, values) {
      const live = runtime.find(serverId);
      if (!live) throw new Error('This server is gone.');
      return valueOf(await live.remote.ask((api) => api.fillPrompt(name, values)));
    },
    async resources() {
      const lists = ready()
        .filter(({ server }) => server.info?.hasResources)
        .map(async ({ server, connection }) =>
          (await connection.resources()).map((resource) => ({ serverId: server.id, ...resource })),
        );
      return (await Promise.all(lists)).flat();
    },
  };
}

function trimmed(typed: NewServer): NewServer {
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

function rowsOf(
  { url, name, header, key, clientId, clientSecret }: NewServer,
  id: string,
  createdAt: number,
): [McpServer, McpSecrets] {
  const tally = { calls: 0, failures: 0, sentBytes: 0, receivedBytes: 0 };
  return [
    { id, url, name, header, clientId, tools: [], tally, createdAt },
    { serverId: id, key, clientSecret },
  ];
}

/** Whether a header may carry a key. Headers of the protocol client, the browser and proxies may not. */
function fitsHeader(name: string): boolean {
  const own =
    /^(?:accept|content-|mcp-|last-event-id|host|cookie|origin|referer|sec-|proxy-|access-control-|connection|te$|upgrade|date$|dnt$|expect$|keep-alive|set-cookie|trailer|transfer-encoding|via$|x-(?:http-)?method)/i;
  return /^[!#$%&'*+.^_`|~\w-]{1,100}$/.test(name) && !own.test(name);
}

function valueOf<Value>(answered: Answered<Value>): Value {
  if (!answered.ok) throw new Error(answered.message);
  return answered.value;
}
