/** The page's end of the worker that downloads models: one job at a time for each model, all requests written down. */
import { proxy, releaseProxy, type Remote, wrap } from 'comlink';
import { DownloadEvent, type DownloadJob, DownloadOutcome } from '../contracts/download';
import type { RequestRecord } from '../contracts/egress';
import type { EgressWorkerApi } from './outcome';

export interface DownloaderOptions {
  /** One of its own: a request of a tool that hangs must not end a download. */
  startWorker: () => Worker;
  record: (record: RequestRecord) => void;
  newId: () => string;
}

export interface Downloader {
  /** Keeps what has come, however it ends. `signal` pauses it. */
  download: (
    job: DownloadJob,
    signal: AbortSignal,
    onProgress: (progress: Extract<DownloadEvent, { type: 'progress' }>) => void,
  ) => Promise<DownloadOutcome>;
}

export function createDownloader({ startWorker, record, newId }: DownloaderOptions): Downloader {
  let running: { remote: Remote<EgressWorkerApi>; died: AbortController } | undefined;

  const start = () => {
    const worker = startWorker();
    const died = new AbortController();
    const started = { remote: wrap<EgressWorkerApi>(worker), died };
    for (const type of ['error', 'messageerror']) {
      worker.addEventListener(type, () => {
        if (running === started) running = undefined;
        died.abort();
        started.remote[releaseProxy]();
        worker.terminate();
      });
    }
    return started;
  };

  return {
    download(job, signal, onProgress) {
      const { remote, died } = (running ??= start());
      const id = newId();
      const over = new AbortController();
      const take = (untrusted: unknown) => {
        const event = DownloadEvent.parse(untrusted);
        // A callback has a port of its own: the end may overtake the last of them.
        if (event.type === 'request') record(recordOf(event, newId()));
        else if (!over.signal.aborted) onProgress(event);
      };
      return new Promise<DownloadOutcome>((resolve) => {
        const failed = (detail: string) => resolve({ ok: false, failure: 'unreachable', detail });
        died.signal.addEventListener('abort', () => failed('The worker that downloads broke down.'), {
          signal: over.signal,
        });
        signal.addEventListener('abort', () => void remote.stop(id), { signal: over.signal });
        remote
          .download(id, job, proxy(take))
          .then((outcome) => resolve(DownloadOutcome.parse(outcome)))
          .catch((error: unknown) => failed(String(error)));
      }).finally(() => over.abort());
    },
  };
}

function recordOf(event: Extract<DownloadEvent, { type: 'request' }>, id: string): RequestRecord {
  const { host, endHost, sentBytes, receivedBytes, at, durationMs, status } = event;
  const sizes = { sentBytes, receivedBytes, at, durationMs };
  const hosts = { host, ...(endHost !== undefined && { endHost }) };
  return { id, tool: 'models', method: 'GET', ...hosts, ...sizes, outcome: status ?? 'unreachable' };
}
