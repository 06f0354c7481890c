import type { Remote } from 'comlink';
import { MissingPartError } from '../contracts/error-code';
import { createWorkerClient, reuseWorker } from '../platform/worker-client';

const createCrashError = (message: string) => (detail: string) =>
  detail === '' ? new MissingPartError() : new Error(message);

/** Makes one call in its own worker, so hostile data cannot affect the next call. `crashed`: error message if the worker crashes. */
export async function askOnce<Api, Value>(
  startWorker: () => Worker,
  call: (remote: Remote<Api>) => Promise<Value>,
  options: { signal: AbortSignal; limit: { ms: number; error: Error } },
  crashed: string,
): Promise<Value> {
  options.signal.throwIfAborted();
  const { ask, end } = createWorkerClient<Api>(startWorker(), createCrashError(crashed));
  return ask(call, options).finally(() => end(new Error('The worker has answered.')));
}

/**
 * Runs calls in a worker, one at a time. Terminates the worker when a call takes too long. Also terminates it after `idleMs` without calls,
 * because it costs megabytes in every tab. Timeouts are in milliseconds. `messages`: error messages for the model.
 */
export function createTimedWorker<Api extends { start: () => void }>(
  startWorker: () => Worker,
  limits: { startMs: number; answerMs: number; idleMs?: number },
  messages: { notStarted: string; tooSlow: string; crashed: string },
) {
  const worker = reuseWorker<Api>(startWorker, createCrashError(messages.crashed));
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
      const start = (remote: Remote<Api>) => (remote as unknown as Remote<{ start: () => void }>).start();
      await ask(start, within(limits.startMs, messages.notStarted));
      return await ask(call, within(limits.answerMs, messages.tooSlow));
    } catch (error) {
      // End the worker after an abort too: it may still be busy with work that nobody needs.
      end(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  }

  return {
    /** If the worker fails or is too slow, rejects with an error from `messages`. If `signal` aborts, rejects with its reason. */
    ask: <Value>(call: (remote: Remote<Api>) => Promise<Value>, signal: AbortSignal): Promise<Value> => {
      // Calls run one at a time, so ending the worker for one call never cancels another.
      calls += 1;
      clearTimeout(idle);
      const turn = last.then(() => {
        signal.throwIfAborted();
        return run(call, signal);
      });
      last = turn.finally(() => (calls -= 1)).then(endWhenIdle, () => undefined);
      return turn;
    },
    prepare: () => {
      try {
        endWhenIdle();
      } catch {
        // Ignore the error: the first call tries again and reports it.
      }
    },
  };
}
