/** A timeout for the start of an engine, because some failures never settle. */
import { AppError } from '../../contracts/app-error';

const startMs = 60_000;

/** The clock of a start. Time spent on the network does not count. */
export interface StartClock {
  stop: () => void;
  run: () => void;
}

/** Settles like `start`. Rejects with an `AppError` (`engine-timeout`) if it takes too long, and with the reason of `signal`. */
export function settleInTime<T>(start: (clock: StartClock) => Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = () => clearTimeout(timer);
    let isOver = false;
    const run = () => {
      stop();
      if (isOver) return;
      timer = setTimeout(
        () => reject(new AppError('engine-timeout', `The engine did not start within ${startMs / 1000} s.`)),
        startMs,
      );
    };
    const leave = () => reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
    run();
    void start({ stop, run })
      .then(resolve, reject)
      .finally(() => {
        isOver = true;
        stop();
        signal.removeEventListener('abort', leave);
      });
  });
}
