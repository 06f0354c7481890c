/** Translates an engine's errors: llama.cpp writes them to its log, or crashes. */
import { AppError, writeError } from '../../contracts/app-error';
import { isOutOfMemory } from '../out-of-memory';

export function brokenDown(error: unknown): AppError {
  const detail = writeError(error);
  return new AppError(isOutOfMemory(detail) ? 'out-of-memory' : 'engine-crashed', detail, { cause: error });
}

/** The fault that the log of a load reports: no memory, or no model file. */
export function faultIn(complaints: readonly string[]): AppError | undefined {
  const shortage = complaints.find(isOutOfMemory);
  if (shortage !== undefined) return new AppError('out-of-memory', shortage);
  const complaint = complaints.find((line) =>
    /invalid magic|not within the file bounds|failed to load/i.test(line),
  );
  return complaint === undefined ? undefined : new AppError('model-damaged', complaint);
}
