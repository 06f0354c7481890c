/** Sends requests in the egress worker: limits their size and time, and returns every failure as data. */
import {
  EgressError,
  type EgressRequest,
  type EgressStreamRequest,
  type ResponseHead,
  type Secret,
} from '../contracts/egress';
import {
  type BytesOutcome,
  countBytes,
  type EgressOutcome,
  type Failure,
  type StreamEnd,
  type StreamEvent,
  type Traffic,
  offlineMessage,
  requestStoppedMessage,
} from './outcome';
import { checkFinalAddress, chunksOf, fetchExternal, watchSilence } from './fetch-outside';
import { checkUrl, isUserAllowed } from './gate';
import { createSecretHider, createStreamRedactor } from './hide-secret';
import { networkScopeOf } from './nearness';

/** Upper limits for every request: bytes of the decompressed body, and timeouts in milliseconds. */
const upperLimits = { maxBytes: 16_000_000, timeoutMs: 120_000, silentMs: 300_000 };

interface RequestContext {
  allowedAddresses: readonly string[];
  stop: AbortSignal;
  isOnline: () => boolean;
}

/** If the network or server fails, or the user stops the request, resolves to that outcome instead of rejecting. */
export async function sendRequest(request: EgressRequest, context: RequestContext): Promise<EgressOutcome> {
  return requestAndDecode(request, context, (chunks, isCut, contentType) => {
    const decoder = createDecoderFor(contentType, chunks);
    const redactor = createStreamRedactor(request.secrets);
    const text = redactor.push(chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join(''));
    // Drop a character or a secret that the limit split.
    return { text: isCut ? text : text + redactor.push(decoder.decode()) + redactor.end() };
  });
}

export async function loadBytes(request: EgressRequest, context: RequestContext): Promise<BytesOutcome> {
  return requestAndDecode(request, context, async (chunks) => ({
    bytes: new Uint8Array(await new Blob(chunks).arrayBuffer()),
  }));
}

async function requestAndDecode<Content extends object>(
  request: EgressRequest,
  context: RequestContext,
  decode: (chunks: Chunk[], isCut: boolean, contentType: string) => Content | Promise<Content>,
) {
  const timeoutMs = Math.min(request.timeoutMs, upperLimits.timeoutMs);
  const limit: RequestTimeLimit = {
    signal: AbortSignal.timeout(timeoutMs),
    explain(host, receivedBytes) {
      const what = receivedBytes > 0 ? 'began to answer but did not finish' : 'did not answer';
      return `${host} ${what} within ${timeoutMs / 1000} s. Try again later, or use another address.`;
    },
  };
  const hide = createHider(request.secrets);
  const outcome = await sendWithLimit(request, context, limit, async ({ head, body }, traffic) => {
    const chunks: Chunk[] = [];
    const isCut = await readChunks(body, request.maxBytes, (chunk, receivedBytes) => {
      chunks.push(chunk);
      traffic.receivedBytes += receivedBytes;
    });
    const content = await decode(chunks, isCut, body?.headers.get('content-type') ?? '');
    return { response: { ...hideInHead(head, hide), ...content, isCut } };
  });
  return outcome.ok ? outcome : { ...outcome, message: hide(outcome.message) };
}

function createHider(secrets: readonly Secret[]): (text: string) => string {
  const hiders = secrets.map(createSecretHider);
  return (text) => hiders.reduce((hidden, hide) => hide(hidden), text);
}

/** A server may repeat secrets in its headers, and in the address to which it redirects. */
function hideInHead(head: ResponseHead, hide: (text: string) => string): ResponseHead {
  const headers = Object.entries(head.headers).map(([name, value]) => [name, hide(value)] as const);
  return { ...head, url: hide(head.url), headers: Object.fromEntries(headers) };
}

