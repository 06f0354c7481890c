/** Checks the worker that wllama starts for llama.cpp. Nobody reports its end, so the next call would wait forever. */
import { AppError } from '../../contracts/app-error';

/** Milliseconds. An idle worker answers at once, but a sleeping one, or one with little memory, takes longer. */
const answerMs = 10_000;

/**
 * Asks for a sign of life. Only call it when no earlier reply can be running, because it would wait for that. Rejects with an `AppError`
 * (`engine-crashed`).
 */
export async function findInnerWorker(wllama: { _getDebugInfo: () => Promise<unknown> }): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new AppError('engine-crashed', 'The worker that wllama started is gone.'));
    }, answerMs);
  });
  // Any answer is a sign of life, even an error.
  const answered = wllama._getDebugInfo().then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([answered, silence]).finally(() => clearTimeout(timer));
}
