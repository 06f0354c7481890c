/** PURE: translates the faults of a server into codes, whose sentences name the next step. */
import { AppError } from '../../contracts/app-error';
import type { ErrorCode } from '../../contracts/error-code';
import { EgressError, type EgressFailure, type ResponseHead } from '../../contracts/egress';
import { read, z } from '../../contracts/schema';
import { askedWait } from './retry-after';

const shown = 300;

const codes: Readonly<Record<Exclude<EgressFailure, 'stopped'>, ErrorCode>> = {
  offline: 'endpoint-offline',
  'refused-address': 'endpoint-address',
  'refused-request': 'endpoint-refused',
  'refused-redirect': 'endpoint-redirect',
  timeout: 'endpoint-silent',
  'wrong-type': 'endpoint-form',
  'too-long': 'endpoint-too-long',
  unreachable: 'endpoint-unreachable',
};

/** `hasBegun`: the head of the answer had arrived, so the connection worked. */
export function faultOf(error: unknown, hasBegun: boolean): AppError {
  if (error instanceof AppError) return error;
  if (!(error instanceof EgressError) || error.failure === 'stopped') {
    return new AppError('endpoint-failed', error instanceof Error ? error.message : String(error));
  }
  const code = hasBegun && error.failure === 'unreachable' ? 'endpoint-cut' : codes[error.failure];
  return new AppError(code, error.message, { cause: error });
}

/** The fault of an answer without success, from its status and body. */
export function faultOfStatus(
  { status, headers }: ResponseHead,
  text: string,
  now: number = Date.now(),
): AppError {
  const said = messageIn(text) ?? '';
  const detail = said === '' ? `HTTP ${status}` : `HTTP ${status}: ${said}`;
  if (status === 401 || status === 403) return new AppError('endpoint-key', detail);
  if (status === 404 || status === 405) return new AppError('endpoint-missing', detail);
  if (status === 429) return new AppError('endpoint-busy', secondsIn(headers['retry-after'], now));
  // Proxies in front of a server that is down, or that still loads its model.
  if (status >= 500) return new AppError('endpoint-failed', detail);
  return new AppError('endpoint-refused', detail);
}

/** Reads an error that a server sends instead of an answer, or in the middle of one. */
export function faultInEvent(value: unknown): AppError | undefined {
  const said = messageOf(value);
  return said === undefined ? undefined : new AppError('endpoint-failed', said);
}

export const wrongForm = (detail: string): AppError => new AppError('endpoint-form', detail.slice(0, shown));

const Said = z.object({
  error: z.optional(z.union([z.string(), z.object({ message: z.string() })])),
  message: z.optional(z.string()),
  detail: z.optional(z.unknown()),
});

/** Reads the error message in the forms of OpenAI, Ollama, vLLM and gateways. */
function messageOf(value: unknown): string | undefined {
  const checked = read(Said, value);
  if (!checked.ok) return undefined;
  const { error, message, detail } = checked.value;
  const said =
    (typeof error === 'object' ? error.message : error) ??
    message ??
    (detail === undefined ? undefined : typeof detail === 'string' ? detail : JSON.stringify(detail));
  return said?.slice(0, shown);
}

function messageIn(text: string): string | undefined {
  try {
    return messageOf(JSON.parse(text));
  } catch {
    return /^\s*</.test(text) ? undefined : text.trim().slice(0, shown);
  }
}

/** '' if the server does not say. */
function secondsIn(header: string | undefined, now: number): string {
  const wait = askedWait(header, now);
  return wait === undefined ? '' : String(Math.ceil(wait / 1000));
}
