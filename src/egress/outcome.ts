/** What the egress worker answers: a response, or why there is none, and what went over the line either way. */
import { EgressFailure, EgressResponse } from '../contracts/egress';
import type { DownloadOutcome } from '../contracts/download';
import { z } from '../contracts/schema';

const Traffic = z.object({ sentBytes: z.number(), receivedBytes: z.number() });

/** A failure is data: an error would lose its kind on the way out of the worker. */
export const EgressOutcome = z.discriminatedUnion('ok', [
  z.extend(Traffic, { ok: z.literal(true), response: EgressResponse }),
  z.extend(Traffic, { ok: z.literal(false), failure: EgressFailure, message: z.string() }),
]);
export type EgressOutcome = z.infer<typeof EgressOutcome>;

/** What the worker exposes. Comlink clones arguments but does not check them: `unknown` says so. */
export interface EgressWorkerApi {
  /** `id` names the request for `stop`; `allowedAddresses` are those of Settings at this moment. */
  send(id: unknown, request: unknown, allowedAddresses: unknown): Promise<EgressOutcome>;
  /** Files of a model. `onEvent` is told of each piece and each request; what has come is kept, whatever happens. */
  download(id: unknown, job: unknown, onEvent: (event: unknown) => void): Promise<DownloadOutcome>;
  stop(id: unknown): void;
}
