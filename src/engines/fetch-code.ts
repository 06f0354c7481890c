import { AppError, writeError } from '../contracts/app-error';

/** Settles as the import of an engine's code does. Rejects with `AppError` 'model-unreachable' offline, where it was never fetched before. */
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
