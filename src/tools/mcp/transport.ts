/** For the MCP worker: sends requests through the page, and detects calls whose answer is lost. */
import { StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import type { Login } from './login';
import { transfer } from 'comlink';
import { read } from '../../contracts/schema';
import { AnswerEvent, type PageApi, type ServerRequest } from './worker-api';

/** Tracks pending calls. They fail when their connection breaks. */
export function createPendingCalls() {
  /** Maps a call's arguments to its callback, which fails the call when its answer is lost. */
  const onLost = new WeakMap<object, () => void>();
  /** Maps a pending call's callback to the transport that sent the call. The value is undefined until the server has accepted the call. */
  const pendingCalls = new Map<() => void, object | undefined>();
  return {
    begin(given: object, lose: () => void) {
      onLost.set(given, lose);
      pendingCalls.set(lose, undefined);
    },
    end: (lose: () => void) => void pendingCalls.delete(lose),
    onLostOf: (given: unknown) =>
      typeof given === 'object' && given !== null ? onLost.get(given) : undefined,
    noteDelivery(lose: () => void, on: object) {
      if (pendingCalls.has(lose)) pendingCalls.set(lose, on);
    },
    loseAll(on: object) {
      for (const [lose, deliveredOn] of [...pendingCalls]) if (deliveredOn === on) lose();
    },
  };
}

export function openTransport(
  url: string,
  send: ReturnType<typeof createPageFetch>,
  login: Login,
  calls: ReturnType<typeof createPendingCalls>,
): StreamableHTTPClientTransport {
  const opened = new StreamableHTTPClientTransport(new URL(url), {
    async fetch(input, init) {
      // If a stream cannot be resumed, the SDK retries for half a minute. Fail the calls of the stream at once.
      const isResumed = new Headers(init?.headers).has('last-event-id');
      const response = await send(input, init).catch((error: unknown) => {
        if (isResumed) calls.loseAll(opened);
        throw error;
      });
      if (isResumed && !response.ok) calls.loseAll(opened);
      login.note(response);
      return response;
    },
    // Renew the token, but do not open a login: the page does that when the user clicks.
    authProvider: {
      token: login.token,
      async onUnauthorized() {
        if (!(await login.renew())) throw new UnauthorizedError();
      },
    },
    onInsufficientScope: 'throw',
    reconnectionOptions: {
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 5,
    },
  });
  // Fail a call when its response stream ends: the SDK would wait forever.
  const sendMessage = opened.send.bind(opened);
  opened.send = async (message, options) => {
    const params = 'method' in message && message.method === 'tools/call' ? message.params : undefined;
    const lose = calls.onLostOf(params?.['arguments']);
    await sendMessage(message, { ...options, ...(lose && { onRequestStreamEnd: lose }) });
    if (lose) calls.noteDelivery(lose, opened);
  };
  return opened;
}

const statusesWithoutBody = new Set([204, 205, 304]);

export function createPageFetch(page: Pick<PageApi, 'request' | 'stop'>) {
  let requests = 0;
  return async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    init.signal?.throwIfAborted();
    const id = String(++requests);
    const { port1: port, port2 } = new MessageChannel();
    let answer: ReadableStreamDefaultController<Uint8Array> | undefined;
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void (answer = controller),
      cancel() {
        // Drop late chunks: an error here would count as a crash of the worker.
        answer = undefined;
        page.stop(id);
      },
    });
    return new Promise<Response>((resolve, reject) => {
      const end = (error?: Error) => {
        port.close();
        init.signal?.removeEventListener('abort', stop);
        if (error) {
          reject(error);
          answer?.error(error);
        } else answer?.close();
        answer = undefined;
      };
      const stop = () => {
        page.stop(id);
        end(new DOMException('Stopped', 'AbortError'));
      };
      init.signal?.addEventListener('abort', stop);
      port.onmessage = ({ data }: MessageEvent<unknown>) => {
        const event = read(AnswerEvent, data);
        if (!event.ok) end(new TypeError(event.reason));
        else if (event.value.type === 'failed') end(new TypeError(event.value.message));
        else if (event.value.type === 'text') answer?.enqueue(encoder.encode(event.value.text));
        else if (event.value.type === 'end') end();
        else {
          const { status, headers } = event.value;
          try {
            resolve(new Response(statusesWithoutBody.has(status) ? null : body, { status, headers }));
          } catch {
            page.stop(id);
            end(new TypeError(`It answered with the status ${status}, which is none.`));
          }
        }
      };
      page.request(id, toServerRequest(input, init), transfer(port2, [port2]));
    });
  };
}

function toServerRequest(input: string | URL, { method = 'GET', headers, body }: RequestInit): ServerRequest {
  if (method !== 'GET' && method !== 'POST' && method !== 'DELETE')
    throw new TypeError(`No ${method} is sent.`);
  if (body !== undefined && body !== null && typeof body !== 'string' && !(body instanceof URLSearchParams)) {
    throw new TypeError('Only a text is sent.');
  }
  return {
    url: String(input),
    method,
    headers: Object.fromEntries(new Headers(headers)),
    ...(body && { body: String(body) }),
  };
}
