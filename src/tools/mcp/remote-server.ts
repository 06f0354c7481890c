/**
 * The page's end of the worker of one MCP server: sends its requests, with the key that the worker never sees, and to no address that
 * it must not ask; and ends it where it is lost in what the server wrote.
 */
import { NotLoaded } from '../../contracts/error-code';
import { proxy, type Remote } from 'comlink';
import { EgressError, type EgressFailure, type StreamingEgress } from '../../contracts/egress';
import { read } from '../../contracts/schema';
import type { ToolOutput } from '../../contracts/tool';
import { untilAborted } from '../../contracts/until-aborted';
import { createWorkerClient, type WorkerClient } from '../../platform/worker-client';
import {
  type AnswerEvent,
  type Answered,
  type McpWorkerApi,
  type PageEnd,
  ServerRequest,
  type Setup,
} from './worker-api';

/** What is sent with requests to the server itself, and must not come back from it. */
export interface ServerKeys {
  /** '' for none. */
  header: string;
  key: string;
  /** JSON of what a login gave. */
  tokens?: string | undefined;
}

export interface RemoteServerParts extends Pick<
  PageEnd,
  'ask' | 'progress' | 'changed' | 'loadLogin' | 'saveLogin' | 'log'
> {
  startWorker: () => Worker;
  egress: StreamingEgress;
  setup: Setup;
  /** Of the server, for the log of requests. */
  name: string;
  /** Read for each request: they may have changed. */
  keys: () => Promise<ServerKeys>;
  /** Bytes that went over the line. */
  onTraffic: (sentBytes: number, receivedBytes: number) => void;
}

/** How a server says that it tells no news: the status of the protocol for it, and what web frameworks answer by themselves. */
const noNews = new Set([405, 404]);

/** How the last request that failed did so, and the last status: what a browser lets a page know. */
export interface LastAnswer {
  failure?: EgressFailure | undefined;
  message?: string | undefined;
  status?: number | undefined;
  contentType?: string | undefined;
}

export interface RemoteServer {
  /** Of the requests since the last call of `forget`. */
  readonly last: LastAnswer;
  forget: () => void;
  /** Asks the worker. Rejects where it had to be ended, or with the signal's reason. */
  ask: <Value>(
    call: (remote: Remote<McpWorkerApi>) => Promise<Answered<Value>>,
    signal?: AbortSignal,
  ) => Promise<Answered<Value>>;
  callTool: (
    callId: string,
    name: string,
    args: unknown,
    signal: AbortSignal,
  ) => Promise<Answered<ToolOutput>>;
  readResource: (callId: string, uri: string, signal: AbortSignal) => Promise<Answered<ToolOutput>>;
  /** Ends the worker and its requests. Nothing more comes of it. */
  end: () => void;
}

/** Bytes of one answer, and milliseconds of silence in it. A standing stream is silent for long, and opened again when it ends. */
const answerLimits = { maxBytes: 4_000_000, silentMs: 120_000 };
const streamLimits = { maxBytes: 16_000_000, silentMs: 300_000 };
/** Milliseconds. */
const pingEveryMs = 1_000;
const lostMs = 5_000;
/** Nothing has left then. */
const notSent: ReadonlySet<EgressFailure> = new Set(['offline', 'refused-address', 'refused-request']);
const accept = ['application/json', 'text/event-stream', 'application/problem+json'];

