/** The answers of the egress worker: a response or why there is none, and the bytes that were sent and received either way. */
import {
  type DownloadOutcome,
  EgressBytes,
  EgressFailure,
  EgressResponse,
  ResponseHead,
} from '../contracts/egress';
import { z } from '../contracts/schema';

const Traffic = z.object({ sentBytes: z.number(), receivedBytes: z.number() });
export type Traffic = z.infer<typeof Traffic>;

/** A failure is data: an error would lose its kind on the way out of the worker. */
const Failed = z.extend(Traffic, { ok: z.literal(false), failure: EgressFailure, message: z.string() });
export type Failed = z.infer<typeof Failed>;

export const EgressOutcome = z.discriminatedUnion('ok', [
  z.extend(Traffic, { ok: z.literal(true), response: EgressResponse }),
  Failed,
]);
export type EgressOutcome = z.infer<typeof EgressOutcome>;

/** As `EgressOutcome`, of what is no text. */
export const BytesOutcome = z.discriminatedUnion('ok', [
  z.extend(Traffic, { ok: z.literal(true), response: EgressBytes }),
  Failed,
]);
export type BytesOutcome = z.infer<typeof BytesOutcome>;

/** How a streamed answer ended: nothing comes after it. */
export const StreamEnd = z.discriminatedUnion('ok', [z.extend(Traffic, { ok: z.literal(true) }), Failed]);
export type StreamEnd = z.infer<typeof StreamEnd>;

/** The messages that the worker posts for a streamed answer: its head, unless it fails before that, its pieces, and its end. */
export const StreamEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('head'), head: ResponseHead }),
  /** All bytes that have come so far. */
  z.object({ type: z.literal('text'), text: z.string(), receivedBytes: z.number() }),
  z.object({ type: z.literal('end'), end: StreamEnd }),
]);
export type StreamEvent = z.infer<typeof StreamEvent>;

/** What the worker exposes. Comlink clones arguments but does not check them: `unknown` says so. */
export interface EgressWorkerApi {
  /** `id` names the request for `stop`; `allowedAddresses` are those of Settings at this moment. */
  send(id: unknown, request: unknown, allowedAddresses: unknown): Promise<EgressOutcome>;
  /** As `send`, of what is no text. */
  load(id: unknown, request: unknown, allowedAddresses: unknown): Promise<BytesOutcome>;
  /** Posts `StreamEvent`s to `port`; the last one is the end. */
  stream(id: unknown, request: unknown, allowedAddresses: unknown, port: MessagePort): Promise<void>;
  /** Files of a model. `onEvent` is told of each piece and each request; what has come is kept, whatever happens. */
  download(id: unknown, job: unknown, onEvent: (event: unknown) => void): Promise<DownloadOutcome>;
  stop(id: unknown): void;
}
