/** For the start of an engine: some of its failures never settle. */
import { AppError } from '../../contracts/app-error';

const startMs = 60_000;

/** Settles as `starting` does. Rejects with `AppError` 'engine-timeout' where that takes too long, and with the signal's reason when it aborts. */
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
