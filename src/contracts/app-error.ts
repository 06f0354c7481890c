/** What the person can fix: an error with a code. Apart from the codes: the first paint does without their names. */
import type { ErrorCode } from './error-code';

export class AppError extends Error {
  readonly code: ErrorCode;

  /** `detail` is for "Details" and diagnostics, in English; the sentence a person reads comes from the code. */
  constructor(code: ErrorCode, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = 'AppError';
    this.code = code;
  }
}

/** As text, for where only text can cross: a worker, a message's `errorMessage`. */
export function writeError(error: unknown): string {
  if (error instanceof AppError) return `[${error.code}] ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
