/** The page's end of an embedding model in its own worker. The worker starts when texts arrive and ends when it is idle. */
import { AppError } from '../../contracts/app-error';
import type { ModelSpec } from '../../contracts/model';
import { z } from '../../contracts/schema';
import type { Embed } from '../../contracts/tool';
import { untilAborted } from '../../contracts/until-aborted';
import { createWorkerClient, type WorkerClient } from '../../platform/worker-client';
import { readFault } from '../engine';

/** The worker's API. Comlink clones arguments without checking them, hence `unknown`. */
export interface EmbedderWorkerApi {
  /** Resolves to the failure as `writeError` writes it: Comlink drops an error's code. */
  openEmbedder(model: unknown): Promise<string | undefined>;
  /** Resolves to `vectors`, or to a `failure` that `writeError` wrote. */
  embed(texts: unknown): Promise<unknown>;
}

const Answer = z.union([
  z.object({ vectors: z.array(z.instanceof(Float32Array)) }),
  z.object({ failure: z.string() }),
]);

export interface Embedder {
  embed: Embed;
  /** Ends the worker. Pending calls reject, and the next texts start another. */
  end: () => void;
}

interface EmbedderOptions {
  startWorker: () => Worker;
  /** Rejects with an `AppError` if the model is not on this device. */
  findModel: () => Promise<ModelSpec>;
  idleMs?: number;
}

/** Milliseconds for a large file on a slow disk, and for a few texts on a slow processor. */
const [loadMs, embedMs] = [180_000, 300_000];

export function createRemoteEmbedder({ startWorker, findModel, idleMs = 60_000 }: EmbedderOptions): Embedder {
  let current: { client: WorkerClient<EmbedderWorkerApi>; opening: Promise<void> } | undefined;
  let waiting = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function end(): void {
    clearTimeout(timer);
    current?.client.end(new AppError('load-cancelled', 'It is not needed any more.'));
    current = undefined;
  }

  function open() {
    if (current && !current.client.ended.aborted) return current;
    const crashed = (detail: string) =>
      new AppError('engine-crashed', detail || 'The embedding worker crashed.');
    const client = createWorkerClient<EmbedderWorkerApi>(startWorker(), crashed);
    const opening = findModel().then(async (model) => {
      const failure = await client.ask((remote) => remote.openEmbedder(model), { limit: limit(loadMs) });
      if (failure !== undefined) throw readFault(failure);
    });
    opening.catch(() => undefined);
    current = { client, opening };
    return current;
  }

  return {
    end,
    async embed(texts, signal) {
      signal.throwIfAborted();
      clearTimeout(timer);
      waiting += 1;
      try {
        const { client, opening } = open();
        await untilAborted(opening, signal);
        const asked = await client.ask((remote) => remote.embed(texts), { signal, limit: limit(embedMs) });
        const answer = Answer.parse(asked);
        if ('failure' in answer) throw readFault(answer.failure);
        return answer.vectors;
      } finally {
        waiting -= 1;
        if (waiting === 0) timer = setTimeout(end, idleMs);
      }
    },
  };
}

function limit(ms: number) {
  return { ms, error: new AppError('engine-timeout', `No vectors within ${ms / 1000} s.`) };
}
