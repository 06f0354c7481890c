/** A worker that answers one call after another, and is ended by the one that takes too long. */
import { releaseProxy, type Remote, wrap } from 'comlink';

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
  let running: { worker: Worker; remote: Remote<Api> } | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const start = () => {
    const worker = startWorker();
    return { worker, remote: wrap<Api>(worker) };
  };
  const end = () => {
    running?.remote[releaseProxy]();
    running?.worker.terminate();
    running = undefined;
  };

  async function run<Value>(
    call: (remote: Remote<Api>) => Promise<Value>,
    signal: AbortSignal,
  ): Promise<Value> {
    const { worker, remote } = (running ??= start());
    const within = <Part>(work: Promise<Part>, ms: number, tooSlow: string) =>
      orEnded(work, { worker, signal, ms, tooSlow, crashed: sayings.crashed });
    try {
      const startable = remote as unknown as Remote<Startable>;
      await within(startable.start(), limits.startMs, sayings.notStarted);
      return await within(call(remote), limits.answerMs, sayings.tooSlow);
    } catch (error) {
      end();
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
        running ??= start();
      } catch {
        // The first call tries it again, and says so.
      }
    },
  };
}

interface Ending {
  worker: Worker;
  signal: AbortSignal;
  ms: number;
  tooSlow: string;
  crashed: string;
}

/** The work's value, unless the signal, the time or the worker's life ends first. */
function orEnded<Value>(
  work: Promise<Value>,
  { worker, signal, ms, tooSlow, crashed }: Ending,
): Promise<Value> {
  const over = new AbortController();
  return new Promise<Value>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(tooSlow)), ms);
    over.signal.addEventListener('abort', () => clearTimeout(timer));
    signal.addEventListener('abort', () => reject(signal.reason as Error), { signal: over.signal });
    worker.addEventListener('error', () => reject(new Error(crashed)), { signal: over.signal });
    work.then(resolve, reject);
  }).finally(() => over.abort());
}
