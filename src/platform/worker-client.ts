/**
 * The page's end of a worker: calls that end when the worker does. The one for all workers, so that a crash, a silence and
 * Stop mean the same everywhere.
 */
import { releaseProxy, type Remote, wrap } from 'comlink';
import { untilAborted } from '../contracts/until-aborted';

/** Makes the error for a worker that broke down; `detail` is what the browser says of it, '' where its code could not be loaded. */
type Crashed = (detail: string) => Error;

interface AskOptions {
  /** Rejects with its reason as soon as it aborts. The worker goes on. */
  signal?: AbortSignal;
  /** Milliseconds for the answer; after them the worker is ended, with `error` as the reason. */
  limit?: { ms: number; error: Error };
}

/** One life of a worker. */
export interface WorkerClient<Api> {
  /** For a call whose answer nobody waits for. */
  readonly remote: Remote<Api>;
  /** Aborts when the worker breaks down or is ended, with the reason. */
  readonly ended: AbortSignal;
  /** Resolves to the answer. Rejects with the reason of the signal, or with the reason for which the worker ended. */
  ask: <Value>(call: (remote: Remote<Api>) => Promise<Value>, options?: AskOptions) => Promise<Value>;
  /** Ends the worker; whatever waits for it rejects with `reason`. Does nothing the second time. */
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
  // A dead worker answers nothing any more: without this, every wait on it would last for ever.
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

/** The worker that is there: started when it is first needed, and another after one that ended. */
export function keepWorker<Api>(startWorker: () => Worker, crashed: Crashed): () => WorkerClient<Api> {
  let client: WorkerClient<Api> | undefined;
  return () => {
    if (!client || client.ended.aborted) client = createWorkerClient(startWorker(), crashed);
    return client;
  };
}
