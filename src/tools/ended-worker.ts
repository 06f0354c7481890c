/** A worker that answers one call after another, and is ended by the one that takes too long, or when none has come for a while. */
import type { Remote } from 'comlink';
import { NotLoaded } from '../contracts/error-code';
import { keepWorker } from '../platform/worker-client';

/** Milliseconds: until the worker's code has loaded, for one answer, and without a call, as each worker takes megabytes in each tab. */
export interface WorkerLimits {
  startMs: number;
  answerMs: number;
  idleMs?: number;
}

/** What an error says in each case; a sentence for the model. */
interface Sayings {
  notStarted: string;
  tooSlow: string;
  crashed: string;
}

/** Answers as soon as the worker's code has loaded. */
interface Startable {
  start: () => void;
}

export interface EndedWorker<Api> {
  /** Rejects with what is said of the case, or with the reason of the signal. */
  ask: <Value>(call: (remote: Remote<Api>) => Promise<Value>, signal: AbortSignal) => Promise<Value>;
  /** Starts the worker ahead of the first call, which then need not wait for it. */
  prepare: () => void;
}

/** `startWorker` is called when first needed, and again after a call that had to be ended. */
export function createEndedWorker<Api extends Startable>(
  startWorker: () => Worker,
  limits: WorkerLimits,
  sayings: Sayings,
): EndedWorker<Api> {
  const worker = keepWorker<Api>(startWorker, (detail) =>
    detail === '' ? new NotLoaded() : new Error(sayings.crashed),
  );
  let last: Promise<unknown> = Promise.resolve();
  let calls = 0;
  let idle: ReturnType<typeof setTimeout> | undefined;

  /** Unless a call is under way or comes. */
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
    const within = (ms: number, said: string) => ({ signal, limit: { ms, error: new Error(said) } });
    try {
      const start = (remote: Remote<Api>) => (remote as unknown as Remote<Startable>).start();
      await ask(start, within(limits.startMs, sayings.notStarted));
      return await ask(call, within(limits.answerMs, sayings.tooSlow));
    } catch (error) {
      // Also after Stop: it may be at work on what nobody waits for.
      end(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  }

  return {
    ask(call, signal) {
      // One after another: a call that has to be ended takes no other with it.
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
    prepare() {
      try {
        endWhenIdle();
      } catch {
        // The first call tries it again, and says so.
      }
    },
  };
}
