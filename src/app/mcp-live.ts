/** One MCP server during a visit: its stored row, worker, log and connection. Retries the connection automatically. */
import type { StreamingEgress } from '../contracts/egress';
import type {
  McpSecrets,
  McpServer,
  ServerAnswer,
  ServerQuestion,
  ServerView,
  ServerLogLine,
  ServerState,
} from '../contracts/mcp-server';
import {
  createRemoteServer,
  type RemoteServer,
  canRecover,
  readServerQuestion,
  type TroubleInfo,
  troubleOf,
} from '../tools/mcp/remote-server';
import type { Answer, ListedTool, ServerInfo, ConnectedServer } from '../tools/mcp/worker-api';
import { createFailedOutput, type ToolContext, type UnmarkedOutput } from '../contracts/tool';

export interface LiveServerOptions {
  startWorker: () => Worker;
  egress: StreamingEgress;
  /** Asks the user. All servers share this function, so the user sees one question at a time. */
  askPerson: (question: ServerQuestion, signal: AbortSignal) => Promise<ServerAnswer>;
  change: (live: LiveServer, change: (server: McpServer) => McpServer) => Promise<void>;
  secretsOf: (live: LiveServer) => Promise<McpSecrets>;
  changeSecrets: (live: LiveServer, change: (secrets: McpSecrets) => McpSecrets) => Promise<void>;
  onTools: (live: LiveServer, tools: readonly ListedTool[], info?: ServerInfo) => Promise<void>;
  onChange: () => void;
  isCounting: () => boolean;
  baseUrl: string;
}

export interface LiveServer {
  server: McpServer;
  readonly connection: Connection;
  readonly remote: RemoteServer;
  hasKey: boolean;
  isSignedIn: boolean;
  loginOrigins: readonly string[];
  /** Aborts when the server is removed, which cancels its questions to the user. */
  readonly over: AbortController;
}

export function toServerView(live: LiveServer): ServerView {
  const { server, connection, hasKey, isSignedIn, loginOrigins } = live;
  const { state, log } = connection;
  return { server, state, log, hasKey, isSignedIn, loginOrigins };
}

const tallyWriteIntervalMs = 1_000;

export function openLiveServer(server: McpServer, secrets: McpSecrets, parts: LiveServerOptions): LiveServer {
  const { onChange } = parts;
  const { url, name, header, clientId } = server;
  const pageAt = (path: string) => new URL(path, parts.baseUrl).href;
  const over = new AbortController();
  const sum = createTally((add) => void parts.change(live, add));
  const tally = (added: Partial<Tally>) => {
    if (parts.isCounting()) sum(added);
  };

  async function ask(params: unknown): Promise<ServerAnswer> {
    const question = live.connection.isCalling
      ? readServerQuestion(params)
      : { ok: false as const, reason: 'Nothing is asked of the server now.' };
    if (!question.ok) {
      live.connection.addLogLine('elicitation/create', `declined: ${question.reason}`);
      return { action: 'decline' };
    }
    const asked = { id: crypto.randomUUID(), serverName: name, host: new URL(url).host, ...question.value };
    return live.connection.whileAsking(() =>
      parts.askPerson(asked, over.signal).catch(() => ({ action: 'cancel' as const })),
    );
  }

  const remote = createRemoteServer({
    startWorker: parts.startWorker,
    egress: parts.egress,
    setup: {
      url,
      clientId,
      clientSecret: secrets.clientSecret,
      redirectUrl: pageAt('oauth.html'),
      homeUrl: pageAt('.'),
    },
    name,
    async keys() {
      const { key, login } = await parts.secretsOf(live);
      return { header, key, tokens: login?.tokens };
    },
    onTraffic: (sentBytes, receivedBytes) => tally({ sentBytes, receivedBytes }),
    ask,
    progress: (...given) => live.connection.progress(...given),
    changed(what) {
      live.connection.addLogLine(`${what}/list_changed`, 'told');
      if (what === 'tools') live.connection.reloadTools();
    },
    loadLogin: async () => ({ origins: [], ...(await parts.secretsOf(live)).login }),
    async saveLogin(login) {
      await parts.changeSecrets(live, (kept) =>
        kept.login ? { ...kept, login: { ...login, origins: kept.login.origins } } : kept,
      );
      live.isSignedIn = (await parts.secretsOf(live)).login?.tokens !== undefined;
      onChange();
    },
    async bindClient(issuer) {
      let clientIssuer = issuer;
      await parts.changeSecrets(live, (kept) => {
        clientIssuer = kept.clientIssuer ?? issuer;
        return { ...kept, clientIssuer };
      });
      return clientIssuer;
    },
    log: (what, outcome) => live.connection.addLogLine(what, outcome),
  });
  const connection = createConnection({
    url,
    name,
    remote,
    onChange,
    onConnected: ({ tools, ...info }) => parts.onTools(live, tools, info),
    onTools: (tools) => parts.onTools(live, tools),
    onCall: (isFailed) => tally({ calls: 1, failures: isFailed ? 1 : 0 }),
    async onLogin() {
      const found = await remote.ask((api) => api.findLogin());
      if (found.ok) live.loginOrigins = found.value;
    },
  });
  const live: LiveServer = {
    server,
    connection,
    remote,
    over,
    hasKey: secrets.key !== '',
    isSignedIn: secrets.login?.tokens !== undefined,
    loginOrigins: [],
  };
  return live;
}

