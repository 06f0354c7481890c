/** For the MCP worker: `fetch`, as the client of the protocol wants it, through the page, which sends nothing that it should not. */
import { transfer } from 'comlink';
import { read } from '../../contracts/schema';
import { AnswerEvent, type PageEnd, type ServerRequest } from './worker-api';

/** Such an answer has no body, by the definition of `Response`. */
const bodiless = new Set([204, 205, 304]);

export function createFetch(page: Pick<PageEnd, 'request' | 'stop'>) {
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
        // What is on its way is for nobody: an error here would be taken for the end of the worker.
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
            resolve(new Response(bodiless.has(status) ? null : body, { status, headers }));
          } catch {
            page.stop(id);
            end(new TypeError(`It answered with the status ${status}, which is none.`));
          }
        }
      };
      page.request(id, requestOf(input, init), transfer(port2, [port2]));
    });
  };
}

function requestOf(input: string | URL, { method = 'GET', headers, body }: RequestInit): ServerRequest {
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
