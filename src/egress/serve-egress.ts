import { DownloadFile, DownloadJob, EgressRequest, EgressStreamRequest } from '../contracts/egress';
import { z } from '../contracts/schema';
import { downloadFiles, storeFileFromDisk } from './download-files';
import type { EgressWorkerApi, StreamEvent } from './outcome';
import { loadBytes, sendRequest, streamResponse } from './send-outside';

const RequestId = z.string();
const StoredFile = z.pick(DownloadFile, { place: true, url: true });
const Content = z.instanceof(Blob);
const AllowedAddresses = z.array(z.string());

const retryDelaysMs = [500, 1000, 2000, 4000, 8000, 16_000, 30_000];
const maxDownloadSilenceMs = 60_000;

export function serveEgress(): EgressWorkerApi {
  const stops = new Map<string, AbortController>();
  const isOnline = () => navigator.onLine;

  async function stoppable<Result>(id: unknown, work: (stop: AbortSignal) => Promise<Result>) {
    const key = RequestId.parse(id);
    const stop = new AbortController();
    stops.set(key, stop);
    try {
      return await work(stop.signal);
    } finally {
      stops.delete(key);
    }
  }

  const contextFor = (allowedAddresses: unknown, stop: AbortSignal) => ({
    allowedAddresses: AllowedAddresses.parse(allowedAddresses),
    stop,
    isOnline,
  });

  return {
    send: (id, request, addresses) =>
      stoppable(id, (stop) => sendRequest(EgressRequest.parse(request), contextFor(addresses, stop))),
    load: (id, request, addresses) =>
      stoppable(id, (stop) => loadBytes(EgressRequest.parse(request), contextFor(addresses, stop))),
    stream: (id, request, addresses, port) =>
      stoppable(id, async (stop) => {
        const context = contextFor(addresses, stop);
        const tell = (event: StreamEvent) => port.postMessage(event);
        const end = await streamResponse(EgressStreamRequest.parse(request), context, tell);
        tell({ type: 'end', end });
      }),
    download: (id, job, onEvent) =>
      stoppable(id, (stop) =>
        downloadFiles(DownloadJob.parse(job), {
          stop,
          tell: onEvent,
          isOnline,
          date: Date.now,
          delaysMs: retryDelaysMs,
          silentMs: maxDownloadSilenceMs,
        }),
      ),
    storeFile: (file, content) => storeFileFromDisk(StoredFile.parse(file), Content.parse(content)),
    stop: (id) => stops.get(RequestId.parse(id))?.abort(),
  };
}