type Tally = McpServer['tally'];

function createTally(write: (add: (server: McpServer) => McpServer) => void) {
  const none: Tally = { calls: 0, failures: 0, sentBytes: 0, receivedBytes: 0 };
  let sum = none;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (added: Partial<Tally>) => {
    sum = addTallies(sum, { ...none, ...added });
    timer ??= setTimeout(() => {
      timer = undefined;
      const part = sum;
      sum = none;
      write((server) => ({ ...server, tally: addTallies(server.tally, part) }));
    }, tallyWriteIntervalMs);
  };
}

function addTallies(a: Tally, b: Tally): Tally {
  return {
    calls: a.calls + b.calls,
    failures: a.failures + b.failures,
    sentBytes: a.sentBytes + b.sentBytes,
    receivedBytes: a.receivedBytes + b.receivedBytes,
  };
}

export type Connection = ReturnType<typeof createConnection>;

const maxLogLines = 100;
/** Milliseconds to wait before each retry. The last value repeats. */
const retryDelaysMs = [5_000, 15_000, 60_000, 300_000];
/** Milliseconds to wait before reloading a changed list, in case the server changes the list again. */
const listReloadDelayMs = 2_000;
const maxConnectWaitMs = 10_000;

export function createConnection(parts: {
  url: string;
  name: string;
  remote: RemoteServer;
  onConnected: (welcome: ConnectedServer) => Promise<void>;
  onTools: (tools: readonly ListedTool[]) => Promise<void>;
  onChange: () => void;
  onCall: (isFailed: boolean) => void;
  onLogin: () => Promise<void>;
}) {
  const { url, name, remote, onChange } = parts;
  let state: ServerState = { type: 'connecting' };
  let log: readonly ServerLogLine[] = [];
  let connecting: Promise<void> | undefined;
  let failures = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let isListing = false;
  let changes = 0;
  let isEnded = false;
  const calls = new Map<string, ToolContext>();

  const addLogLine = (what: string, outcome: string, durationMs?: number) => {
    const line = { id: crypto.randomUUID(), at: Date.now(), what, outcome, durationMs };
    log = [...log, line].slice(-maxLogLines);
    onChange();
  };

  const setState = (next: ServerState) => {
    state = next;
    onChange();
  };

  function fail({ trouble, detail }: TroubleInfo): void {
    if (isEnded) return;
    setState({ type: 'away', trouble, detail });
    clearTimeout(retry);
    if (trouble === 'login') void parts.onLogin().then(onChange, () => undefined);
    if (!canRecover(trouble)) return;
    const delay = retryDelaysMs[Math.min(failures++, retryDelaysMs.length - 1)];
    retry = setTimeout(() => void connect(), delay);
  }

  /** Sends a request to the worker and logs the outcome. Converts a crash or timeout of the worker into an ordinary failure. */
  async function ask<Value>(
    what: string,
    work: () => Promise<Answer<Value>>,
    signal?: AbortSignal,
  ): Promise<Answer<Value>> {
    const at = Date.now();
    remote.forget();
    try {
      const answered = await work();
      addLogLine(what, answered.ok ? 'ok' : answered.message, Date.now() - at);
      return answered;
    } catch (error) {
      signal?.throwIfAborted();
      const message = error instanceof Error ? error.message : String(error);
      addLogLine(what, message, Date.now() - at);
      return { ok: false, fault: 'broken', message };
    }
  }

  async function tryToConnect(): Promise<void> {
    setState({ type: 'connecting' });
    const answered = await ask('connect', () => remote.ask((api) => api.connect()));
    if (isEnded) return;
    if (!answered.ok) {
      fail(troubleOf(url, answered.fault, answered.message, remote.last));
      return;
    }
    failures = 0;
    await parts.onConnected(answered.value);
    setState({ type: 'ready' });
  }

  function connect(): Promise<void> {
    clearTimeout(retry);
    connecting ??= tryToConnect()
      .catch((error: unknown) => fail({ trouble: 'broken', detail: String(error) }))
      .finally(() => (connecting = undefined));
    return connecting;
  }

  /** Waits up to `maxConnectWaitMs` for a connection. On failure, resolves to the reason, written for the model. */
  async function waitForConnection(): Promise<string | undefined> {
    if (isEnded) return `The server ${name} was removed. Answer without it, and say so.`;
    if (connecting) {
      const timeout = new Promise((resolve) => setTimeout(resolve, maxConnectWaitMs));
      await Promise.race([connecting, timeout]);
    }
    if (state.type === 'ready') return undefined;
    const detail = state.type === 'away' ? state.detail : 'It has not answered yet.';
    return `The server ${name} cannot be used now. ${detail} Answer without it, and say so.`;
  }

  async function run(
    what: string,
    context: ToolContext,
    work: (callId: string) => Promise<Answer<UnmarkedOutput>>,
  ): Promise<UnmarkedOutput> {
    const away = await waitForConnection();
    if (away !== undefined) return createFailedOutput('server-away', away);
    const callId = crypto.randomUUID();
    calls.set(callId, context);
    const attempt = () => ask(what, () => work(callId), context.signal);
    try {
      let answered = await attempt();
      if (!answered.ok && answered.fault === 'session') {
        // The server has restarted without running the call, so repeat the call once.
        await connect();
        const gone = await waitForConnection();
        if (gone !== undefined) {
          parts.onCall(true);
          return createFailedOutput('server-away', gone);
        }
        answered = await attempt();
      }
      parts.onCall(!answered.ok || answered.value.isError);
      return answered.ok ? answered.value : toFailedOutput(answered);
    } finally {
      calls.delete(callId);
    }
  }

  function toFailedOutput(answered: Extract<Answer<UnmarkedOutput>, { ok: false }>): UnmarkedOutput {
    const { fault, message } = answered;
    if (fault === 'login' || fault === 'scope') {
      fail({ trouble: 'login', detail: message });
      return createFailedOutput(
        'server-away',
        `The server ${name} wants a login for this. The person can sign in on the page Tools.`,
      );
    }
    const broke = troubleOf(url, fault, message, remote.last);
    const isGone = fault === 'lost' || remote.last.failure !== undefined;
    if (!isGone) return createFailedOutput('server', `The server ${name} could not do it. ${message}`);
    // Check now whether the server is reachable, so the next call need not.
    if (broke.trouble !== 'too-long') void connect();
    else addLogLine('tools/call', broke.detail);
    return createFailedOutput(
      'server-lost',
      `The connection to ${name} broke off before the answer came. ${broke.detail} It may have been done or not: do not simply call it again.`,
    );
  }

  /** Reads the tools after a delay. If they change during the read, reads them again. */
  function reloadTools(): void {
    changes += 1;
    if (isListing || isEnded) return;
    isListing = true;
    setTimeout(() => void readTools(), listReloadDelayMs);
  }

  async function readTools(): Promise<void> {
    if (isEnded) return;
    const read = changes;
    try {
      const answered = await ask('tools/list', () => remote.ask((api) => api.listTools()));
      if (answered.ok) await parts.onTools(answered.value);
    } catch (error) {
      addLogLine('tools/list', String(error));
    } finally {
      isListing = false;
      if (changes !== read) reloadTools();
    }
  }

  const listItems = async <Value>(
    what: string,
    work: () => Promise<Answer<readonly Value[]>>,
  ): Promise<readonly Value[]> => {
    if (state.type !== 'ready') return [];
    const answered = await ask(what, work);
    return answered.ok ? answered.value : [];
  };

  return {
    get state(): ServerState {
      return state;
    },
    get log() {
      return log;
    },
    /** Whether a call is running. Only then may the server ask the user something. */
    get isCalling() {
      return calls.size > 0;
    },
    connect,
    wake: () => {
      if (state.type === 'away' && canRecover(state.trouble)) void connect();
    },
    reloadTools,
    addLogLine,
    call: (tool: string, args: unknown, context: ToolContext) =>
      run(`tools/call ${tool}`, context, (callId) => remote.callTool(callId, tool, args, context.signal)),
    read: (uri: string, context: ToolContext) =>
      run('resources/read', context, (callId) => remote.readResource(callId, uri, context.signal)),
    prompts: () => listItems('prompts/list', () => remote.ask((api) => api.prompts())),
    resources: () => listItems('resources/list', () => remote.ask((api) => api.resources())),
    progress: (callId: string, text: string) => calls.get(callId)?.onProgress(text.slice(0, 200)),
    /** Pauses the timeouts of running calls while the user answers a question from the server. */
    whileAsking: <Value>(work: () => Promise<Value>): Promise<Value> =>
      [...calls.values()].reduce(
        (inner, { whileAsking }) => (whileAsking ? () => whileAsking(inner) : inner),
        work,
      )(),
    end() {
      isEnded = true;
      clearTimeout(retry);
      // Tell the server that the session is over. If this message is lost, the server finds out by itself.
      void remote
        .ask(async (api) => {
          await api.close();
          return { ok: true, value: undefined };
        })
        .catch(() => undefined)
        .finally(() => remote.end());
    },
  };
}
