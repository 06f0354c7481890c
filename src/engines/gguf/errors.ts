/** What an engine's errors mean: llama.cpp says them in its log, or dies of them. */
import { AppError, writeError } from '../../contracts/app-error';
import { isOutOfMemory } from '../out-of-memory';

/** An error after which only a new worker helps. */
export function brokenDown(error: unknown): AppError {
  const detail = writeError(error);
  return new AppError(isOutOfMemory(detail) ? 'out-of-memory' : 'engine-crashed', detail, { cause: error });
}

/** What the log of a load complains of: no memory, or a file that is no model. */
export function faultIn(complaints: readonly string[]): AppError | undefined {
  const shortage = complaints.find(isOutOfMemory);
  if (shortage !== undefined) return new AppError('out-of-memory', shortage);
  const complaint = complaints.find((line) =>
    /invalid magic|not within the file bounds|failed to load/i.test(line),
  );
  return complaint === undefined ? undefined : new AppError('model-damaged', complaint);
}
