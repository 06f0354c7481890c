import { AppError, writeError } from '../contracts/app-error';

/**
 * Settles like the import of an engine's code. Rejects with an `AppError` (`model-unreachable`) if the code was never fetched and the
 * device is offline.
 */
export async function fetchCode<Code>(engine: string, code: Promise<Code>): Promise<Code> {
  try {
    return await code;
  } catch (error) {
    throw new AppError(
      'model-unreachable',
      `The engine "${engine}" could not be fetched: ${writeError(error)}`,
      { cause: error },
    );
  }
}
