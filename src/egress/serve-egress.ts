/** The worker's end of the door: checks what comes over the border, and stops what is no longer wanted. */
import { EgressRequest } from '../contracts/egress';
import { z } from '../contracts/schema';
import type { EgressWorkerApi } from './outcome';
import { sendOutside } from './send-outside';

const Id = z.string();
const Addresses = z.array(z.string());

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
    stop: (id) => stops.get(Id.parse(id))?.abort(),
  };
}
