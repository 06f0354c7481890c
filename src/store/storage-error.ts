import { Dexie } from 'dexie';
import { AppError } from '../contracts/app-error';

/** Names of errors that are our own bugs. We do not convert them. */
const bugErrorNames =
  `ConstraintError DataCloneError DataError InvalidArgumentError InvalidTableError NotFoundError
  ReadOnlyError SchemaError SubTransactionError`.split(/\s+/);

/** Runs a database operation. Converts errors to the `AppError` `storage-full` or `storage-unavailable`, except our own bugs. */
export async function runQuery<Value>(task: () => PromiseLike<Value>): Promise<Value> {
  try {
    return await task();
  } catch (error) {
    throw toAppError(error);
  }
}

/** Like `runQuery`, for a write whose result nobody needs. */
export async function runWrite(task: () => PromiseLike<unknown>): Promise<void> {
  await runQuery(task);
}

export function toAppError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (isQuotaError(error)) return new AppError('storage-full', error.message, { cause: error });
  const isStorage = error instanceof Dexie.DexieError || error instanceof DOMException;
  if (!isStorage || bugErrorNames.includes(error.name)) return error;
  return new AppError('storage-unavailable', `${error.name}: ${error.message}`, { cause: error });
}

/** Whether the disk is full. That aborts the transaction, so Dexie throws an AbortError that contains the reason. */
function isQuotaError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'QuotaExceededError' || ('inner' in error && isQuotaError(error.inner));
}
