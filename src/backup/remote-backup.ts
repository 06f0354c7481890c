/** The page's side of backups. Each task runs in its own worker, which ends with the task. */
import { proxy } from 'comlink';
import { AppError } from '../contracts/app-error';
import { ExportOutcome, type ImportChoice, ImportPreview } from '../contracts/backup';
import { readError } from '../contracts/error-code';
import { z } from '../contracts/schema';
import { createWorkerClient } from '../platform/worker-client';
import type { WorkerAnswer, BackupWorkerApi, OnProgress, ReadRequest, WriteRequest } from './serve-backup';

export type RemoteBackup = ReturnType<typeof createRemoteBackup>;

const WrittenBackup = z.extend(ExportOutcome, { file: z.optional(z.instanceof(Blob)) });

const FailureAnswer = z.object({ failure: z.string() });

/** On failure, every method rejects with an `AppError` or the signal's reason and changes nothing. */
export function createRemoteBackup(startWorker: () => Worker) {
  const life = new AbortController();
  async function ask<Schema extends z.ZodMiniType>(
    schema: Schema,
    call: (remote: BackupWorkerApi) => Promise<WorkerAnswer>,
    stop?: AbortSignal,
  ): Promise<z.infer<Schema>> {
    const signal = stop ? AbortSignal.any([stop, life.signal]) : life.signal;
    signal.throwIfAborted();
    const crashed = (detail: string) =>
      new AppError(detail === '' ? 'part-missing' : 'backup-broken', detail);
    const client = createWorkerClient<BackupWorkerApi>(startWorker(), crashed);
    try {
      const answered: unknown = await client.ask((remote) => call(remote as unknown as BackupWorkerApi), {
        signal,
      });
      const failed = FailureAnswer.safeParse(answered);
      if (failed.success) throw toError(failed.data.failure);
      return schema.parse((answered as { value?: unknown }).value);
    } finally {
      client.end(new DOMException('It has done its errand.', 'AbortError'));
    }
  }

  return {
    write: (order: WriteRequest, onProgress: OnProgress, signal: AbortSignal) =>
      ask(WrittenBackup, (worker) => worker.write(order, proxy(onProgress)), signal),
    stage: (order: ReadRequest, onProgress: OnProgress, signal: AbortSignal) =>
      ask(ImportPreview, (worker) => worker.stage(order, proxy(onProgress)), signal),
    staged: () => ask(z.optional(ImportPreview), (worker) => worker.staged()),
    /** Imports the staged data in one transaction. The user cannot cancel it. */
    apply: (choice: ImportChoice, onProgress: OnProgress) =>
      ask(z.undefined(), (worker) => worker.apply(choice, proxy(onProgress))),
    drop: () => ask(z.undefined(), (worker) => worker.drop()),
    verify: (order: ReadRequest, onProgress: OnProgress, signal: AbortSignal) =>
      ask(z.number(), (worker) => worker.verify(order, proxy(onProgress)), signal),
    /** Ends all tasks for good before a deletion of all data. A later task would recreate the databases. */
    end: () => life.abort(new DOMException('Everything is being deleted.', 'AbortError')),
  };
}

function toError(failure: string): Error {
  const { code, detail } = readError(failure);
  return code ? new AppError(code, detail) : new Error(detail);
}
