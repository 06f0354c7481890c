/** PURE: translates the errors of the browser's model into codes, whose sentences name the next step. */
import { AppError, writeError } from '../../contracts/app-error';
import type { ErrorCode } from '../../contracts/error-code';

/** The session or its document is gone. The specification has two names for it. */
const gone: ReadonlySet<string> = new Set(['InvalidStateError', 'AbortError']);

export function isGone(error: unknown): boolean {
  return error instanceof Error && gone.has(error.name);
}

/** By the error names of the specification. */
const codes: Readonly<Record<string, ErrorCode>> = {
  QuotaExceededError: 'message-too-long',
  NotSupportedError: 'browser-model-language',
  NotReadableError: 'browser-model-withheld',
  NetworkError: 'browser-model-download',
  NotAllowedError: 'browser-model-refused',
};

export function faultOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isGone(error)) return new AppError('engine-crashed', detailOf(error), { cause: error });
  const name = error instanceof Error ? error.name : '';
  return new AppError(codes[name] ?? 'browser-model-failed', detailOf(error), { cause: error });
}

/** The requested and the available amount are in fields of their own. */
function detailOf(error: unknown): string {
  const said = writeError(error);
  if (!(error instanceof Error) || !('requested' in error) || !('quota' in error)) return said;
  const { requested, quota } = error;
  return typeof requested === 'number' && typeof quota === 'number'
    ? `${said} ${requested} tokens, of ${quota}.`
    : said;
}
