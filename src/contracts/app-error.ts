/** An error that the user can fix. The app shell loads this file first, so this file imports only types. */
import type { ErrorCode } from './error-code';

export class AppError extends Error {
  readonly code: ErrorCode;

  /** `detail` is English text for "Details" and diagnostics. The screen shows a translated message for the code. */
  constructor(code: ErrorCode, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = 'AppError';
    this.code = code;
  }
}

/** Serializes an error for channels that carry only text, such as worker messages. `readError` parses the text. */
export function writeError(error: unknown): string {
  if (error instanceof AppError) return `[${error.code}] ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
