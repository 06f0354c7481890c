import {
  EgressBytes,
  EgressFailure,
  type EgressRequest,
  EgressResponse,
  ResponseHead,
  type DownloadOutcome,
} from '../contracts/egress';
import { z } from '../contracts/schema';

const Traffic = z.object({ sentBytes: z.number(), receivedBytes: z.number() });
export type Traffic = z.infer<typeof Traffic>;

/** Failures are data: an error loses its type at the worker boundary. */
const Failure = z.extend(Traffic, { ok: z.literal(false), failure: EgressFailure, message: z.string() });
export type Failure = z.infer<typeof Failure>;

const createOutcomeSchema = <Response extends z.ZodMiniType>(response: Response) =>
  z.discriminatedUnion('ok', [z.extend(Traffic, { ok: z.literal(true), response }), Failure]);

export const EgressOutcome = createOutcomeSchema(EgressResponse);
export type EgressOutcome = z.infer<typeof EgressOutcome>;

export const BytesOutcome = createOutcomeSchema(EgressBytes);
export type BytesOutcome = z.infer<typeof BytesOutcome>;

export const StreamEnd = z.discriminatedUnion('ok', [z.extend(Traffic, { ok: z.literal(true) }), Failure]);
export type StreamEnd = z.infer<typeof StreamEnd>;

/** Messages of a streamed response: its head, its pieces, its end. A request that fails early has no head. */
export const StreamEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('head'), head: ResponseHead }),
  z.object({ type: z.literal('text'), text: z.string(), receivedBytes: z.number() }),
  z.object({ type: z.literal('end'), end: StreamEnd }),
]);
export type StreamEvent = z.infer<typeof StreamEvent>;

export interface EgressWorkerApi {
  send(id: unknown, request: unknown, allowedAddresses: unknown): Promise<EgressOutcome>;
  load(id: unknown, request: unknown, allowedAddresses: unknown): Promise<BytesOutcome>;
  stream(id: unknown, request: unknown, allowedAddresses: unknown, port: MessagePort): Promise<void>;
  /** Reports each chunk and request to `onEvent`. Always keeps partial data. */
  download(id: unknown, job: unknown, onEvent: (event: unknown) => void): Promise<DownloadOutcome>;
  storeFile(file: unknown, content: unknown): Promise<DownloadOutcome>;
  stop(id: unknown): void;
}

/** Counts the UTF-8 bytes of the address, headers and body. Excludes headers that the browser adds. */
export function countBytes({ url, headers, body }: Pick<EgressRequest, 'url' | 'headers' | 'body'>): number {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return new TextEncoder().encode([new URL(url).href, ...lines, body].join('')).length;
}

export const offlineMessage = 'This device is offline. Connect to the internet and try again.';
export const requestStoppedMessage = 'The request was stopped. Ask again to send it anew.';
export const crashMessage = 'The part of Hearth that reaches outside broke down and starts anew. Try again.';

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
