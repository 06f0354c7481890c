/** Sends one request to the outside and checks what begins to come back: with no credentials, at both ends of a redirect. */
import { EgressError, type EgressRequest, type ResponseHead } from '../contracts/egress';
import { addressSpaceOf } from './address-space';
import { checkUrl, originOf } from './gate';

/** Headers that hold no secret. A request with any other is not passed on: a key goes to its host alone. */
const plainHeaders = new Set(['accept', 'accept-language', 'content-type']);
/**
 * The response headers that callers need, and the form each must have. A server chooses their values, and they are shown in
 * sentences: a header in any other form is left out.
 */
const readHeaders: readonly (readonly [string, RegExp])[] = [
  [
    'content-type',
    /^[\w.+-]{1,40}\/[\w.+-]{1,60}(?:\s*;\s*[\w-]{1,20}=(?:[\w.:+-]{1,70}|"[\w.:+-]{1,70}"))*\s*;?$/,
  ],
  ['retry-after', /^[\w ,:+-]{1,40}$/],
  // Of MCP: a session by its id, and where a login is to be found. The id goes back into a header, so it must be fit for one.
  ['mcp-session-id', /^[\x21-\x7e]{1,1024}$/],
  ['www-authenticate', /^[\x20-\x7e]{1,2048}$/],
];

/** The fields of a request that do not depend on how its answer is read, whole or in pieces. */
export type Asked = Omit<EgressRequest, 'timeoutMs' | 'maxBytes'>;

export interface Step {
  url: URL;
  request: Asked;
  allowedAddresses: readonly string[];
  signal: AbortSignal;
  /** Just before it leaves. */
  onSend: () => void;
}

export interface Opened {
  head: ResponseHead;
  /** Missing where there is nothing to read: an error of a type that is not read, or an empty answer. */
  body: Response | undefined;
}

/** Rejects with an `EgressError`, or as `fetch` does. */
export async function openResponse(step: Step): Promise<Opened> {
  const { url, request, signal } = step;
  const headers = headersOf(request);
  step.onSend();
  // What was allowed for one host stays there: a key in a header would go along, and a body would be sent twice.
  const isBound =
    request.redirect === 'never' ||
    request.method !== 'GET' ||
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
  return checkAnswer(step, response);
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

function checkAnswer({ url, request }: Step, response: Response): Opened {
  const headers = Object.fromEntries(
    readHeaders.flatMap(([name, form]) => {
      const value = response.headers.get(name);
      return value !== null && form.test(value) ? [[name, value]] : [];
    }),
  );
  const head = { url: response.url, status: response.status, headers };
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!isAccepted(type, request.accept)) {
    // The status of an error says enough, and some servers send no page with it; what was only taken in has none.
    if (!response.ok || response.status === 204 || response.status === 202) return { head, body: undefined };
    const kind = type === '' ? 'something of no known type' : type;
    throw new EgressError(
      'wrong-type',
      `${url.host} sent ${kind}, and only ${request.accept.join(', ')} can be read. Use another address.`,
    );
  }
  return { head, body: response };
}

/** `text/*` stands for all of a kind. */
function isAccepted(type: string, accept: readonly string[]): boolean {
  const [kind] = type.split('/');
  return accept.some((one) => one === type || one === `${kind}/*`);
}

function headersOf(request: Asked): Headers {
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