/** Reports the response's head and each chunk to `tell`. Never rejects, like `sendRequest`. */
export async function streamResponse(
  request: EgressStreamRequest,
  context: RequestContext,
  tell: (event: StreamEvent) => void,
): Promise<StreamEnd> {
  const silentMs = Math.min(request.silentMs, upperLimits.silentMs);
  const silence = watchSilence(silentMs);
  const hide = createHider(request.secrets);
  const hider = createStreamRedactor(request.secrets);
  const decoder = new TextDecoder();
  const limit: RequestTimeLimit = {
    signal: silence.signal,
    explain: (host) =>
      `${host} sent nothing for ${silentMs / 1000} s, and was not waited for any longer. Try again later.`,
  };
  try {
    const end = await sendWithLimit(request, context, limit, async ({ head, body }, traffic) => {
      silence.heard();
      tell({ type: 'head', head: hideInHead(head, hide) });
      const tellText = (text: string) => tell({ type: 'text', text, receivedBytes: traffic.receivedBytes });
      try {
        const isCut = await readChunks(body, request.maxBytes, (chunk, receivedBytes) => {
          silence.heard();
          traffic.receivedBytes += receivedBytes;
          tellText(hider.push(decoder.decode(chunk, { stream: true })));
        });
        if (isCut) {
          const { host } = new URL(request.url);
          const maxBytes = clampMaxBytes(request.maxBytes);
          throw new EgressError(
            'too-long',
            `${host} sent more than ${maxBytes} bytes and was cut off. Ask for less.`,
          );
        }
        tellText(hider.push(decoder.decode()));
        return {};
      } finally {
        tellText(hider.end());
      }
    });
    return end.ok ? end : { ...end, message: hide(end.message) };
  } finally {
    silence.end();
  }
}

interface RequestTimeLimit {
  signal: AbortSignal;
  explain: (host: string, receivedBytes: number) => string;
}

/** Passes the response to `work`, unless it is refused. Returns every failure as data. */
async function sendWithLimit<Result>(
  request: OutgoingRequest,
  { allowedAddresses, stop, isOnline }: RequestContext,
  limit: RequestTimeLimit,
  work: (opened: OpenedResponse, traffic: Traffic) => Promise<Result>,
): Promise<(Result & Traffic & { ok: true }) | Failure> {
  const traffic = { sentBytes: 0, receivedBytes: 0 };
  const fail = (failure: EgressError['failure'], message: string) =>
    ({ ok: false, failure, message, ...traffic }) as const;
  const checked = checkUrl(request.url, allowedAddresses);
  if (!checked.ok) return fail('refused-address', checked.reason);

  const { url } = checked;
  const over = new AbortController();
  for (const signal of [stop, limit.signal]) {
    signal.addEventListener('abort', () => over.abort(), { signal: over.signal });
  }
  try {
    if (stop.aborted) throw new EgressError('stopped', requestStoppedMessage);
    const headers = requestHeadersOf(request);
    traffic.sentBytes = countBytes(request);
    const init = { headers, signal: over.signal };
    const result = await work(await openResponse(url, request, allowedAddresses, init), traffic);
    return { ok: true, ...result, ...traffic };
  } catch (error) {
    if (error instanceof EgressError) return fail(error.failure, error.message);
    if (stop.aborted) return fail('stopped', requestStoppedMessage);
    if (limit.signal.aborted) return fail('timeout', limit.explain(url.host, traffic.receivedBytes));
    if (!isOnline() && networkScopeOf(url.hostname) === undefined) return fail('offline', offlineMessage);
    const message = explainUnreachable(url.host, isUserAllowed(url, allowedAddresses), traffic.receivedBytes);
    return fail('unreachable', message);
  } finally {
    over.abort();
  }
}

/** Browsers hide the cause of a failed request for security, so this text names none. */
function explainUnreachable(host: string, isAllowed: boolean, receivedBytes: number): string {
  if (receivedBytes > 0) return `The connection to ${host} broke off. Try again.`;
  return isAllowed
    ? `${host} could not be read. It may not run, it may not let other pages read it (CORS), or the browser may keep this page from the local network. Start it, and allow local network access in the browser's settings for this site.`
    : `${host} could not be read. There may be no such server, it may not answer, it may lead to a refused address, or it may not let other pages read it (CORS). Check the address, or open it in a tab of its own and paste the text here.`;
}

/** Headers without secrets. With any other header, we follow no redirect, so keys never reach another host. */
const nonSecretHeaders = new Set(['accept', 'accept-language', 'content-type']);
/** Response headers that callers need. Messages on screen quote them, so their values must match these patterns. */
const neededResponseHeaders: readonly (readonly [string, RegExp])[] = [
  [
    'content-type',
    /^[\w.+-]{1,40}\/[\w.+-]{1,60}(?:\s*;\s*[\w-]{1,20}=(?:[\w.:+-]{1,70}|"[\w.:+-]{1,70}"))*\s*;?$/,
  ],
  ['retry-after', /^[\w ,:+-]{1,40}$/],
  // For MCP: the session id, which we send back in a header, and the address for the login.
  ['mcp-session-id', /^[\x21-\x7e]{1,1024}$/],
  ['www-authenticate', /^[\x20-\x7e]{1,2048}$/],
];

