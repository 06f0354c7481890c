/** One MCP server of this visit: its stored row, worker and connection. */
import type { StreamingEgress } from '../contracts/egress';
import type {
  McpSecrets,
  McpServer,
  ServerAnswer,
  ServerQuestion,
  ServerView,
} from '../contracts/mcp-server';
import { readQuestion } from '../tools/mcp/read-question';
import { createRemoteServer, type RemoteServer } from '../tools/mcp/remote-server';
import type { ReadTool, Welcome } from '../tools/mcp/worker-api';
import { type Connection, createConnection } from './mcp-connection';

export interface LiveParts {
  startWorker: () => Worker;
  egress: StreamingEgress;
  /** Shared by all servers, so that the user sees one question at a time. */
  askPerson: (question: ServerQuestion, signal: AbortSignal) => Promise<ServerAnswer>;
  /** Changes the stored row and the state in memory. */
  change: (live: Live, change: (server: McpServer) => McpServer) => Promise<void>;
  secretsOf: (live: Live) => Promise<McpSecrets>;
  changeSecrets: (live: Live, change: (secrets: McpSecrets) => McpSecrets) => Promise<void>;
  /** The server has answered, or its tools have changed. */
  onTools: (live: Live, tools: readonly ReadTool[], welcome?: Welcome) => Promise<void>;
  onChange: () => void;
  /** Whether calls and bytes are counted now. */
  isCounting: () => boolean;
  /** The page's absolute address. */
  baseUrl: string;
  newId: () => string;
  date: () => number;
}

export interface Live {
  server: McpServer;
  readonly connection: Connection;
  readonly remote: RemoteServer;
  hasKey: boolean;
  isSignedIn: boolean;
  /** Origins of a login. Empty until they are known. */
  loginOrigins: readonly string[];
  /** Aborts the server's questions to the user. */
  readonly over: AbortController;
}

export function viewOf({ server, connection, hasKey, isSignedIn, loginOrigins }: Live): ServerView {
  const { state, log } = connection;
  return { server, state, log, hasKey, isSignedIn, loginOrigins };
}

/** Milliseconds between two writes of the traffic. */
const tallyMs = 1_000;

export function openLive(server: McpServer, secrets: McpSecrets, parts: LiveParts): Live {
  const { newId, date, onChange } = parts;
  const { url, name, header, clientId } = server;
  const pageAt = (path: string) => new URL(path, parts.baseUrl).href;
  const over = new AbortController();
  const sum = createTally((add) => void parts.change(live, add));
  const tally = (added: Partial<Tally>) => {
    if (parts.isCounting()) sum(added);
  };

  async function ask(params: unknown): Promise<ServerAnswer> {
    const question = live.connection.isCalling
      ? readQuestion(params)
      : { ok: false as const, reason: 'Nothing is asked of the server now.' };
    if (!question.ok) {
      live.connection.note('elicitation/create', `declined: ${question.reason}`);
      return { action: 'decline' };
    }
    const asked = { id: newId(), serverName: name, host: new URL(url).host, ...question.value };
    return live.connection.whileAsking(() =>
      parts.askPerson(asked, over.signal).catch(() => ({ action: 'cancel' as const })),
    );
  }

  const remote = createRemoteServer({
    startWorker: parts.startWorker,
    egress: parts.egress,
    setup: {
      ...{ url, clientId, clientSecret: secrets.clientSecret },
      ...{
        redirectUrl: pageAt('oauth.html'),
        homeUrl: pageAt('.'),
      },
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
      live.connection.note(`${what}/list_changed`, 'told');
      if (what === 'tools') live.connection.listAgain();
    },
    loadLogin: async () => ({ origins: [], ...(await parts.secretsOf(live)).login }),
    async saveLogin(login) {
      live.isSignedIn = login.tokens !== undefined;
      await parts.changeSecrets(live, (kept) => ({
        ...kept,
        login: { ...login, origins: kept.login?.origins ?? [] },
      }));
      onChange();
    },
    log: (...given) => live.connection.note(...given),
  });
  const connection = createConnection({
    ...{ url, name, remote, newId, date, onChange },
    onWelcome: (welcome) => parts.onTools(live, welcome.tools, welcome),
    onTools: (tools) => parts.onTools(live, tools),
    onCall: (isFailed) => tally({ calls: 1, failures: isFailed ? 1 : 0 }),
    async onLogin() {
      const found = await remote.ask((api) => api.findLogin());
      if (found.ok) live.loginOrigins = found.value;
    },
  });
  const live: Live = {
    ...{ server, connection, remote, over },
    hasKey: secrets.key !== '',
    isSignedIn: secrets.login?.tokens !== undefined,
    loginOrigins: [],
  };
  return live;
}

type Tally = McpServer['tally'];

/** Collects counts and writes them together. */
function createTally(
  write: (add: (server: McpServer) => McpServer) => void,
): (added: Partial<Tally>) => void {
  const none: Tally = { calls: 0, failures: 0, sentBytes: 0, receivedBytes: 0 };
  let sum = none;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (added) => {
    sum = plus(sum, { ...none, ...added });
    timer ??= setTimeout(() => {
      timer = undefined;
      const part = sum;
      sum = none;
      write((server) => ({ ...server, tally: plus(server.tally, part) }));
    }, tallyMs);
  };
}

function plus(a: Tally, b: Tally): Tally {
  return {
    calls: a.calls + b.calls,
    failures: a.failures + b.failures,
    sentBytes: a.sentBytes + b.sentBytes,
    receivedBytes: a.receivedBytes + b.receivedBytes,
  };
}
