/** Page side of the worker that reads files. Each file has its own worker, so a hostile file cannot affect the next. */
import type { Remote } from 'comlink';
import { MissingPartError } from '../../contracts/error-code';
import { askOnce } from '../timed-worker';
import type { TableAnswer } from './ask-table';
import type { FileReadOutcome } from './read-file';
import type { serveFiles } from './serve-files';
import type { TableQuery } from './table-query';

export type FilesWorker = ReturnType<typeof createFilesWorker>;

/** Timeouts in milliseconds, including the start of the worker. A PDF of 1,000 pages takes 10 s on a phone. */
const defaultTimeoutsMs = { read: 60_000, ask: 20_000, readQuestion: 5000 };

export function createFilesWorker(startWorker: () => Worker, limits = defaultTimeoutsMs) {
  const askWorker = <Value>(
    call: (remote: Remote<ReturnType<typeof serveFiles>>) => Promise<Value>,
    ms: number,
    signal: AbortSignal,
  ): Promise<Value> => {
    const error = new FileTimeoutError('It took too long to look through this file.');
    return askOnce(startWorker, call, { signal, limit: { ms, error } }, 'This file could not be read.');
  };
  return {
    /** Rejects only with the signal's reason. A crash or timeout counts as an unreadable file. */
    async read(bytes: Uint8Array<ArrayBuffer>, name: string, signal: AbortSignal): Promise<FileReadOutcome> {
      try {
        return await askWorker<FileReadOutcome>((remote) => remote.read(bytes, name), limits.read, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof MissingPartError) return { trouble: 'missing' };
        return { trouble: error instanceof FileTimeoutError ? 'slow' : 'damaged' };
      }
    },
    ask: ({ text, kind }: { text: string; kind: 'table' | 'json' }, query: TableQuery, signal: AbortSignal) =>
      askWorker<TableAnswer>((remote) => remote.ask(text, kind, query), limits.ask, signal),
    readQuestion: (
      { text, kind }: { text: string; kind: 'table' | 'json' },
      { question, title }: { question: string; title: string },
      signal: AbortSignal,
    ) =>
      askWorker<TableQuery | undefined>(
        (remote) => remote.readQuestion(text, kind, question, title),
        limits.readQuestion,
        signal,
      ),
  };
}

class FileTimeoutError extends Error {}