export type OutgoingRequest = Omit<EgressRequest, 'timeoutMs' | 'maxBytes' | 'secrets'>;

type OpenedResponse = Awaited<ReturnType<typeof openResponse>>;

/** Sends a request and checks the response's head. Omits `body` if we cannot use it. Rejects with an `EgressError`, or as `fetch` does. */
async function openResponse(
  url: URL,
  { method, body, redirect, accept }: OutgoingRequest,
  allowedAddresses: readonly string[],
  init: { headers: Headers; signal: AbortSignal },
) {
  // A redirect would reveal a key in a header, or send a body twice.
  const isBound =
    redirect === 'never' ||
    method !== 'GET' ||
    [...init.headers.keys()].some((name) => !nonSecretHeaders.has(name));
  const response = await fetchExternal(url, allowedAddresses, {
    ...init,
    method,
    body: body ?? null,
    redirect: isBound ? 'manual' : 'follow',
  });
  if (response.type === 'opaqueredirect') {
    throw new EgressError(
      'refused-redirect',
      `${url.host} passes this request on to another address, and it is not sent there. Use the address it leads to.`,
    );
  }
  // Don't quote the final address: the server chose it.
  if (!checkFinalAddress(url, response.url, allowedAddresses).ok) {
    throw new EgressError(
      'refused-redirect',
      `${url.host} led to an address that may not be asked: only the public internet may, over https. Use another address.`,
    );
  }
  const headers = Object.fromEntries(
    neededResponseHeaders.flatMap(([name, form]) => {
      const value = response.headers.get(name);
      return value !== null && form.test(value) ? [[name, value]] : [];
    }),
  );
  const head = { url: response.url, status: response.status, headers };
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (isAcceptedType(type, accept)) return { head, body: response };
  // These responses need no readable body: for an error, the status is enough, and 202 and 204 only confirm the request.
  if (!response.ok || response.status === 204 || response.status === 202) return { head, body: undefined };
  const kind = type === '' ? 'something of no known type' : type;
  throw new EgressError(
    'wrong-type',
    `${url.host} sent ${kind}, and only ${accept.join(', ')} can be read. Use another address.`,
  );
}

function isAcceptedType(type: string, accept: readonly string[]): boolean {
  const [kind] = type.split('/');
  return accept.some((one) => one === type || one === `${kind}/*`);
}

function requestHeadersOf(request: OutgoingRequest): Headers {
  if (request.method !== 'POST' && request.body !== undefined) {
    const message = `A ${request.method} has no body. Use POST, or leave the body out.`;
    throw new EgressError('refused-request', message);
  }
  try {
    return new Headers(request.headers);
  } catch {
    throw new EgressError('refused-request', 'A header holds what no header can. Check names and values.');
  }
}

type Chunk = Uint8Array<ArrayBuffer>;

const clampMaxBytes = (maxBytes: number) => Math.min(maxBytes, upperLimits.maxBytes);

/** Passes at most `maxBytes` of decompressed data to `onChunk`. Resolves to whether the body was longer. */
async function readChunks(
  body: Response | undefined,
  maxBytes: number,
  onChunk: (chunk: Chunk, receivedBytes: number) => void,
): Promise<boolean> {
  let roomBytes = clampMaxBytes(maxBytes);
  for await (const whole of body ? chunksOf(body) : []) {
    const chunk = whole.subarray(0, roomBytes);
    roomBytes -= chunk.length;
    onChunk(chunk, whole.length);
    if (chunk.length < whole.length) return true;
  }
  return false;
}

function createDecoderFor(contentType: string, chunks: readonly Uint8Array[]): TextDecoder {
  const [first, second, third] = chunks.find(({ length }) => length > 0) ?? [];
  if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder('utf-8');
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
  const label = /charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? sniffContentType(contentType, chunks);
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

const maxSniffedBytes = 1024;

function sniffContentType(contentType: string, chunks: readonly Uint8Array[]): string | undefined {
  if (!/^\s*(text\/html|application\/xhtml\+xml)/i.test(contentType)) return undefined;
  const latin = new TextDecoder('latin1');
  let beginning = '';
  for (const chunk of chunks) {
    beginning += latin.decode(chunk.subarray(0, maxSniffedBytes), { stream: true });
    if (beginning.length >= maxSniffedBytes) break;
  }
  return /<meta[^>]+charset\s*=\s*["']?([^\s"'/>;]+)/i.exec(beginning.slice(0, maxSniffedBytes))?.[1];
}
