/** PURE: converts a server's errors to our error codes, and decides when to repeat a request to a busy server. */
import { AppError } from '../../contracts/app-error';
import type { ErrorCode } from '../../contracts/error-code';
import { EgressError, type EgressFailure, type ResponseHead } from '../../contracts/egress';
import { parseJson, read, z } from '../../contracts/schema';

const maxDetailCharacters = 300;

const codeByFailure: Readonly<Record<Exclude<EgressFailure, 'stopped'>, ErrorCode>> = {
  offline: 'endpoint-offline',
  'refused-address': 'endpoint-address',
  'refused-request': 'endpoint-refused',
  'refused-redirect': 'endpoint-redirect',
  timeout: 'endpoint-silent',
  'wrong-type': 'endpoint-form',
  'too-long': 'endpoint-too-long',
  unreachable: 'endpoint-unreachable',
};

/** `hasBegun`: true if the response's headers have arrived, so the connection works. */
export function faultOf(error: unknown, hasBegun: boolean): AppError {
  if (error instanceof AppError) return error;
  if (!(error instanceof EgressError) || error.failure === 'stopped') {
    return new AppError('endpoint-failed', error instanceof Error ? error.message : String(error));
  }
  const code = hasBegun && error.failure === 'unreachable' ? 'endpoint-cut' : codeByFailure[error.failure];
  return new AppError(code, error.message, { cause: error });
}

export function faultOfStatus({ status, headers }: ResponseHead, text: string, now = Date.now()): AppError {
  const said = errorMessageIn(text) ?? '';
  const detail = said === '' ? `HTTP ${status}` : `HTTP ${status}: ${said}`;
  if (status === 401 || status === 403) return new AppError('endpoint-key', detail);
  if (status === 404 || status === 405) return new AppError('endpoint-missing', detail);
  if (status === 429) {
    const waitMs = readRetryAfterMs(headers['retry-after'], now);
    return new AppError('endpoint-busy', waitMs === undefined ? '' : String(Math.ceil(waitMs / 1000)));
  }
  // A proxy sends these codes if its server is down or still loading a model.
  if (status >= 500) return new AppError('endpoint-failed', detail);
  return new AppError('endpoint-refused', detail);
}

/** Reads an error event, which may come before or during a reply. Undefined if the event is not an error. */
export function faultInEvent(value: unknown): AppError | undefined {
  const said = errorMessageOf(value);
  return said === undefined ? undefined : new AppError('endpoint-failed', said);
}

export const createInvalidResponseError = (detail: string): AppError =>
  new AppError('endpoint-form', detail.slice(0, maxDetailCharacters));

const ErrorBody = z.object({
  error: z.optional(z.union([z.string(), z.object({ message: z.string() })])),
  message: z.optional(z.string()),
  detail: z.optional(z.unknown()),
});

/** Finds the error message in the formats of OpenAI, Ollama, vLLM and gateways. */
function errorMessageOf(value: unknown): string | undefined {
  const checked = read(ErrorBody, value);
  if (!checked.ok) return undefined;
  const { error, message, detail } = checked.value;
  const said =
    (typeof error === 'object' ? error.message : error) ??
    message ??
    (detail === undefined ? undefined : typeof detail === 'string' ? detail : JSON.stringify(detail));
  return said?.slice(0, maxDetailCharacters);
}

function errorMessageIn(text: string): string | undefined {
  const value = parseJson(text);
  if (value !== undefined) return errorMessageOf(value);
  return /^\s*</.test(text) ? undefined : text.trim().slice(0, maxDetailCharacters);
}

/** Milliseconds to wait before each retry, if the server suggests no delay. */
const defaultRetryWaitsMs = [1_000, 3_000];
const maxRequestsWhileBusy = 3;
/** Maximum milliseconds to wait. If the server asks for more, we show an error instead. */
const maxRetryWaitMs = 60_000;

/** Reads a `Retry-After` header, which holds seconds or a date, as milliseconds. Undefined if it is invalid. */
export function readRetryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d{1,6}\s*$/.test(header)) return Number(header) * 1000;
  // Require a weekday first, because some JavaScript engines also parse other text as a date.
  const date = /^\s*[A-Za-z]{3,9},? /.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Returns how many milliseconds to wait before the next request, or undefined if we should give up. `times`: number of requests so far. */
export function findRetryWaitMs(header: string | undefined, times: number, now: number): number | undefined {
  if (times >= maxRequestsWhileBusy) return undefined;
  const wait = readRetryAfterMs(header, now) ?? defaultRetryWaitsMs[times];
  return wait !== undefined && wait <= maxRetryWaitMs ? wait : undefined;
}
