/** llama.cpp runs in a worker that wllama starts. Nobody is told when that one is gone: the next call would wait for ever. */
import { AppError } from '../../contracts/app-error';

/** Milliseconds. One that has nothing to do answers in a few; one that was asleep, or has little memory, takes longer. */
const answerMs = 10_000;

/**
 * Asks for a sign of life. Only where nothing of an earlier reply can be under way: it would be waited for.
 * Rejects with `AppError` 'engine-crashed'.
 */
export async function findInnerWorker(wllama: { _getDebugInfo: () => Promise<unknown> }): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new AppError('engine-crashed', 'The worker that wllama started is gone.'));
    }, answerMs);
  });
  // Whatever it answers is a sign of life.
  const answered = wllama._getDebugInfo().then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([answered, silence]).finally(() => clearTimeout(timer));
}
