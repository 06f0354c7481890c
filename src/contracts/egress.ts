/** Requests to other origins: the egress worker's input and output, and the log record of each request. */
import { z } from './schema';

/** A value that must not appear in a response. Hearth replaces it with `[name]`. */
export const Secret = z.object({ name: z.string(), value: z.string() });
export type Secret = z.infer<typeof Secret>;

export const EgressRequest = z.object({
  url: z.string(),
  method: z.enum(['GET', 'POST', 'DELETE']),
  headers: z.record(z.string(), z.string()),
  body: z.optional(z.string()),
  tool: z.string(),
  /** Accepted media types, such as `text/html` or `text/*`. Hearth refuses a response of any other type. */
  accept: z.array(z.string()),
  /** Maximum bytes of the decoded body. Hearth cuts a longer body, but a longer stream fails with `too-long`. */
  maxBytes: z.number(),
  timeoutMs: z.number(),
  /** `never` if the user allowed only this host, because a browser contacts the new host before we learn of a redirect. */
  redirect: z.enum(['follow', 'never']),
  /** Values that the server may echo. Hearth replaces them in the response, even if one is split across two chunks. */
  secrets: z.readonly(z.array(Secret)),
});
export type EgressRequest = z.infer<typeof EgressRequest>;

/** A request whose response is read as it arrives: model tokens or events of a remote tool. */
export const EgressStreamRequest = z.extend(z.omit(EgressRequest, { timeoutMs: true }), {
  /** Maximum silence in milliseconds, before the first byte and between bytes. The whole response has no time limit. */
  silentMs: z.number(),
});
export type EgressStreamRequest = z.infer<typeof EgressStreamRequest>;

export const ResponseHead = z.object({
  url: z.string(),
  status: z.number(),
  /** Names in lower case. Contains only short, well-formed headers that callers need (`egress/send-outside.ts`). */
  headers: z.record(z.string(), z.string()),
});
export type ResponseHead = z.infer<typeof ResponseHead>;

export const EgressResponse = z.extend(ResponseHead, { text: z.string(), isCut: z.boolean() });
export type EgressResponse = z.infer<typeof EgressResponse>;

export const EgressBytes = z.extend(ResponseHead, {
  bytes: z.instanceof(Uint8Array<ArrayBuffer>),
  isCut: z.boolean(),
});
export type EgressBytes = z.infer<typeof EgressBytes>;

/** Why there is no response. A response with HTTP status 4xx or 5xx is not a failure. */
export const EgressFailure = z.enum([
  'offline',
  'refused-address',
  'refused-request',
  'refused-redirect',
  'timeout',
  'wrong-type',
  'too-long',
  /** No such host, no connection, or blocked by CORS. Browsers do not tell which. */
  'unreachable',
  'stopped',
]);
export type EgressFailure = z.infer<typeof EgressFailure>;

/** One request, sent or refused. We do not store its path, query or body, because they may be private. */
export const RequestRecord = z.object({
  id: z.string(),
  at: z.number(),
  /** Name of the tool that made the request. `models` for a model download. */
  tool: z.string(),
  method: z.string(),
  /** Includes the port if the address has one. '' if the address could not be parsed. */
  host: z.string(),
  endHost: z.optional(z.string()),
  /** An estimate, because the page cannot see everything that is sent. */
  sentBytes: z.number(),
  receivedBytes: z.number(),
  durationMs: z.number(),
  outcome: z.union([z.number(), EgressFailure]),
});
export type RequestRecord = z.infer<typeof RequestRecord>;

export type AllowedAddress =
  | { ok: true; origin: string }
  | { ok: false; problem: 'scheme' | 'wildcard' | 'credentials' | 'path' | 'unreadable' };

/** The message tells the model and the user what failed and what to do next. */
export class EgressError extends Error {
  readonly failure: EgressFailure;

  constructor(failure: EgressFailure, message: string) {
    super(message);
    this.name = 'EgressError';
    this.failure = failure;
  }
}

/** `Given`, with a type error for each field that `Expected` lacks. TypeScript itself reports no unknown field of a spread object. */
type Exact<Expected, Given extends Expected> = Given & Record<Exclude<keyof Given, keyof Expected>, never>;

export interface Egress {
  /** Rejects with an `EgressError`, even when `signal` aborts. */
  send<Request extends EgressRequest>(
    request: Exact<EgressRequest, Request>,
    signal: AbortSignal,
  ): Promise<EgressResponse>;
}

export interface ByteEgress {
  load: (request: EgressRequest, signal: AbortSignal) => Promise<EgressBytes>;
}

export interface EgressStream extends ResponseHead {
  /** Decoded text, readable once. Throws an `EgressError` if the response breaks off or the signal aborts. Stopping early cancels the request. */
  text: AsyncIterable<string>;
}

export interface StreamingEgress extends Egress {
  stream(request: EgressStreamRequest, signal: AbortSignal): Promise<EgressStream>;
}

export const DownloadFile = z.object({
  /** The file's key in the cache, which the engine uses to find the file. */
  url: z.string(),
  from: z.string(),
  /** Where to store the file: in a cache of WebLLM, or in Hearth's own storage (`files`). */
  place: z.enum(['webllm/config', 'webllm/model', 'webllm/wasm', 'files']),
  kind: z.enum(['json', 'wasm', 'gguf', 'bytes']),
  bytes: z.optional(z.number()),
  /** Checksums in hexadecimal. */
  md5: z.optional(z.string()),
  sha256: z.optional(z.string()),
});
export type DownloadFile = z.infer<typeof DownloadFile>;

export const DownloadJob = z.object({
  files: z.array(DownloadFile),
  /** Origins that the user typed for this model. They may be private addresses, which Hearth otherwise blocks. */
  allowedAddresses: z.array(z.string()),
});
export type DownloadJob = z.infer<typeof DownloadJob>;

export const DownloadFailure = z.enum([
  'paused',
  'offline',
  'unreachable',
  'refused-address',
  'missing',
  /** Status 401 or 403: a login or an accepted licence is required. */
  'forbidden',
  'server',
  'wrong-file',
  'damaged',
  'full',
  'busy',
  /** The browser offers no file storage, for example in a private window. */
  'unsupported',
]);
export type DownloadFailure = z.infer<typeof DownloadFailure>;

export const DownloadOutcome = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), failure: DownloadFailure, detail: z.string() }),
]);
export type DownloadOutcome = z.infer<typeof DownloadOutcome>;

export const DownloadEvent = z.discriminatedUnion('type', [
  /** `loadedBytes` counts all bytes stored so far. `totalBytes` is absent until the server reports it. */
  z.object({
    type: z.literal('progress'),
    url: z.string(),
    loadedBytes: z.number(),
    totalBytes: z.optional(z.number()),
  }),
  z.object({
    type: z.literal('request'),
    host: z.string(),
    endHost: z.optional(z.string()),
    sentBytes: z.number(),
    receivedBytes: z.number(),
    at: z.number(),
    durationMs: z.number(),
    status: z.optional(z.number()),
  }),
]);
export type DownloadEvent = z.infer<typeof DownloadEvent>;
