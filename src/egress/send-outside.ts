/** Sends requests in the egress worker: limits their size and time, and returns every failure as data. */
import {
  EgressError,
  type EgressRequest,
  type EgressStreamRequest,
  type ResponseHead,
} from '../contracts/egress';
import {
  type BytesOutcome,
  countSent,
  type EgressOutcome,
  type Failed,
  type StreamEnd,
  type StreamEvent,
  type Traffic,
  offlineMessage,
  stoppedMessage,
} from './outcome';
import { checkFinalAddress, chunksOf, fetchOutside, watchSilence } from './fetch-outside';
import { checkUrl, originOf } from './gate';
import { createHider, createPieceHider } from './hide-secret';
import { nearnessOf } from './nearness';

/** Upper limits for every request: bytes of the decompressed body, and timeouts in milliseconds. */
const upperLimits = { maxBytes: 16_000_000, timeoutMs: 120_000, silentMs: 300_000 };

interface RequestContext {
  allowedAddresses: readonly string[];
  stop: AbortSignal;
  isOnline: () => boolean;
}

/** Reports failures of the network or server, and stops by the user, in its outcome. Never rejects because of them. */
export async function sendOutside(request: EgressRequest, context: RequestContext): Promise<EgressOutcome> {
  return readOutside(request, context, readBody, { text: '', isCut: false });
}

export async function loadOutside(request: EgressRequest, context: RequestContext): Promise<BytesOutcome> {
  return readOutside(request, context, readBytes, { bytes: new Uint8Array(), isCut: false });
}

async function readOutside<Read extends object>(
  request: EgressRequest,
  context: RequestContext,
  readAll: (body: Response, maxBytes: number, onBytes: (bytes: number) => void) => Promise<Read>,
  empty: Read,
) {
  const timeoutMs = Math.min(request.timeoutMs, upperLimits.timeoutMs);
  const maxBytes = Math.min(request.maxBytes, upperLimits.maxBytes);
  const limit = { signal: AbortSignal.timeout(timeoutMs), say: tooSlowMessage(timeoutMs) };
  return sendWithLimit(request, context, limit, async ({ head, body }, traffic) => {
    const read = body && (await readAll(body, maxBytes, (bytes) => (traffic.receivedBytes += bytes)));
    return { response: { ...head, ...(read ?? empty) } };
  });
}

/** Reports the response's head and each chunk to `tell`. Like `sendOutside`, it never rejects. */
export async function streamOutside(
  request: EgressStreamRequest,
  context: RequestContext,
  tell: (event: StreamEvent) => void,
): Promise<StreamEnd> {
  const maxBytes = Math.min(request.maxBytes, upperLimits.maxBytes);
  const silentMs = Math.min(request.silentMs, upperLimits.silentMs);
  const silence = watchSilence(silentMs);
  const hide = (text: string) =>
    request.secrets.reduce((hidden, secret) => createHider(secret)(hidden), text);
  const hider = createPieceHider(request.secrets);
  try {
    const limit = { signal: silence.signal, say: tooSilentMessage(silentMs) };
    const end = await sendWithLimit(request, context, limit, async ({ head, body }, traffic) => {
      silence.heard();
      // A server may repeat secrets in its headers.
      const headers = Object.entries(head.headers).map(([name, value]): [string, string] => [
        name,
        hide(value),
      ]);
      tell({ type: 'head', head: { ...head, url: hide(head.url), headers: Object.fromEntries(headers) } });
      const tellText = (text: string) => tell({ type: 'text', text, receivedBytes: traffic.receivedBytes });
      try {
        const onPiece = (text: string, bytes: number) => {
          silence.heard();
          traffic.receivedBytes += bytes;
          tellText(hider.push(text));
        };
        if (!body || (await readPieces(body, maxBytes, onPiece))) return {};
        throw new EgressError(
          'too-long',
          `${new URL(request.url).host} sent more than ${maxBytes} bytes and was cut off. Ask for less.`,
        );
      } finally {
        tellText(hider.end());
      }
    });
    return end.ok ? end : { ...end, message: hide(end.message) };
  } finally {
    silence.end();
  }
}

interface Limit {
  /** Aborts when the server is too slow. `say` then returns the explanation. */
  signal: AbortSignal;
  say: (host: string, receivedBytes: number) => string;
}

