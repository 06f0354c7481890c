/** Page side of an MCP server's worker: sends the worker's requests and adds the key, which the worker never sees. */
import { MissingPartError } from '../../contracts/error-code';
import { proxy, type Remote } from 'comlink';
import { EgressError, type EgressFailure, type StreamingEgress } from '../../contracts/egress';
import { fieldsOf } from '../../contracts/form-fields';
import type { ServerQuestion, ServerProblem } from '../../contracts/mcp-server';
import { isRecord, JsonSchema, parseJson, type ReadResult, read, z } from '../../contracts/schema';
import type { UnmarkedOutput } from '../../contracts/tool';
import { untilAborted } from '../../contracts/until-aborted';
import { createWorkerClient, type WorkerClient } from '../../platform/worker-client';
import type { McpWorkerApi } from './session';
import {
  type Answer,
  type AnswerEvent,
  type PageApi,
  type ServerFault,
  ServerRequest,
  type ServerSetup,
} from './worker-api';

/** Secrets for requests to the server's own origin. We hide them in its responses. */
export interface ServerKeys {
  header: string;
  key: string;
  tokens?: string | undefined;
}

interface RemoteServerOptions extends Omit<PageApi, 'request' | 'stop'> {
  startWorker: () => Worker;
  egress: StreamingEgress;
  setup: ServerSetup;
  name: string;
  /** Runs for each request, because the keys can change. */
  keys: () => Promise<ServerKeys>;
  onTraffic: (sentBytes: number, receivedBytes: number) => void;
}

/** A server without a notification stream answers 405, as the protocol says, or 404, as web frameworks do. */
const statusesWithoutNotifications = new Set([405, 404]);

/** The last failure or HTTP status, as far as the browser reveals it. */
export interface LastAnswer {
  failure?: EgressFailure | undefined;
  message?: string | undefined;
  status?: number | undefined;
  contentType?: string | undefined;
}

export type RemoteServer = ReturnType<typeof createRemoteServer>;

/** Limits of a response: its bytes, and milliseconds without data. Notification streams may be silent for longer. */
const answerLimits = { maxBytes: 4_000_000, silentMs: 120_000 };
const streamLimits = { maxBytes: 16_000_000, silentMs: 300_000 };
const pingIntervalMs = 1_000;
const pingTimeoutMs = 5_000;
const unsentRequestFailures = new Set<EgressFailure>(['offline', 'refused-address', 'refused-request']);
const acceptedTypes = ['application/json', 'text/event-stream', 'application/problem+json'];

