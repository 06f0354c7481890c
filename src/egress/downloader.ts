import { proxy } from 'comlink';
import { AppError } from '../contracts/app-error';
import {
  DownloadEvent,
  type DownloadFile,
  type DownloadJob,
  DownloadOutcome,
  type RequestRecord,
} from '../contracts/egress';
import { reuseWorker } from '../platform/worker-client';
import type { EgressWorkerApi } from './outcome';

export type Downloader = ReturnType<typeof createDownloader>;

const pausedOutcome: DownloadOutcome = { ok: false, failure: 'paused', detail: 'Paused.' };

export function createDownloader(parts: {
  /** Downloads have their own worker, so a tool request that hangs cannot end them. */
  startWorker: () => Worker;
  record: (record: RequestRecord) => void;
  newId: () => string;
}) {
  const { startWorker, record, newId } = parts;
  const createCrashError = () => new Error('The worker that downloads broke down.');
  const worker = reuseWorker<EgressWorkerApi>(startWorker, createCrashError);
  const life = new AbortController();
  const isEnded = () => life.signal.aborted;
  return {
    end: () => life.abort(),
    /** Stores a file from this device's disk. Rejects with an `AppError`, `storage-full` if there is no room. */
    async storeFile(file: Pick<DownloadFile, 'place' | 'url'>, content: Blob): Promise<void> {
      const outcome = DownloadOutcome.parse(
        await worker().ask<unknown>((remote) => remote.storeFile(file, content)),
      );
      if (outcome.ok) return;
      throw new AppError(outcome.failure === 'full' ? 'storage-full' : 'storage-unavailable', outcome.detail);
    },
    /** Keeps all received data, even after a failure. Aborting `signal` pauses the download. */
    async download(
      job: DownloadJob,
      signal: AbortSignal,
      onProgress: (progress: Extract<DownloadEvent, { type: 'progress' }>) => void,
    ): Promise<DownloadOutcome> {
      // The worker cannot stop a download that it has not started yet.
      if (signal.aborted || isEnded()) return pausedOutcome;
      const { ask, remote, end } = worker();
      const id = newId();
      const over = new AbortController();
      const take = (untrusted: unknown) => {
        const event = DownloadEvent.parse(untrusted);
        // Events use their own port, so the result may arrive before the last events.
        if (event.type === 'request') record(requestRecordOf(event, newId()));
        else if (!over.signal.aborted) onProgress(event);
      };
      // The worker confirms once it has stopped and saved its data.
      signal.addEventListener('abort', () => void remote.stop(id), { signal: over.signal });
      const endWorker = () => end(new Error('Everything is about to be deleted.'));
      life.signal.addEventListener('abort', endWorker, { signal: over.signal });
      try {
        return DownloadOutcome.parse(await ask<unknown>(() => remote.download(id, job, proxy(take))));
      } catch (error) {
        if (isEnded()) return pausedOutcome;
        return { ok: false, failure: 'unreachable', detail: String(error) };
      } finally {
        over.abort();
      }
    },
  };
}

function requestRecordOf(event: Extract<DownloadEvent, { type: 'request' }>, id: string): RequestRecord {
  const { type: _, status = 'unreachable', ...facts } = event;
  return { id, tool: 'models', method: 'GET', ...facts, outcome: status };
}
