/** An error that the user can fix. The shell loads this file, so it must not import the list of codes. */
import type { ErrorCode } from './error-code';

export class AppError extends Error {
  readonly code: ErrorCode;

  /** `detail` is English text for "Details" and diagnostics. The screen shows a translated sentence for the code. */
  constructor(code: ErrorCode, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = 'AppError';
    this.code = code;
  }
}

/** Writes an error as text, for places that carry only text: worker messages and `errorMessage`. `readError` reads it back. */
export function writeError(error: unknown): string {
  if (error instanceof AppError) return `[${error.code}] ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
