/** Runs calls in a worker, one at a time. Terminates the worker after a slow call, or when it has been idle. */
import type { Remote } from 'comlink';
import { MissingPartError } from '../contracts/error-code';
import { reuseWorker } from '../platform/worker-client';

/** Timeouts in milliseconds. An idle worker is terminated after `idleMs`, because it costs megabytes in every tab. */
interface WorkerLimits {
  startMs: number;
  answerMs: number;
  idleMs?: number;
}

/** Error messages for the model. */
interface WorkerMessages {
  notStarted: string;
  tooSlow: string;
  crashed: string;
}

interface Startable {
  start: () => void;
}

export function createTimedWorker<Api extends Startable>(
  startWorker: () => Worker,
  limits: WorkerLimits,
  messages: WorkerMessages,
) {
  const worker = reuseWorker<Api>(startWorker, (detail) =>
    detail === '' ? new MissingPartError() : new Error(messages.crashed),
  );
  let last: Promise<unknown> = Promise.resolve();
  let calls = 0;
  let idle: ReturnType<typeof setTimeout> | undefined;

  function endWhenIdle(): void {
    clearTimeout(idle);
    if (calls > 0) return;
    const { end } = worker();
    idle = setTimeout(() => end(new Error('It was not needed any more.')), limits.idleMs ?? 10_000);
  }

  async function run<Value>(
    call: (remote: Remote<Api>) => Promise<Value>,
    signal: AbortSignal,
  ): Promise<Value> {
    const { ask, end } = worker();
    const within = (ms: number, message: string) => ({ signal, limit: { ms, error: new Error(message) } });
    try {
      const start = (remote: Remote<Api>) => (remote as unknown as Remote<Startable>).start();
      await ask(start, within(limits.startMs, messages.notStarted));
      return await ask(call, within(limits.answerMs, messages.tooSlow));
    } catch (error) {
      // After an abort too: the worker may still be busy with work that nobody needs.
      end(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  }

  return {
    /** Rejects with one of the `WorkerMessages`, or with the signal's reason. */
    ask: <Value>(call: (remote: Remote<Api>) => Promise<Value>, signal: AbortSignal): Promise<Value> => {
      // Calls run one at a time, so terminating the worker for one call never cancels another.
      calls += 1;
      clearTimeout(idle);
      const turn = last.then(() => {
        signal.throwIfAborted();
        return run(call, signal);
      });
      last = turn
        .then(
          () => true,
          () => false,
        )
        .then((isAlive) => {
          calls -= 1;
          if (isAlive) endWhenIdle();
        });
      return turn;
    },
    /** Starts the worker before the first call. */
    prepare: () => {
      try {
        endWhenIdle();
      } catch {
        // Ignore the error: the first call tries again and reports it.
      }
    },
  };
}
