/** Typed errors for reading and writing backup files, so that we can tell the user what to do. */
import { AppError } from '../contracts/app-error';

export const unknown = (detail: string) => new AppError('backup-unknown', detail);
export const damaged = (detail: string) => new AppError('backup-damaged', detail);
/** The file contains something that no backup of Hearth contains. */
export const refused = (detail: string) => new AppError('backup-refused', detail);
export const tooLarge = (detail: string) => new AppError('backup-too-large', detail);

/** Converts an error while reading a file. Errors of the disk or of memory do not count as a damaged file. */
export function toReadingError(error: unknown): Error {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return damaged(String(error));
  const options = { cause: error };
  // The archive library reports an unsafe file name only in its message.
  if (error.message.includes('Unsafe filename')) return refused(error.message);
  if (error.name === 'NotReadableError' || error.name === 'NotFoundError' || error.name === 'NotAllowedError')
    return new AppError('backup-unread', error.message, options);
  if (error instanceof RangeError && /allocation|array length|out of memory/i.test(error.message))
    return new AppError('backup-too-large', error.message, options);
  return new AppError('backup-damaged', `${error.name}: ${error.message}`, options);
}

export function toWritingError(error: unknown): Error {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return new AppError('backup-unwritable', String(error));
  const code = error.name === 'QuotaExceededError' ? 'storage-full' : 'backup-unwritable';
  return new AppError(code, `${error.name}: ${error.message}`, { cause: error });
}
