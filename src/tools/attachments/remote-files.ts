/** Page side of the worker that reads files. Each file has its own worker, so a hostile file cannot affect the next. */
import { MissingPartError } from '../../contracts/error-code';
import { createWorkerClient } from '../../platform/worker-client';
import type { TableAnswer } from './ask-table';
import type { ReadOutcome } from './read-file';
import type { TableQuery } from './table-query';

/** The worker's interface. Parameters are `unknown` because Comlink clones arguments without checking them. */
export interface FilesWorkerApi {
  read: (bytes: unknown, name: unknown) => Promise<ReadOutcome>;
  ask: (text: unknown, kind: unknown, query: unknown) => Promise<TableAnswer>;
}

export type FilesWorker = ReturnType<typeof createFilesWorker>;

/** Timeouts in milliseconds, including the start of the worker. A PDF of 1,000 pages takes 10 s on a phone. */
const defaultTimeouts = { read: 60_000, ask: 20_000 };

export function createFilesWorker(startWorker: () => Worker, limits = defaultTimeouts) {
  const crashed = (detail: string) =>
    detail === '' ? new MissingPartError() : new Error('This file could not be read.');
  const tooSlow = () => new TooSlow('It took too long to look through this file.');
  const inWorker = async <Value>(
    work: (client: ReturnType<typeof createWorkerClient<FilesWorkerApi>>) => Promise<Value>,
  ): Promise<Value> => {
    const client = createWorkerClient<FilesWorkerApi>(startWorker(), crashed);
    return work(client).finally(() => client.end(new Error('The file was read.')));
  };
  return {
    /** Rejects only with the signal's reason. A crash or timeout counts as an unreadable file. */
    read: async (bytes: Uint8Array<ArrayBuffer>, name: string, signal: AbortSignal): Promise<ReadOutcome> => {
      signal.throwIfAborted();
      const limit = { ms: limits.read, error: tooSlow() };
      try {
        return await inWorker(({ ask }) =>
          ask<ReadOutcome>(async (remote) => remote.read(bytes, name), { signal, limit }),
        );
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof MissingPartError) return { trouble: 'missing' };
        return { trouble: error instanceof TooSlow ? 'slow' : 'damaged' };
      }
    },
    ask: async (
      { text, kind }: { text: string; kind: 'table' | 'json' },
      query: TableQuery,
      signal: AbortSignal,
    ): Promise<TableAnswer> => {
      signal.throwIfAborted();
      const limit = { ms: limits.ask, error: tooSlow() };
      return inWorker(({ ask }) =>
        ask<TableAnswer>(async (remote) => remote.ask(text, kind, query), { signal, limit }),
      );
    },
  };
}

class TooSlow extends Error {}
