/** Sends one request to the outside, for the egress worker: with no credentials, within its limits, checked at both ends. */
import { EgressError, type EgressRequest, type EgressResponse } from '../contracts/egress';
import { addressSpaceOf } from './address-space';
import { countSent } from './count-sent';
import { checkUrl, originOf } from './gate';
import { offlineMessage, stoppedMessage } from './messages';
import type { EgressOutcome } from './outcome';
import { readBody } from './read-body';

/** What a request may ask for at most, whoever asks. Bytes of the body, decoded; milliseconds until the last one. */
const ceilings = { maxBytes: 16_000_000, timeoutMs: 120_000 };

/** Headers that hold no secret. A request with any other is not passed on: a key goes to its host alone. */
const plainHeaders = new Set(['accept', 'accept-language', 'content-type']);
/**
 * Of the response, those a tool needs, as they must look. A server chooses them, and they come to stand in sentences: one
 * that says anything else is left out.
 */
const readHeaders: readonly (readonly [string, RegExp])[] = [
  [
    'content-type',
    /^[\w.+-]{1,40}\/[\w.+-]{1,60}(?:\s*;\s*[\w-]{1,20}=(?:[\w.:+-]{1,70}|"[\w.:+-]{1,70}"))*\s*;?$/,
  ],
  ['retry-after', /^[\w ,:+-]{1,40}$/],
];

interface Step {
  url: URL;
  request: EgressRequest;
  allowedAddresses: readonly string[];
  signal: AbortSignal;
  traffic: { sentBytes: number; receivedBytes: number };
}

/** Never rejects for what the network, the server or the person did; that is a failure in the outcome. */
export async function sendOutside(
  request: EgressRequest,
  allowedAddresses: readonly string[],
  stop: AbortSignal,
  isOnline: () => boolean,
): Promise<EgressOutcome> {
  const traffic = { sentBytes: 0, receivedBytes: 0 };
  const fail = (failure: EgressError['failure'], message: string) =>
    ({ ok: false, failure, message, ...traffic }) as const;
  const checked = checkUrl(request.url, allowedAddresses);
  if (!checked.ok) return fail('refused-address', checked.reason);

  const { url } = checked;
  const timeoutMs = Math.min(request.timeoutMs, ceilings.timeoutMs);
  const timeout = AbortSignal.timeout(timeoutMs);
  const over = new AbortController();
  for (const signal of [stop, timeout]) {
    signal.addEventListener('abort', () => over.abort(), { signal: over.signal });
  }
  try {
    if (stop.aborted) throw new EgressError('stopped', stoppedMessage);
    const step = { url, request, allowedAddresses, signal: over.signal, traffic };
    const response = await ask(step);
    return { ok: true, response, ...traffic };
  } catch (error) {
    if (error instanceof EgressError) return fail(error.failure, error.message);
    if (stop.aborted) return fail('stopped', stoppedMessage);
    if (timeout.aborted) return fail('timeout', tooSlow(url.host, timeoutMs, traffic.receivedBytes));
    if (!isOnline()) return fail('offline', offlineMessage);
    const isAllowed = allowedAddresses.some((address) => originOf(address) === url.origin);
    return fail('unreachable', unreachable(url.host, isAllowed, traffic.receivedBytes));
  } finally {
    over.abort();
  }
}

function tooSlow(host: string, timeoutMs: number, receivedBytes: number): string {
  const what = receivedBytes > 0 ? 'began to answer but did not finish' : 'did not answer';
  return `${host} ${what} within ${timeoutMs / 1000} s. Try again later, or use another address.`;
}

/** A browser does not tell the reasons apart, for the safety of what it may not read. */
function unreachable(host: string, isAllowed: boolean, receivedBytes: number): string {
  if (receivedBytes > 0) return `The connection to ${host} broke off. Try again.`;
  return isAllowed
    ? `${host} could not be read. It may not run, it may not let other pages read it (CORS), or the browser may keep this page from the local network. Start it, and allow local network access in the browser's settings for this site.`
    : `${host} could not be read. There may be no such server, it may not answer, it may lead to a refused address, or it may not let other pages read it (CORS). Check the address, or open it in a tab of its own and paste the text here.`;
}

async function ask(step: Step): Promise<EgressResponse> {
  const { url, request, signal, traffic } = step;
  const headers = headersOf(request);
  traffic.sentBytes = countSent(request);
  // What was allowed for one host stays there: a key in a header would go along, and a body would be sent twice.
  const isBound =
    request.redirect === 'never' ||
    request.method === 'POST' ||
    [...headers.keys()].some((name) => !plainHeaders.has(name));
  const response = await fetch(url, {
    method: request.method,
    headers,
    body: request.body ?? null,
    signal,
    mode: 'cors',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    cache: 'no-store',
    redirect: isBound ? 'manual' : 'follow',
    ...addressSpaceOf(url, step.allowedAddresses),
  });
  if (response.type === 'opaqueredirect') {
    throw new EgressError(
      'refused-redirect',
      `${url.host} passes this request on to another address, and it is not sent there. Use the address it leads to.`,
    );
  }
  checkEnd(step, response.url);
  return take(step, response);
}

/** After redirects, of which the browser shows only the last. One that began outside does not end at an allowed address. */
function checkEnd({ url, allowedAddresses }: Step, end: string): void {
  const own = allowedAddresses.filter((address) => originOf(address) === url.origin);
  // Not which one: the server chose its words.
  if (!checkUrl(end, own).ok) {
    throw new EgressError(
      'refused-redirect',
      `${url.host} led to an address that may not be asked: only the public internet may, over https. Use another address.`,
    );
  }
}

async function take({ url, request, traffic }: Step, response: Response): Promise<EgressResponse> {
  const headers = Object.fromEntries(
    readHeaders.flatMap(([name, form]) => {
      const value = response.headers.get(name);
      return value !== null && form.test(value) ? [[name, value]] : [];
    }),
  );
  const { status } = response;
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!isAccepted(type, request.accept)) {
    // Of an error the status says enough, and some servers send no page with it.
    if (!response.ok || status === 204) return { url: response.url, status, headers, text: '', isCut: false };
    const kind = type === '' ? 'something of no known type' : type;
    throw new EgressError(
      'wrong-type',
      `${url.host} sent ${kind}, and only ${request.accept.join(', ')} can be read. Use another address.`,
    );
  }
  const maxBytes = Math.min(request.maxBytes, ceilings.maxBytes);
  const body = await readBody(response, maxBytes, (bytes) => (traffic.receivedBytes += bytes));
  return { url: response.url, status, headers, ...body };
}

/** `text/*` stands for all of a kind. */
function isAccepted(type: string, accept: readonly string[]): boolean {
  const [kind] = type.split('/');
  return accept.some((one) => one === type || one === `${kind}/*`);
}

function headersOf(request: EgressRequest): Headers {
  if (request.method === 'GET' && request.body !== undefined) {
    throw new EgressError('refused-request', 'A GET has no body. Use POST, or leave the body out.');
  }
  try {
    return new Headers(request.headers);
  } catch {
    throw new EgressError('refused-request', 'A header holds what no header can. Check names and values.');
  }
}