export function createRemoteServer(parts: RemoteServerParts): RemoteServer {
  const { setup } = parts;
  const own = new URL(setup.url).origin;
  const requests = new Map<string, AbortController>();
  let last: LastAnswer = {};
  let client: WorkerClient<McpWorkerApi> | undefined;
  let working = 0;
  let watch: ReturnType<typeof setInterval> | undefined;

  const pageEnd: PageEnd = {
    request: (id, request, port) => void send(id, request, port),
    stop: (id) => requests.get(id)?.abort(),
    ask: (...given) => parts.ask(...given),
    progress: (...given) => parts.progress(...given),
    changed: (...given) => parts.changed(...given),
    loadLogin: () => parts.loadLogin(),
    saveLogin: (...given) => parts.saveLogin(...given),
    log: (...given) => parts.log(...given),
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
      const keys = await parts.keys();
      const headers = { ...request.value.headers, ...(isOwn ? keyHeader(keys, request.value.headers) : {}) };
      traffic.sent = new TextEncoder().encode(
        [url, ...Object.entries(headers).flat(), body ?? ''].join(''),
      ).length;
      const answer = await parts.egress.stream(
        {
          ...{ url, method, headers, tool: parts.name, redirect: 'never' },
          ...(body !== undefined && { body }),
          accept: isOwn ? accept : ['application/json', 'text/*'],
          ...(method === 'GET' && isOwn ? streamLimits : answerLimits),
          // Hidden in what the server says. Tokens not in a login, at its own origin or another: it is where they come from.
          secrets: isOwn ? secretsOf(isEndpoint ? keys : { ...keys, tokens: undefined }) : [],
        },
        stop.signal,
      );
      // That answer comes beside those to calls, in any order, and says nothing of them.
      const hasNoNews = method === 'GET' && isEndpoint && noNews.has(answer.status);
      if (!hasNoNews) last = { status: answer.status, contentType: answer.headers['content-type'] };
      post({ type: 'head', status: answer.status, headers: answer.headers });
      for await (const text of answer.text) {
        traffic.received += new TextEncoder().encode(text).length;
        post({ type: 'text', text });
      }
      post({ type: 'end' });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (error instanceof EgressError) {
        if (notSent.has(error.failure)) traffic.sent = 0;
        if (error.failure !== 'stopped') last = { failure: error.failure, message };
      }
      post({ type: 'failed', message });
    } finally {
      // A worker that began anew counts its requests anew too.
      if (requests.get(id) === stop) requests.delete(id);
      parts.onTraffic(traffic.sent, traffic.received);
      port.close();
    }
  }

  function worker(): WorkerClient<McpWorkerApi> {
    if (client && !client.ended.aborted) return client;
    client = createWorkerClient<McpWorkerApi>(parts.startWorker(), (detail) => {
      if (detail !== '') return new Error(`It broke down. ${detail}`);
      const error = new NotLoaded();
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

  /** For as long as something is asked of it, the worker must answer to its name. */
  function watchWorker(): void {
    watch ??= setInterval(() => {
      // The one that is there: another may have taken the place of one that ended.
      if (!client || client.ended.aborted) return;
      const error = new Error('What the server sent could not be read in time.');
      void client.ask((remote) => remote.ping(), { limit: { ms: lostMs, error } }).catch(() => undefined);
    }, pingEveryMs);
  }

  const askWorker: RemoteServer['ask'] = async (call, signal) => {
    const asked = worker();
    working += 1;
    watchWorker();
    try {
      return await asked.ask(call, signal ? { signal } : {});
    } finally {
      working -= 1;
      if (working === 0) {
        clearInterval(watch);
        watch = undefined;
      }
    }
  };

  /** Stop is heard at once; the worker still tells the server of it. */
  const stoppable = async (
    callId: string,
    call: (remote: Remote<McpWorkerApi>) => Promise<Answered<ToolOutput>>,
    signal: AbortSignal,
  ): Promise<Answered<ToolOutput>> => {
    const cancel = () => void worker().remote.cancel(callId);
    signal.addEventListener('abort', cancel);
    try {
      return await untilAborted(askWorker(call), signal);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };

  return {
    get last() {
      return last;
    },
    forget: () => (last = {}),
    ask: askWorker,
    callTool: (callId, name, args, signal) =>
      stoppable(callId, (remote) => remote.callTool(callId, name, args), signal),
    readResource: (callId, uri, signal) =>
      stoppable(callId, (remote) => remote.readResource(callId, uri), signal),
    end() {
      clearInterval(watch);
      watch = undefined;
      client?.end(new Error('The connection was closed.'));
      stopRequests();
    },
  };
}

/** Where a login sends a token of its own, the key stays here: two of them in one header would be neither. */
function keyHeader(
  { header, key }: ServerKeys,
  sent: Readonly<Record<string, string>>,
): Record<string, string> {
  const name = header.toLowerCase();
  if (name === '' || key === '' || Object.hasOwn(sent, name)) return {};
  // What a person pastes is often the token alone.
  return { [name]: name === 'authorization' && !key.includes(' ') ? `Bearer ${key}` : key };
}

function secretsOf({ key, tokens }: ServerKeys): { name: string; value: string }[] {
  const values = [key, ...tokensIn(tokens)].filter((value) => value !== '');
  return values.map((value) => ({ name: 'KEY', value }));
}

function tokensIn(json: string | undefined): string[] {
  if (json === undefined) return [];
  try {
    const tokens: unknown = JSON.parse(json);
    if (typeof tokens !== 'object' || tokens === null) return [];
    return Object.entries(tokens).flatMap(([name, value]) =>
      name.endsWith('_token') && typeof value === 'string' ? [value] : [],
    );
  } catch {
    return [];
  }
}
