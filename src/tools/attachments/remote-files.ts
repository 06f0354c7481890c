/** The page's end of the worker that reads files: a worker a file, so that what one does to it the next never meets. */
import { NotLoaded } from '../../contracts/error-code';
import { createWorkerClient } from '../../platform/worker-client';
import type { TableAnswer, TableQuery } from './ask-table';
import type { ReadOutcome } from './read-file';

/** What the worker exposes. Comlink clones arguments but does not check them: `unknown` says so. */
export interface FilesWorkerApi {
  read: (bytes: unknown, name: unknown) => Promise<ReadOutcome>;
  ask: (text: unknown, kind: unknown, query: unknown) => Promise<TableAnswer>;
}

export interface FilesWorker {
  /** Never rejects but with the reason of the signal: what breaks or hangs is a file that cannot be read. */
  read: (bytes: Uint8Array<ArrayBuffer>, name: string, signal: AbortSignal) => Promise<ReadOutcome>;
  /** Rejects with a sentence for the model, or with the signal's reason. */
  ask: (
    table: { text: string; kind: 'table' | 'json' },
    query: TableQuery,
    signal: AbortSignal,
  ) => Promise<TableAnswer>;
}

/** Milliseconds, the start of the worker included: a PDF of a thousand pages takes ten seconds on a phone. */
const defaultLimits = { read: 60_000, ask: 20_000 };

export function createFilesWorker(startWorker: () => Worker, limits = defaultLimits): FilesWorker {
  const crashed = (detail: string) =>
    detail === '' ? new NotLoaded() : new Error('This file could not be read.');
  const tooSlow = () => new TooSlow('It took too long to look through this file.');
  const inWorker = async <Value>(
    work: (client: ReturnType<typeof createWorkerClient<FilesWorkerApi>>) => Promise<Value>,
  ): Promise<Value> => {
    const client = createWorkerClient<FilesWorkerApi>(startWorker(), crashed);
    return work(client).finally(() => client.end(new Error('The file was read.')));
  };
  return {
    async read(bytes, name, signal) {
      signal.throwIfAborted();
      const limit = { ms: limits.read, error: tooSlow() };
      try {
        return await inWorker(({ ask }) =>
          ask<ReadOutcome>(async (remote) => remote.read(bytes, name), { signal, limit }),
        );
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof NotLoaded) return { trouble: 'missing' };
        return { trouble: error instanceof TooSlow ? 'slow' : 'damaged' };
      }
    },
    async ask({ text, kind }, query, signal) {
      signal.throwIfAborted();
      const limit = { ms: limits.ask, error: tooSlow() };
      return inWorker(({ ask }) =>
        ask<TableAnswer>(async (remote) => remote.ask(text, kind, query), { signal, limit }),
      );
    },
  };
}

class TooSlow extends Error {}