export function createRemoteServer(parts: RemoteServerOptions) {
  const { startWorker, egress, setup, name, keys: loadKeys, onTraffic } = parts;
  const { ask, progress, changed, loadLogin, saveLogin, bindClient, log } = parts;
  const own = new URL(setup.url).origin;
  const requests = new Map<string, AbortController>();
  let last: LastAnswer = {};
  let client: WorkerClient<McpWorkerApi> | undefined;
  let pendingCalls = 0;
  let pingTimer: ReturnType<typeof setInterval> | undefined;

  const pageEnd: PageApi = {
    request: (id, request, port) => void send(id, request, port),
    stop: (id) => requests.get(id)?.abort(),
    // Do not pass `parts` as a whole: the worker can call everything in this object.
    ask,
    progress,
    changed,
    loadLogin,
    saveLogin,
    bindClient,
    log,
  };

  async function send(id: string, written: unknown, port: MessagePort): Promise<void> {
    const post = (event: AnswerEvent) => port.postMessage(event);
    const stop = new AbortController();
    requests.set(id, stop);
    const traffic = { sent: 0, received: 0 };
    try {
      const request = read(ServerRequest, written);
      if (!request.ok) throw new Error(request.reason);
      const { url, method, body } = request.value;
      const isOwn = new URL(url).origin === own;
      const isEndpoint = isOwn && new URL(url).href === new URL(setup.url).href;
      const keys = await loadKeys();
      const headers = { ...request.value.headers, ...(isOwn && toKeyHeader(keys, request.value.headers)) };
      traffic.sent = countBytes([url, ...Object.entries(headers).flat(), body ?? ''].join(''));
      const answer = await egress.stream(
        {
          url,
          method,
          headers,
          tool: name,
          redirect: 'never',
          ...(body !== undefined && { body }),
          accept: isOwn ? acceptedTypes : ['application/json', 'text/*'],
          ...(method === 'GET' && isOwn ? streamLimits : answerLimits),
          // Hide these in the response. A login response keeps its tokens, because the worker needs them.
          secrets: isOwn ? listSecrets(isEndpoint ? keys : { ...keys, tokens: undefined }) : [],
        },
        stop.signal,
      );
      // The request for notifications runs in parallel with calls, so its status must not replace theirs.
      const hasNoNotifications =
        method === 'GET' && isEndpoint && statusesWithoutNotifications.has(answer.status);
      if (!hasNoNotifications) last = { status: answer.status, contentType: answer.headers['content-type'] };
      post({ type: 'head', status: answer.status, headers: answer.headers });
      for await (const text of answer.text) {
        traffic.received += countBytes(text);
        post({ type: 'text', text });
      }
      post({ type: 'end' });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (error instanceof EgressError) {
        if (unsentRequestFailures.has(error.failure)) traffic.sent = 0;
        if (error.failure !== 'stopped') last = { failure: error.failure, message };
      }
      post({ type: 'failed', message });
    } finally {
      // A restarted worker reuses request ids, so only delete our own entry.
      if (requests.get(id) === stop) requests.delete(id);
      onTraffic(traffic.sent, traffic.received);
      port.close();
    }
  }

  function worker(): WorkerClient<McpWorkerApi> {
    if (client && !client.ended.aborted) return client;
    client = createWorkerClient<McpWorkerApi>(startWorker(), (detail) => {
      if (detail !== '') return new Error(`It broke down. ${detail}`);
      const error = new MissingPartError();
      last = { failure: 'offline', message: error.message };
      return error;
    });
    void client.remote.start(setup, proxy(pageEnd));
    client.ended.addEventListener('abort', stopRequests);
    return client;
  }

  function stopRequests(): void {
    for (const stop of requests.values()) stop.abort();
  }

  function watchWorker(): void {
    pingTimer ??= setInterval(() => {
      // The worker may have ended since the last ping.
      if (!client || client.ended.aborted) return;
      const error = new Error('What the server sent could not be read in time.');
      const pinging = client.ask((remote) => remote.ping(), { limit: { ms: pingTimeoutMs, error } });
      void pinging.catch(() => undefined);
    }, pingIntervalMs);
  }

  /** Rejects if the worker ends, or with the signal's reason. */
  const askWorker = async <Value>(
    call: (remote: Remote<McpWorkerApi>) => Promise<Answer<Value>>,
    signal?: AbortSignal,
  ): Promise<Answer<Value>> => {
    const asked = worker();
    pendingCalls += 1;
    watchWorker();
    try {
      return await asked.ask(call, signal ? { signal } : {});
    } finally {
      pendingCalls -= 1;
      if (pendingCalls === 0) {
        clearInterval(pingTimer);
        pingTimer = undefined;
      }
    }
  };

  /** Rejects as soon as the signal aborts. The worker still notifies the server. */
  const stoppable = async (
    callId: string,
    call: (remote: Remote<McpWorkerApi>) => Promise<Answer<UnmarkedOutput>>,
    signal: AbortSignal,
  ): Promise<Answer<UnmarkedOutput>> => {
    const cancel = () => void worker().remote.cancel(callId);
    signal.addEventListener('abort', cancel);
    try {
      return await untilAborted(askWorker(call), signal);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };

  return {
    get last(): LastAnswer {
      return last;
    },
    forget: () => (last = {}),
    ask: askWorker,
    callTool: (callId: string, name: string, args: unknown, signal: AbortSignal) =>
      stoppable(callId, (remote) => remote.callTool(callId, name, args), signal),
    readResource: (callId: string, uri: string, signal: AbortSignal) =>
      stoppable(callId, (remote) => remote.readResource(callId, uri), signal),
    end() {
      clearInterval(pingTimer);
      pingTimer = undefined;
      client?.end(new Error('The connection was closed.'));
      stopRequests();
    },
  };
}

function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Returns {} if there is no key, or if the login already set the same header. */
function toKeyHeader({ header, key }: ServerKeys, sent: Readonly<Record<string, string>>) {
  const name = header.toLowerCase();
  if (name === '' || key === '' || Object.hasOwn(sent, name)) return {};
  // Users often paste only the token, without `Bearer`.
  return { [name]: name === 'authorization' && !key.includes(' ') ? `Bearer ${key}` : key };
}

function listSecrets({ key, tokens = '' }: ServerKeys): { name: string; value: string }[] {
  const login = parseJson(tokens);
  const values = Object.entries(isRecord(login) ? login : {}).flatMap(([name, value]) =>
    name.endsWith('_token') && typeof value === 'string' ? [value] : [],
  );
  return [key, ...values].filter((value) => value !== '').map((value) => ({ name: 'KEY', value }));
}

export type TroubleInfo = { trouble: ServerProblem; detail: string };

export function troubleOf(url: string, fault: ServerFault, message: string, last: LastAnswer): TroubleInfo {
  const { failure } = last;
  if (!failure) return { trouble: troubleOfFault(fault, last), detail: message };
  const unreachable = new URL(url).protocol === 'https:' ? 'certificate' : 'cors';
  const trouble = failure === 'unreachable' ? unreachable : troubleByFailure[failure];
  return { trouble, detail: last.message ?? message };
}

const troubleByFailure: Readonly<Record<Exclude<EgressFailure, 'unreachable'>, ServerProblem>> = {
  offline: 'offline',
  'refused-address': 'address',
  'refused-redirect': 'redirect',
  timeout: 'timeout',
  stopped: 'timeout',
  'wrong-type': 'not-mcp',
  'too-long': 'too-long',
  'refused-request': 'broken',
};

function troubleOfFault(fault: ServerFault, { status = 0 }: LastAnswer): ServerProblem {
  if (fault === 'login' || fault === 'scope') return 'login';
  if (status === 403) return 'forbidden';
  if (fault === 'version' || fault === 'timeout') return fault;
  if (status === 429 || status >= 500) return 'status';
  // The host answers, but not like an MCP server.
  if (status >= 400) return 'not-mcp';
  return 'broken';
}

export function canRecover(trouble: ServerProblem): boolean {
  const lasting: readonly ServerProblem[] = ['address', 'login', 'login-failed', 'forbidden', 'version'];
  return !lasting.includes(trouble);
}

const ElicitationParams = z.object({
  mode: z.optional(z.string()),
  message: z.string(),
  requestedSchema: z.optional(JsonSchema),
  url: z.optional(z.string()),
});

const maxMessageCharacters = 2_000;

/** Parses a server's question to the user (`elicitation/create`) into a form or an address to open. */
export function readServerQuestion(params: unknown): ReadResult<Pick<ServerQuestion, 'message' | 'ask'>> {
  const asked = read(ElicitationParams, params);
  if (!asked.ok) return asked;
  const { mode = 'form', requestedSchema, url } = asked.value;
  const message = asked.value.message.slice(0, maxMessageCharacters);
  if (mode === 'url') {
    const isWeb = url !== undefined && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
    if (!isWeb || url.length > maxMessageCharacters)
      return { ok: false, reason: 'The address is none that can be opened.' };
    return { ok: true, value: { message, ask: { type: 'url', url } } };
  }
  if (!requestedSchema) return { ok: false, reason: 'There is no form.' };
  const fields = fieldsOf(requestedSchema);
  return fields.ok ? { ok: true, value: { message, ask: { type: 'form', fields: fields.fields } } } : fields;
}
