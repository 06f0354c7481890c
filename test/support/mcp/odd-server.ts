/** A small MCP server over Streamable HTTP that does one thing wrong. The tables in this folder define what. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Rpc {
  id?: string | number;
  method?: string;
  params?: Record<string, unknown>;
}

/** A received request, and the response to write. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  body: string;
  /** The parsed body. Empty if the body is not JSON. */
  message: Rpc;
  /** Address of the server: `http://127.0.0.1:PORT`. */
  origin: string;
  /** Another listener on this machine, at a port that nobody allowed. */
  stranger: string;
}

export type Answer = (exchange: Exchange) => void;

export interface Oddity {
  name: string;
  /** Protocol version. Default: 2025-11-25. */
  era?: 'modern';
  /** Replaces the plain tool `hello`. */
  tools?: readonly unknown[];
  /** The result of calls, instead of plain text. */
  result?: unknown;
  /** Replaces the correct responses, by MCP method, `GET` for the open stream, or path such as `/.well-known/…`. */
  answers?: Readonly<Record<string, Answer>>;
  /** The call to make once the tool is on. Default: `hello`. */
  calls?: { tool: string; input?: object };
  /**
   * Where the user sees the outcome. `form`: the server is not added, and the form says why. `tool`: it is connected, but a tool cannot be
   * switched on. `login`: after "Sign in". `call`: the result of a call.
   */
  ends: 'form' | 'tool' | 'login' | 'call';
  /** The words that the user reads there. */
  says: RegExp;
  /** The host that is shown for a login, and requested once the user confirms. */
  asks?: string;
  /** Text that must not appear anywhere on the page. */
  hides?: RegExp;
}

export interface OddServer {
  origin: string;
  /** Makes the endpoint behave like `oddity` from now on. Returns its address, which is different each time. */
  behave(oddity: Oddity): string;
  /** Requests that the current endpoint received, in order. */
  heard: readonly { method: string; path: string; headers: IncomingMessage['headers']; message: Rpc }[];
  /** Requests to the listener that nobody allowed. Must stay empty. */
  strangerHeard: readonly string[];
  close(): Promise<void>;
}

export const plainTool = {
  name: 'hello',
  description: 'Says hello.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
};

export async function startOddServer(): Promise<OddServer> {
  const heard: OddServer['heard'][number][] = [];
  const strangerHeard: string[] = [];
  let oddity: Oddity = { name: 'none', ends: 'call', says: /Hello/ };
  let count = 0;

  const stranger = createServer((request, response) => {
    strangerHeard.push(`${request.method} ${request.url}`);
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end('{}');
  });
  const strangerOrigin = `http://127.0.0.1:${await listen(stranger)}`;
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    void text(request).then(
      (body) => {
        const message = readRpc(body);
        const { pathname } = new URL(request.url ?? '', origin);
        heard.push({ method: request.method ?? '', path: pathname, headers: request.headers, message });
        answer(oddity, { request, response, body, message, origin, stranger: strangerOrigin }, pathname);
      },
      () => undefined,
    );
  });
  const origin = `http://127.0.0.1:${await listen(server)}`;

  return {
    origin,
    heard,
    strangerHeard,
    behave(next) {
      oddity = next;
      heard.splice(0);
      return `${origin}/${++count}/mcp`;
    },
    close: () => Promise.all([end(server), end(stranger)]).then(() => undefined),
  };
}

function answer(oddity: Oddity, exchange: Exchange, pathname: string): void {
  const { request, response, message } = exchange;
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-expose-headers', 'mcp-session-id, www-authenticate, retry-after');
  if (request.method === 'OPTIONS') {
    response.setHeader('access-control-allow-methods', 'GET, POST, DELETE');
    response.setHeader(
      'access-control-allow-headers',
      request.headers['access-control-request-headers'] ?? '*',
    );
    response.writeHead(204).end();
    return;
  }
  const what = pathname.endsWith('/mcp') ? (message.method ?? request.method ?? '') : pathname;
  const own = oddity.answers?.[what];
  if (own) own(exchange);
  else answerWell(oddity, exchange, what);
}

/** Responds as a correct server would. */
function answerWell({ era, tools = [plainTool], result }: Oddity, exchange: Exchange, what: string): void {
  const capabilities = { tools: { listChanged: true } };
  const kept = { ttlMs: 0, cacheScope: 'private' };
  switch (what) {
    case 'server/discover':
      if (era === 'modern') reply(exchange, { supportedVersions: ['2026-07-28'], capabilities, ...kept });
      else
        refuse(exchange, 400, { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'No session' } });
      return;
    case 'initialize':
      reply(exchange, {
        protocolVersion: '2025-11-25',
        capabilities,
        serverInfo: { name: 'odd', version: '1.0.0' },
      });
      return;
    case 'tools/list':
      reply(exchange, { tools, ...(era === 'modern' && kept) });
      return;
    case 'tools/call':
      reply(exchange, result ?? { content: [{ type: 'text', text: 'Hello from the odd server.' }] });
      return;
    case 'ping':
      reply(exchange, {});
      return;
    case 'GET':
      refuse(exchange, 405, {});
      return;
    default:
      if (exchange.message.method?.startsWith('notifications/') || exchange.message.id !== undefined) {
        exchange.response.writeHead(202).end();
      } else refuse(exchange, 404, {});
  }
}

export function reply({ response, message }: Exchange, result: unknown): void {
  sendJson(response, 200, { jsonrpc: '2.0', id: message.id, result });
}

export function refuse({ response }: Exchange, status: number, body: unknown): void {
  sendJson(response, status, body);
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Starts an event stream. Returns a function that sends an event. */
export function openEvents({ response }: Exchange): (message: unknown) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  return (message) => void response.write(`data: ${JSON.stringify(message)}\n\n`);
}

/** Writes until the reader disconnects. */
export function writeForEver(response: ServerResponse, piece: string): void {
  const write = () => {
    if (response.destroyed) return;
    if (response.write(piece)) setImmediate(write);
    else response.once('drain', write);
  };
  write();
}

function readRpc(body: string): Rpc {
  try {
    return JSON.parse(body) as Rpc;
  } catch {
    return {};
  }
}

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

function end(server: ReturnType<typeof createServer>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
