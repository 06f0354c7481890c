import { AppError } from '../contracts/app-error';

/** Rejects with `part-missing` if the code of a dynamic `import()` cannot be loaded. */
export function loadCode<Code>(code: Promise<Code>): Promise<Code> {
  return code.catch((error: unknown) => {
    throw new AppError('part-missing', String(error), { cause: error });
  });
}
