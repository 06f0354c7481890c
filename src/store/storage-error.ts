/** Turns what IndexedDB throws into what a person can be told. */
import { Dexie } from 'dexie';
import { AppError } from '../contracts/app-error';

/** Ours, not the storage's: they go to the handler of bugs as they are. */
const bugs = new Set([
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

/** Runs a transaction. Rejects with an `AppError`: `storage-full` or `storage-unavailable`; bugs pass as they are. */
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
  if (!isStorage || bugs.has(error.name)) return error;
  return new AppError('storage-unavailable', `${error.name}: ${error.message}`, { cause: error });
}

/** A full disk ends the transaction, so what Dexie throws is an AbortError; the reason is inside it. */
function isQuota(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'QuotaExceededError' || ('inner' in error && isQuota(error.inner));
}
