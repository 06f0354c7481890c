/** What can go wrong with a file that is read or written: typed, so that a person is told what is so, and what to do. */
import { AppError } from '../contracts/app-error';

/** It is nothing that can be read in. */
export const unknown = (detail: string) => new AppError('backup-unknown', detail);
/** The file itself is at fault: cut off, or changed since it was written. */
export const damaged = (detail: string) => new AppError('backup-damaged', detail);
/** It holds what no backup of Hearth holds. */
export const refused = (detail: string) => new AppError('backup-refused', detail);
export const tooLarge = (detail: string) => new AppError('backup-too-large', detail);

/**
 * What a library threw over the bytes of a file. What the disk or the memory is at fault for is not called damage: the file may be
 * whole.
 */
export function toReadingError(error: unknown): Error {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return damaged(String(error));
  const options = { cause: error };
  // As the library for archives says it.
  if (error.message.includes('Unsafe filename')) return refused(error.message);
  if (error.name === 'NotReadableError' || error.name === 'NotFoundError' || error.name === 'NotAllowedError')
    return new AppError('backup-unread', error.message, options);
  if (error instanceof RangeError && /allocation|array length|out of memory/i.test(error.message))
    return new AppError('backup-too-large', error.message, options);
  return new AppError('backup-damaged', `${error.name}: ${error.message}`, options);
}

/** What the browser threw where a file was written. */
export function toWritingError(error: unknown): Error {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return new AppError('backup-unwritable', String(error));
  const code = error.name === 'QuotaExceededError' ? 'storage-full' : 'backup-unwritable';
  return new AppError(code, `${error.name}: ${error.message}`, { cause: error });
}
