/** Requests to other origins: what callers ask of the egress worker, what it answers, and the log record of each request. */
import { z } from './schema';

export const EgressRequest = z.object({
  /** Absolute, with `https://`. The gate decides whether it is allowed. */
  url: z.string(),
  method: z.enum(['GET', 'POST', 'DELETE']),
  headers: z.record(z.string(), z.string()),
  body: z.optional(z.string()),
  /** Name of the tool that asks, for the log. */
  tool: z.string(),
  /** Accepted media types, such as `text/html` or `text/*`. Any other response is refused. */
  accept: z.array(z.string()),
  /** Maximum bytes of the decoded body. A longer body is cut; a stream fails with `too-long`. */
  maxBytes: z.number(),
  /** Milliseconds until the last byte. */
  timeoutMs: z.number(),
  /**
   * Whether redirects are followed. `never` for requests that the user allowed for one host only: a browser reports a redirect only after
   * following it.
   */
  redirect: z.enum(['follow', 'never']),
});
export type EgressRequest = z.infer<typeof EgressRequest>;

/** A value that must not appear in a response, and the placeholder that replaces it. */
export const Secret = z.object({ name: z.string(), value: z.string() });
export type Secret = z.infer<typeof Secret>;

/** A request whose response is read while it arrives: model tokens or events of a remote tool. */
export const EgressStreamRequest = z.extend(z.omit(EgressRequest, { timeoutMs: true }), {
  /** Maximum milliseconds of silence, before the first byte and between bytes. The whole response has no time limit. */
  silentMs: z.number(),
  /** Values that the server received and may echo. They are replaced in the response, even when split over two chunks. */
  secrets: z.readonly(z.array(Secret)),
});
export type EgressStreamRequest = z.infer<typeof EgressStreamRequest>;

export const ResponseHead = z.object({
  /** After redirects. */
  url: z.string(),
  status: z.number(),
  /** Lower-case names. Only the headers that callers need, if they are short and well-formed (`egress/open-response.ts`). */
  headers: z.record(z.string(), z.string()),
});
export type ResponseHead = z.infer<typeof ResponseHead>;

export const EgressResponse = z.extend(ResponseHead, {
  /** The decoded body, at most `maxBytes`. */
  text: z.string(),
  /** Whether the body was longer than `maxBytes`. */
  isCut: z.boolean(),
});
export type EgressResponse = z.infer<typeof EgressResponse>;

/** A binary response, such as a picture. */
export const EgressBytes = z.extend(ResponseHead, {
  /** The decompressed body, at most `maxBytes`. */
  bytes: z.instanceof(Uint8Array<ArrayBuffer>),
  isCut: z.boolean(),
});
export type EgressBytes = z.infer<typeof EgressBytes>;

/** Why there is no response. HTTP status 4xx and 5xx count as responses. */
export const EgressFailure = z.enum([
  'offline',
  /** The gate refused the address. The message says why. */
  'refused-address',
  /** The request is malformed, for example an invalid header. The message says what. */
  'refused-request',
  /** A redirect led to an address that the gate refuses. */
  'refused-redirect',
  'timeout',
  'wrong-type',
  /** A stream exceeded `maxBytes`. */
  'too-long',
  /** No such host, no connection, or blocked by CORS. Browsers do not tell which. */
  'unreachable',
  'stopped',
]);
export type EgressFailure = z.infer<typeof EgressFailure>;

