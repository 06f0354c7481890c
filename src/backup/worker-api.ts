/** What the worker that writes and reads backups exposes. Comlink clones arguments but does not check them: `unknown` says so. */
import type { BackupProgress } from '../contracts/backup';

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
