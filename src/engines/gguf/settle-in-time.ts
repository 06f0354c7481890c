/** For the start of an engine: some of its failures never settle. */
import { AppError } from '../../contracts/app-error';

const startMs = 60_000;

/** As `starting` settles, or rejects with `AppError` 'engine-timeout', or as `signal` says. */
export function settleInTime(starting: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new AppError('engine-timeout', `The engine did not start within ${startMs / 1000} s.`)),
      startMs,
    );
    const stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    void starting.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    });
  });
}
