/** Requests to the outside, for the egress worker: within their limits, and with every failure as data. */
import { EgressError, type EgressRequest, type EgressStreamRequest } from '../contracts/egress';
import { countSent } from './count-sent';
import { checkUrl, originOf } from './gate';
import { createHider, createPieceHider } from './hide-secret';
import { offlineMessage, stoppedMessage } from './messages';
import { nearnessOf } from './nearness';
import { type Asked, type Opened, openResponse } from './open-response';
import type { BytesOutcome, EgressOutcome, Failed, StreamEnd, StreamEvent, Traffic } from './outcome';
import { readBody, readBytes, readPieces } from './read-body';

/** The most that a request may ask for, whoever asks: bytes of the body, unpacked, and milliseconds. */
const ceilings = { maxBytes: 16_000_000, timeoutMs: 120_000, silentMs: 300_000 };

/** Where a request stands: what the person allowed, whether they stopped it. */
export interface Circumstances {
  allowedAddresses: readonly string[];
  stop: AbortSignal;
  isOnline: () => boolean;
}

/** Never rejects for what the network, the server or the person did; that is a failure in the outcome. */
export async function sendOutside(
  request: EgressRequest,
  circumstances: Circumstances,
): Promise<EgressOutcome> {
  return readOutside(request, circumstances, readBody, { text: '', isCut: false });
}

/** As `sendOutside`, of what is no text. */
export async function loadOutside(
  request: EgressRequest,
  circumstances: Circumstances,
): Promise<BytesOutcome> {
  return readOutside(request, circumstances, readBytes, { bytes: new Uint8Array(), isCut: false });
}

async function readOutside<Read extends object>(
  request: EgressRequest,
  circumstances: Circumstances,
  readAll: (body: Response, maxBytes: number, onBytes: (bytes: number) => void) => Promise<Read>,
  empty: Read,
) {
  const timeoutMs = Math.min(request.timeoutMs, ceilings.timeoutMs);
  const maxBytes = Math.min(request.maxBytes, ceilings.maxBytes);
  const limit = { signal: AbortSignal.timeout(timeoutMs), say: tooSlow(timeoutMs) };
  return attempt(request, circumstances, limit, async ({ head, body }, traffic) => {
    const read = body && (await readAll(body, maxBytes, (bytes) => (traffic.receivedBytes += bytes)));
    return { response: { ...head, ...(read ?? empty) } };
  });
}

/** Tells of the head of the answer and of each piece as it comes. Rejects no more than `sendOutside` does. */
export async function streamOutside(
  request: EgressStreamRequest,
  circumstances: Circumstances,
  tell: (event: StreamEvent) => void,
): Promise<StreamEnd> {
  const maxBytes = Math.min(request.maxBytes, ceilings.maxBytes);
  const silence = watchSilence(Math.min(request.silentMs, ceilings.silentMs));
  const hide = (text: string) =>
    request.secrets.reduce((hidden, secret) => createHider(secret)(hidden), text);
  const hider = createPieceHider(request.secrets);
  try {
    const end = await attempt(request, circumstances, silence, async ({ head, body }, traffic) => {
      silence.heard();
      // A server may have put them there too.
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
  /** Aborts when the server was too slow. */
  signal: AbortSignal;
  /** Which is then said. */
  say: (host: string, receivedBytes: number) => string;
}

/** Sends one request, whose answer `work` reads, and ends it when that is over, stopped or late. */
async function attempt<Result>(
  request: Asked,
  { allowedAddresses, stop, isOnline }: Circumstances,
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
    return fail('unreachable', unreachable(url.host, isAllowed, traffic.receivedBytes));
  } finally {
    over.abort();
  }
}

/** A limit that begins anew with everything that is heard. */
function watchSilence(ms: number) {
  const silent = new AbortController();
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => (timer = setTimeout(() => silent.abort(), ms));
  wait();
  return {
    signal: silent.signal,
    say: tooSilent(ms),
    heard() {
      clearTimeout(timer);
      wait();
    },
    end: () => clearTimeout(timer),
  };
}

const tooSlow =
  (timeoutMs: number): Limit['say'] =>
  (host, receivedBytes) => {
    const what = receivedBytes > 0 ? 'began to answer but did not finish' : 'did not answer';
    return `${host} ${what} within ${timeoutMs / 1000} s. Try again later, or use another address.`;
  };

const tooSilent =
  (silentMs: number): Limit['say'] =>
  (host) =>
    `${host} sent nothing for ${silentMs / 1000} s, and was not waited for any longer. Try again later.`;

/** A browser does not tell the reasons apart, for the safety of what it may not read. */
function unreachable(host: string, isAllowed: boolean, receivedBytes: number): string {
  if (receivedBytes > 0) return `The connection to ${host} broke off. Try again.`;
  return isAllowed
    ? `${host} could not be read. It may not run, it may not let other pages read it (CORS), or the browser may keep this page from the local network. Start it, and allow local network access in the browser's settings for this site.`
    : `${host} could not be read. There may be no such server, it may not answer, it may lead to a refused address, or it may not let other pages read it (CORS). Check the address, or open it in a tab of its own and paste the text here.`;
}
