/** The page's end of any worker. Calls end when the worker does: crashes and Stop behave the same everywhere. */
import { releaseProxy, type Remote, wrap } from 'comlink';
import { untilAborted } from '../contracts/until-aborted';

/** Makes the error for a crashed worker. `detail` is '' if its code could not be loaded. */
type Crashed = (detail: string) => Error;

interface AskOptions {
  /** The call rejects when it aborts, but the worker continues. */
  signal?: AbortSignal;
  /** Timeout in milliseconds, after which the worker is ended with `error`. */
  limit?: { ms: number; error: Error };
}

export interface WorkerClient<Api> {
  /** For calls whose answer nobody awaits. */
  readonly remote: Remote<Api>;
  readonly ended: AbortSignal;
  /** Resolves to the answer. Rejects with the signal's reason, or with the reason why the worker ended. */
  ask: <Value>(call: (remote: Remote<Api>) => Promise<Value>, options?: AskOptions) => Promise<Value>;
  /** Ends the worker. Pending calls reject with `reason`. */
  end: (reason: Error) => void;
}

export function createWorkerClient<Api>(worker: Worker, crashed: Crashed): WorkerClient<Api> {
  const remote = wrap<Api>(worker);
  const life = new AbortController();
  const { signal: ended } = life;
  const end = (reason: Error) => {
    if (ended.aborted) return;
    life.abort(reason);
    remote[releaseProxy]();
    worker.terminate();
  };
  const onCrash = (event: Event) =>
    end(crashed('message' in event && typeof event.message === 'string' ? event.message : ''));
  worker.addEventListener('error', onCrash);
  worker.addEventListener('messageerror', () => end(crashed('It sent what cannot be read.')));

  return {
    remote,
    ended,
    end,
    async ask(call, { signal, limit } = {}) {
      const stop = signal ? AbortSignal.any([signal, ended]) : ended;
      stop.throwIfAborted();
      const timer = limit && setTimeout(() => end(limit.error), limit.ms);
      try {
        return await untilAborted(call(remote), stop);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Returns the running worker. Starts one on first use, and another after the last one ended. */
export function keepWorker<Api>(startWorker: () => Worker, crashed: Crashed): () => WorkerClient<Api> {
  let client: WorkerClient<Api> | undefined;
  return () => {
    if (!client || client.ended.aborted) client = createWorkerClient(startWorker(), crashed);
    return client;
  };
}
