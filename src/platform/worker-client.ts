/** Calls a worker from the page. Pending calls reject when the worker crashes or stops. */
import { releaseProxy, type Remote, wrap } from 'comlink';
import { untilAborted } from '../contracts/until-aborted';

/** `detail` is '' if the worker's code failed to load. */
type CreateCrashError = (detail: string) => Error;

interface WorkerCallOptions {
  /** When it aborts, the call rejects, but the worker continues. */
  signal?: AbortSignal;
  /** After `ms` milliseconds, the worker ends with `error`. */
  limit?: { ms: number; error: Error };
}

export type WorkerClient<Api> = ReturnType<typeof createWorkerClient<Api>>;

export function createWorkerClient<Api>(worker: Worker, crashed: CreateCrashError) {
  const remote = wrap<Api>(worker);
  const life = new AbortController();
  const { signal: ended } = life;
  const end = (reason: Error): void => {
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
    /** Only for calls whose result nobody awaits: such a call never settles if the worker ends. */
    remote,
    ended,
    end,
    /** Resolves to the call's result. Rejects with the signal's reason, or with the reason why the worker ended. */
    ask: async <Value>(call: (remote: Remote<Api>) => Promise<Value>, options: WorkerCallOptions = {}) => {
      const { signal, limit } = options;
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

/** The returned function starts a worker on its first call, and again after the worker has ended. */
export function reuseWorker<Api>(startWorker: () => Worker, crashed: CreateCrashError) {
  let client: WorkerClient<Api> | undefined;
  return () => {
    if (!client || client.ended.aborted) client = createWorkerClient(startWorker(), crashed);
    return client;
  };
}
