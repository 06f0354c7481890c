/** A worker that answers one call after another, and is ended by the one that takes too long. */
import type { Remote } from 'comlink';
import { keepWorker } from '../platform/worker-client';

/** Milliseconds: until the worker's code has loaded, and for one answer. */
export interface WorkerLimits {
  startMs: number;
  answerMs: number;
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
  const worker = keepWorker<Api>(startWorker, () => new Error(sayings.crashed));
  let last: Promise<unknown> = Promise.resolve();

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
      const turn = last.then(() => {
        signal.throwIfAborted();
        return run(call, signal);
      });
      last = turn.catch(() => undefined);
      return turn;
    },
    prepare() {
      try {
        worker();
      } catch {
        // The first call tries it again, and says so.
      }
    },
  };
}
