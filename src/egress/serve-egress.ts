/** The worker's end of the door: checks what comes over the border, and stops what is no longer wanted. */
import { DownloadJob } from '../contracts/download';
import { EgressRequest } from '../contracts/egress';
import { z } from '../contracts/schema';
import { downloadFiles } from './download-files';
import type { EgressWorkerApi } from './outcome';
import { sendOutside } from './send-outside';

const Id = z.string();
const Addresses = z.array(z.string());

const delaysMs = [500, 1000, 2000, 4000, 8000, 16_000, 30_000];
const silentMs = 60_000;

export function serveEgress(): EgressWorkerApi {
  const stops = new Map<string, AbortController>();
  return {
    async send(id, request, allowedAddresses) {
      const key = Id.parse(id);
      const stop = new AbortController();
      stops.set(key, stop);
      try {
        return await sendOutside(
          EgressRequest.parse(request),
          Addresses.parse(allowedAddresses),
          stop.signal,
          () => navigator.onLine,
        );
      } finally {
        stops.delete(key);
      }
    },
    async download(id, job, onEvent) {
      const key = Id.parse(id);
      const stop = new AbortController();
      stops.set(key, stop);
      try {
        return await downloadFiles(DownloadJob.parse(job), {
          stop: stop.signal,
          tell: onEvent,
          isOnline: () => navigator.onLine,
          date: Date.now,
          delaysMs,
          silentMs,
        });
      } finally {
        stops.delete(key);
      }
    },
    stop: (id) => stops.get(Id.parse(id))?.abort(),
  };
}