/** One sent or refused request. It has no path, query or body, because those may be private. */
export const RequestRecord = z.object({
  id: z.string(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** Name of the tool that asked. `models` for a download. */
  tool: z.string(),
  method: z.string(),
  /** With its port, if any. '' if the address could not be parsed. */
  host: z.string(),
  /** Host after redirects. Absent if it is the same. */
  endHost: z.optional(z.string()),
  /** An estimate: the page cannot see all that is sent. */
  sentBytes: z.number(),
  /** Of the decoded body. */
  receivedBytes: z.number(),
  durationMs: z.number(),
  /** HTTP status, or why there was none or the response broke off. */
  outcome: z.union([z.number(), EgressFailure]),
});
export type RequestRecord = z.infer<typeof RequestRecord>;

/** An origin that the user wants to allow, or why the text is not one. */
export type AllowedAddress =
  | { ok: true; origin: string }
  | { ok: false; problem: 'scheme' | 'wildcard' | 'credentials' | 'path' | 'unreadable' };

/** The message is a sentence for model and user, with a next step. */
export class EgressError extends Error {
  readonly failure: EgressFailure;

  constructor(failure: EgressFailure, message: string) {
    super(message);
    this.name = 'EgressError';
    this.failure = failure;
  }
}

export interface Egress {
  /** Rejects with an `EgressError`, also when `signal` aborts. */
  send(request: EgressRequest, signal: AbortSignal): Promise<EgressResponse>;
}

export interface ByteEgress {
  /** Rejects with an `EgressError`, also when `signal` aborts. */
  load: (request: EgressRequest, signal: AbortSignal) => Promise<EgressBytes>;
}

/** A response whose headers have arrived and whose body follows. */
export interface EgressStream extends ResponseHead {
  /**
   * UTF-8 chunks as they arrive; iterate only once. Throws an `EgressError` if the response breaks off, and at once when the signal aborts.
   * Leaving the loop early cancels the request.
   */
  text: AsyncIterable<string>;
}

export interface StreamingEgress extends Egress {
  /** Resolves once the headers have arrived. Rejects like `send`. */
  stream(request: EgressStreamRequest, signal: AbortSignal): Promise<EgressStream>;
}

export const DownloadFile = z.object({
  /** The cache key, which the engine looks up. */
  url: z.string(),
  /** The address to download from: `url` or a mirror. */
  from: z.string(),
  /** A cache of WebLLM, or `files` for our own files. */
  place: z.enum(['webllm/config', 'webllm/model', 'webllm/wasm', 'files']),
  /** The format to expect, checked by the first bytes. */
  kind: z.enum(['json', 'wasm', 'gguf', 'bytes']),
  /** Size of the file. Absent if the list of weights does not say. */
  bytes: z.optional(z.number()),
  /** In hexadecimal. Absent if the list of weights does not say. */
  md5: z.optional(z.string()),
});
export type DownloadFile = z.infer<typeof DownloadFile>;

export const DownloadJob = z.object({
  files: z.array(DownloadFile),
  /** Origins that the user typed for this model. The gate does not check them. */
  allowedAddresses: z.array(z.string()),
});
export type DownloadJob = z.infer<typeof DownloadJob>;

export const DownloadFailure = z.enum([
  /** Paused by the user. The bytes so far are kept. */
  'paused',
  'offline',
  /** No such host, no connection, or blocked by CORS. */
  'unreachable',
  'refused-address',
  /** Status 404 or 410. */
  'missing',
  /** Status 401 or 403: a login or an accepted licence is required. */
  'forbidden',
  /** Any other error status, after several attempts. */
  'server',
  /** The server sent something else, such as a web page. */
  'wrong-file',
  /** Wrong size or hash, twice. */
  'damaged',
  'full',
  /** Another tab downloads it already. */
  'busy',
  /** The browser offers no file storage, for example in a private window. */
  'unsupported',
]);
export type DownloadFailure = z.infer<typeof DownloadFailure>;

export const DownloadOutcome = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true) }),
  z.object({
    ok: z.literal(false),
    failure: DownloadFailure,
    detail: z.string(),
  }),
]);
export type DownloadOutcome = z.infer<typeof DownloadOutcome>;

export const DownloadEvent = z.discriminatedUnion('type', [
  /** Progress of one file. `loadedBytes` counts all stored bytes. `totalBytes` is absent until the server reports it. */
  z.object({
    type: z.literal('progress'),
    url: z.string(),
    loadedBytes: z.number(),
    totalBytes: z.optional(z.number()),
  }),
  /** One request for the log, as in `RequestRecord`. `status` is absent if there was no response. */
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