async function sendWithLimit<Result>(
  request: OutgoingRequest,
  { allowedAddresses, stop, isOnline }: RequestContext,
  limit: Limit,
  work: (opened: Opened, traffic: Traffic) => Promise<Result>,
): Promise<(Result & Traffic & { ok: true }) | Failed> {
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
    if (stop.aborted) throw new EgressError('stopped', stoppedMessage);
    const onSend = () => (traffic.sentBytes = countSent(request));
    const step = { url, request, allowedAddresses, signal: over.signal, onSend };
    const result = await work(await openResponse(step), traffic);
    return { ok: true, ...result, ...traffic };
  } catch (error) {
    if (error instanceof EgressError) return fail(error.failure, error.message);
    if (stop.aborted) return fail('stopped', stoppedMessage);
    if (limit.signal.aborted) return fail('timeout', limit.say(url.host, traffic.receivedBytes));
    if (!isOnline() && nearnessOf(url.hostname) === undefined) return fail('offline', offlineMessage);
    const isAllowed = allowedAddresses.some((address) => originOf(address) === url.origin);
    return fail('unreachable', unreachableMessage(url.host, isAllowed, traffic.receivedBytes));
  } finally {
    over.abort();
  }
}

const tooSlowMessage =
  (timeoutMs: number): Limit['say'] =>
  (host, receivedBytes) => {
    const what = receivedBytes > 0 ? 'began to answer but did not finish' : 'did not answer';
    return `${host} ${what} within ${timeoutMs / 1000} s. Try again later, or use another address.`;
  };

const tooSilentMessage =
  (silentMs: number): Limit['say'] =>
  (host) =>
    `${host} sent nothing for ${silentMs / 1000} s, and was not waited for any longer. Try again later.`;

/** Explains a failed request without a cause, because browsers hide it from pages for security. */
function unreachableMessage(host: string, isAllowed: boolean, receivedBytes: number): string {
  if (receivedBytes > 0) return `The connection to ${host} broke off. Try again.`;
  return isAllowed
    ? `${host} could not be read. It may not run, it may not let other pages read it (CORS), or the browser may keep this page from the local network. Start it, and allow local network access in the browser's settings for this site.`
    : `${host} could not be read. There may be no such server, it may not answer, it may lead to a refused address, or it may not let other pages read it (CORS). Check the address, or open it in a tab of its own and paste the text here.`;
}

/** Headers without secrets. A request with any other header follows no redirect, so keys never reach another host. */
const plainHeaders = new Set(['accept', 'accept-language', 'content-type']);
/** Response headers that callers need. Messages on screen quote them, so their values must match these patterns. */
const neededHeaders: readonly (readonly [string, RegExp])[] = [
  [
    'content-type',
    /^[\w.+-]{1,40}\/[\w.+-]{1,60}(?:\s*;\s*[\w-]{1,20}=(?:[\w.:+-]{1,70}|"[\w.:+-]{1,70}"))*\s*;?$/,
  ],
  ['retry-after', /^[\w ,:+-]{1,40}$/],
  // For MCP: the session id, which we send back in a header, and the address for logging in.
  ['mcp-session-id', /^[\x21-\x7e]{1,1024}$/],
  ['www-authenticate', /^[\x20-\x7e]{1,2048}$/],
];

export type OutgoingRequest = Omit<EgressRequest, 'timeoutMs' | 'maxBytes'>;

interface Step {
  url: URL;
  request: OutgoingRequest;
  allowedAddresses: readonly string[];
  signal: AbortSignal;
  onSend: () => void;
}

interface Opened {
  head: ResponseHead;
  /** Undefined for an empty response, or for an error whose content type we do not read. */
  body: Response | undefined;
}

/** Sends a request and checks the response's head. Rejects with an `EgressError`, or as `fetch` does. */
async function openResponse(step: Step): Promise<Opened> {
  const { url, request, signal } = step;
  const headers = headersOf(request);
  step.onSend();
  // Following a redirect would reveal a key in a header, or send a body twice.
  const isBound =
    request.redirect === 'never' ||
    request.method !== 'GET' ||
    [...headers.keys()].some((name) => !plainHeaders.has(name));
  const response = await fetchOutside(url, step.allowedAddresses, {
    method: request.method,
    headers,
    body: request.body ?? null,
    signal,
    redirect: isBound ? 'manual' : 'follow',
  });
  if (response.type === 'opaqueredirect') {
    throw new EgressError(
      'refused-redirect',
      `${url.host} passes this request on to another address, and it is not sent there. Use the address it leads to.`,
    );
  }
  // Don't quote the final address, because the server chose it.
  if (!checkFinalAddress(url, response.url, step.allowedAddresses).ok) {
    throw new EgressError(
      'refused-redirect',
      `${url.host} led to an address that may not be asked: only the public internet may, over https. Use another address.`,
    );
  }
  return checkAnswer(step, response);
}

