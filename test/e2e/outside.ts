/**
 * Simulates the internet on this machine: one server replaces every public name and records all requests.
 *
 *     const outside = await openOutside();
 *     const site = await openSite({ folder: 'dist-e2e', outside });
 *     outside.serve('api.tavily.com', (request, response) => sendJson(response, { results: [] }));
 *     // … the page asks https://api.tavily.com/search …
 *     expect(outside.requests).toMatchObject([{ host: 'api.tavily.com', method: 'POST', body: '…' }]);
 *     expect(outside.text()).not.toContain(canary);
 *     await site.close();
 *     outside.close();
 *
 * Chromium resolves every name except that of the page to this server, with a public address. So the server also receives what should never
 * have been sent. `outside-routes.ts` has the responses of the hosts of `example.com`, and `outside-answers.ts` helpers for responses. A host
 * without a response returns 404 without CORS, and its requests are recorded too.
 *
 * `rebound.example.com` is a public name whose DNS points to this device, so a loopback address responds.
 *
 * `outside.plain` is a second server, over http, at its loopback address: private, but the user may allow it. Its requests are recorded with
 * the others.
 */
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { makeSelfSigned } from '../../scripts/self-signed.js';
import { type Respond, type SeenRequest, sendText } from './outside-answers';
import { createRoutes } from './outside-routes';

export interface Outside {
  /** Arguments for Chromium. */
  args: readonly string[];
  /** Everything that the page requested of any host, in the order of arrival, including preflights. */
  requests: readonly SeenRequest[];
  /** `http://127.0.0.1:PORT`, in the private range. */
  plain: string;
  /** From now on, this host responds in this way. */
  serve(host: string, respond: Respond): void;
  /** Everything that reached a listener, as one text, for checks that something is not in it. */
  text(): string;
  /** Forgets all requests. */
  forget(): void;
  /** Call it after closing its sites. The next one to open uses the same listeners. */
  close(): void;
}

/** Hosts that Chromium contacts by itself, for updates and accounts. */
const ownHosts = /(^|\.)(google|googleapis|gvt1)\.com$/;

/** The listeners, and the responses and requests of one test. */
interface Listeners extends Pick<Outside, 'args' | 'plain'> {
  hears: { requests: SeenRequest[]; routes: Map<string, Respond> };
  isTaken: boolean;
}

/** Reused, because the arguments of a browser contain the port. Files that share a worker then share a browser too. */
const kept: Listeners[] = [];

export async function openOutside(): Promise<Outside> {
  let listeners = kept.find(({ isTaken }) => !isTaken);
  if (!listeners) kept.push((listeners = await listenAll()));
  const { args, plain } = listeners;
  const requests: SeenRequest[] = [];
  const routes = createRoutes(plain);
  listeners.hears = { requests, routes };
  listeners.isTaken = true;
  return {
    args,
    requests,
    plain,
    serve: (host, respond) => void routes.set(host, respond),
    text: () => requests.map((request) => JSON.stringify(request)).join('\n'),
    forget: () => void requests.splice(0),
    close() {
      listeners.isTaken = false;
    },
  };
}

async function listenAll(): Promise<Listeners> {
  const answer = (
    incoming: IncomingMessage,
    response: ServerResponse,
    plainRoutes?: Map<string, Respond>,
  ) => {
    const { requests, routes } = listeners.hears;
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('error', () => undefined);
    incoming.on('end', () => {
      const request = seen(incoming, Buffer.concat(chunks).toString());
      if (ownHosts.test(request.host)) {
        response.destroy();
        return;
      }
      requests.push(request);
      const respond = (plainRoutes ?? routes).get(request.host);
      if (!respond) response.writeHead(404).end();
      else answerOpenly(request, response, respond);
    });
  };

  const plainServer = createPlainServer((incoming, response) =>
    answer(incoming, response, new Map([['127.0.0.1', sayPrivate]])),
  );
  const plain = `http://127.0.0.1:${await listen(plainServer)}`;
  const identity = makeSelfSigned();
  const server = createServer(identity, (incoming, response) => answer(incoming, response));
  const port = await listen(server);
  const reboundServer = createServer(identity, (incoming, response) => answer(incoming, response));
  const rebound = await listen(reboundServer);

  const rules = [
    `MAP rebound.example.com 127.0.0.1:${rebound}`,
    `MAP * 127.0.0.1:${port}`,
    ...['localhost', '127.0.0.1'].map((host) => `EXCLUDE ${host}`),
  ];
  const listeners: Listeners = {
    args: [
      `--host-resolver-rules=${rules.join(', ')}`,
      `--ip-address-space-overrides=127.0.0.1:${port}=public`,
      '--ignore-certificate-errors',
    ],
    plain,
    hears: { requests: [], routes: new Map() },
    isTaken: false,
  };
  return listeners;
}

const sayPrivate: Respond = (_request, response) => sendText(response, 'text/plain', 'a private answer');

function answerOpenly(request: SeenRequest, response: ServerResponse, respond: Respond): void {
  response.setHeader('access-control-allow-origin', '*');
  response.on('error', () => undefined);
  if (request.method !== 'OPTIONS') {
    respond(request, response);
    return;
  }
  response.setHeader(
    'access-control-allow-headers',
    request.headers['access-control-request-headers'] ?? '*',
  );
  response.writeHead(204).end();
}

function seen({ headers, method = '', url = '' }: IncomingMessage, body: string): SeenRequest {
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  const single = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { host, method, path: url, headers: Object.fromEntries(single), body, at: Date.now() };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}
