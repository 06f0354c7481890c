/** The page's end of backups: a worker for each errand, ended after it, so that nothing holds up the page or stays open. */
import { proxy } from 'comlink';
import { AppError } from '../contracts/app-error';
import {
  type BackupPart,
  type BackupProgress,
  ExportOutcome,
  type ImportChoice,
  ImportPreview,
} from '../contracts/backup';
import { readError } from '../contracts/error-code';
import { z } from '../contracts/schema';
import { createWorkerClient } from '../platform/worker-client';

interface WriteOrder {
  parts: readonly BackupPart[];
  /** '' for none. */
  passphrase: string;
  /** Version of Hearth. */
  app: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** Missing: the file is given back. */
  handle?: FileSystemFileHandle;
}

interface ReadOrder {
  file: Blob;
  name: string;
  /** '' for none. */
  passphrase: string;
}

type Told = (progress: BackupProgress) => void;

/** All reject with an `AppError`, and with the reason of `signal`, which ends the worker: nothing has changed then. */
export interface RemoteBackup {
  write: (order: WriteOrder, onProgress: Told, signal: AbortSignal) => Promise<WrittenBackup>;
  stage: (order: ReadOrder, onProgress: Told, signal: AbortSignal) => Promise<ImportPreview>;
  staged: () => Promise<ImportPreview | undefined>;
  /** Cannot be stopped: it is one transaction. */
  apply: (choice: ImportChoice, onProgress: Told) => Promise<void>;
  drop: () => Promise<void>;
  /** How many rows a file has that is whole. */
  verify: (order: ReadOrder, onProgress: Told, signal: AbortSignal) => Promise<number>;
  /** Ends what is under way, and begins nothing more: an errand opens databases, and makes those that are not there. */
  end: () => void;
}

const Written = z.extend(ExportOutcome, { file: z.optional(z.instanceof(Blob)) });
type WrittenBackup = z.infer<typeof Written>;

const Failure = z.object({ failure: z.string() });

export function createRemoteBackup(startWorker: () => Worker): RemoteBackup {
  const life = new AbortController();
  async function ask<Schema extends z.ZodMiniType>(
    schema: Schema,
    call: (remote: BackupWorkerApi) => Promise<Answer>,
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
      const failed = Failure.safeParse(answered);
      if (failed.success) throw toError(failed.data.failure);
      return schema.parse((answered as { value?: unknown }).value);
    } finally {
      client.end(new DOMException('It has done its errand.', 'AbortError'));
    }
  }

  return {
    write: (order, onProgress, signal) =>
      ask(Written, (worker) => worker.write(order, proxy(onProgress)), signal),
    stage: (order, onProgress, signal) =>
      ask(ImportPreview, (worker) => worker.stage(order, proxy(onProgress)), signal),
    staged: () => ask(z.optional(ImportPreview), (worker) => worker.staged()),
    apply: (choice, onProgress) => ask(z.undefined(), (worker) => worker.apply(choice, proxy(onProgress))),
    drop: () => ask(z.undefined(), (worker) => worker.drop()),
    verify: (order, onProgress, signal) =>
      ask(z.number(), (worker) => worker.verify(order, proxy(onProgress)), signal),
    end: () => life.abort(new DOMException('Everything is being deleted.', 'AbortError')),
  };
}

function toError(failure: string): Error {
  const { code, detail } = readError(failure);
  return code ? new AppError(code, detail) : new Error(detail);
}

//# What the worker that writes and reads backups exposes. Comlink clones arguments but does not check them: `unknown` says so.

export type OnProgress = (progress: BackupProgress) => unknown;

/** Each answers with `{ value }`, or with a `failure` that `writeError` wrote: an error's code does not survive the border. */
export type Answer = { value: unknown } | { failure: string };

export interface BackupWorkerApi {
  /** An `ExportOutcome`, and the file as a `Blob` where no handle was given to write it to. */
  write(order: unknown, onProgress: OnProgress): Promise<Answer>;
  /** Reads a file as a whole and puts it down apart. An `ImportPreview`. */
  stage(order: unknown, onProgress: OnProgress): Promise<Answer>;
  /** What an earlier visit put down: an `ImportPreview`, or undefined. */
  staged(): Promise<Answer>;
  /** Takes over what was put down, and drops it. */
  apply(choice: unknown, onProgress: OnProgress): Promise<Answer>;
  drop(): Promise<Answer>;
  /** Reads a file as a whole, and keeps nothing of it: how many rows it has. */
  verify(order: unknown, onProgress: OnProgress): Promise<Answer>;
}