function checkAnswer({ url, request }: Step, response: Response): Opened {
  const headers = Object.fromEntries(
    neededHeaders.flatMap(([name, form]) => {
      const value = response.headers.get(name);
      return value !== null && form.test(value) ? [[name, value]] : [];
    }),
  );
  const head = { url: response.url, status: response.status, headers };
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!isAccepted(type, request.accept)) {
    // The status is enough: some servers send errors without a page, and a mere confirmation has no body.
    if (!response.ok || response.status === 204 || response.status === 202) return { head, body: undefined };
    const kind = type === '' ? 'something of no known type' : type;
    throw new EgressError(
      'wrong-type',
      `${url.host} sent ${kind}, and only ${request.accept.join(', ')} can be read. Use another address.`,
    );
  }
  return { head, body: response };
}

function isAccepted(type: string, accept: readonly string[]): boolean {
  const [kind] = type.split('/');
  return accept.some((one) => one === type || one === `${kind}/*`);
}

function headersOf(request: OutgoingRequest): Headers {
  if (request.method !== 'POST' && request.body !== undefined) {
    throw new EgressError(
      'refused-request',
      `A ${request.method} has no body. Use POST, or leave the body out.`,
    );
  }
  try {
    return new Headers(request.headers);
  } catch {
    throw new EgressError('refused-request', 'A header holds what no header can. Check names and values.');
  }
}

const sniffedBytes = 1024;

/** Reads at most `maxBytes` of decompressed data. Rejects if the connection breaks or the signal aborts. */
async function readBody(
  response: Response,
  maxBytes: number,
  onBytes: (bytes: number) => void,
): Promise<{ text: string; isCut: boolean }> {
  const { chunks, isCut } = await readChunks(response, maxBytes, onBytes);
  const decoder = decoderFor(response.headers.get('content-type') ?? '', chunks);
  const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('');
  // Drop a character that was split by the limit.
  return { text: isCut ? text : text + decoder.decode(), isCut };
}

async function readBytes(
  response: Response,
  maxBytes: number,
  onBytes: (bytes: number) => void,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; isCut: boolean }> {
  const { chunks, isCut } = await readChunks(response, maxBytes, onBytes);
  return { bytes: new Uint8Array(await new Blob(chunks).arrayBuffer()), isCut };
}

async function readChunks(
  response: Response,
  maxBytes: number,
  onBytes: (bytes: number) => void,
): Promise<{ chunks: Uint8Array<ArrayBuffer>[]; isCut: boolean }> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const whole of chunksOf(response)) {
    const chunk = whole.subarray(0, maxBytes - bytes);
    bytes += chunk.length;
    chunks.push(chunk);
    onBytes(whole.length);
    if (chunk.length < whole.length) return { chunks, isCut: true };
  }
  return { chunks, isCut: false };
}

/** Reads UTF-8 in chunks, at most `maxBytes`. Returns false if the body was longer. Rejects like `readBody`. */
async function readPieces(
  response: Response,
  maxBytes: number,
  onPiece: (text: string, bytes: number) => void,
): Promise<boolean> {
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const whole of chunksOf(response)) {
    const chunk = whole.subarray(0, maxBytes - bytes);
    bytes += chunk.length;
    onPiece(decoder.decode(chunk, { stream: true }), whole.length);
    if (chunk.length < whole.length) return false;
  }
  onPiece(decoder.decode(), 0);
  return true;
}

function decoderFor(contentType: string, chunks: readonly Uint8Array[]): TextDecoder {
  const [first, second, third] = chunks.find(({ length }) => length > 0) ?? [];
  if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder('utf-8');
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be');
  const label = /charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? sniffType(contentType, chunks);
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

function sniffType(contentType: string, chunks: readonly Uint8Array[]): string | undefined {
  if (!/^\s*(text\/html|application\/xhtml\+xml)/i.test(contentType)) return undefined;
  const latin = new TextDecoder('latin1');
  let beginning = '';
  for (const chunk of chunks) {
    beginning += latin.decode(chunk.subarray(0, sniffedBytes), { stream: true });
    if (beginning.length >= sniffedBytes) break;
  }
  return /<meta[^>]+charset\s*=\s*["']?([^\s"'/>;]+)/i.exec(beginning.slice(0, sniffedBytes))?.[1];
}
