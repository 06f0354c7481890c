/** Turns IndexedDB errors into errors for the user. */
import { Dexie } from 'dexie';
import { AppError } from '../contracts/app-error';

/** Errors that are our bugs. They are not converted. */
const bugNames = new Set([
  'ConstraintError',
  'DataCloneError',
  'DataError',
  'InvalidArgumentError',
  'InvalidTableError',
  'NotFoundError',
  'ReadOnlyError',
  'SchemaError',
  'SubTransactionError',
]);

/** Runs a database operation. Rejects with an `AppError`: `storage-full` or `storage-unavailable`. Our own bugs pass unchanged. */
export async function attempt<Value>(task: () => PromiseLike<Value>): Promise<Value> {
  try {
    return await task();
  } catch (error) {
    throw toAppError(error);
  }
}

export function toAppError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (isQuota(error)) return new AppError('storage-full', error.message, { cause: error });
  const isStorage = error instanceof Dexie.DexieError || error instanceof DOMException;
  if (!isStorage || bugNames.has(error.name)) return error;
  return new AppError('storage-unavailable', `${error.name}: ${error.message}`, { cause: error });
}

/** A full disk aborts the transaction, so Dexie throws an AbortError with the reason inside. */
function isQuota(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'QuotaExceededError' || ('inner' in error && isQuota(error.inner));
}
