import { z } from './schema';

/** The one door out: what may be asked of it, what it answers, and what is written down of each request. */

export const EgressRequest = z.object({
  /** Whole, with `https://`; the gate says which are let through. */
  url: z.string(),
  method: z.enum(['GET', 'POST', 'DELETE']),
  /** Name to value. */
  headers: z.record(z.string(), z.string()),
  /** Missing for a request without one. */
  body: z.optional(z.string()),
  /** Who asks, for the log: the name of a tool. */
  tool: z.string(),
  /** Media types that are read, such as `text/html`; `text/*` stands for all of a kind. Any other is refused. */
  accept: z.array(z.string()),
  /** Bytes of the body, decoded: what is longer is cut, and said to be; a stream fails as `too-long`. */
  maxBytes: z.number(),
  /** Milliseconds until the last byte. */
  timeoutMs: z.number(),
  /**
   * Whether a server may pass it on to another address. `never` for what was allowed for one host: the browser does not
   * say where it is led before it went there.
   */
  redirect: z.enum(['follow', 'never']),
});
export type EgressRequest = z.infer<typeof EgressRequest>;

/** A value that must not come back, and the name that stands in its place wherever it does. */
export const Secret = z.object({ name: z.string(), value: z.string() });
export type Secret = z.infer<typeof Secret>;

/** A request whose answer is read while it comes: the tokens of a model, the events of a remote tool. */
export const EgressStreamRequest = z.extend(z.omit(EgressRequest, { timeoutMs: true }), {
  /**
   * Milliseconds without a byte, before the first one and between any two, after which the server is given up. How long the
   * whole answer takes has no limit.
   */
  silentMs: z.number(),
  /** The server was sent these, and may say them again: they are hidden in the answer, also where two pieces divide them. */
  secrets: z.readonly(z.array(Secret)),
});
export type EgressStreamRequest = z.infer<typeof EgressStreamRequest>;

export const ResponseHead = z.object({
  /** After redirects. */
  url: z.string(),
  /** Of HTTP. */
  status: z.number(),
  /** Lower-case names; only those that callers need, and only where they are short and well-formed (`egress/open-response.ts`). */
  headers: z.record(z.string(), z.string()),
});
export type ResponseHead = z.infer<typeof ResponseHead>;

export const EgressResponse = z.extend(ResponseHead, {
  /** The body, decoded; at most `maxBytes` of it. */
  text: z.string(),
  /** The body was longer than `maxBytes`. */
  isCut: z.boolean(),
});
export type EgressResponse = z.infer<typeof EgressResponse>;

/** A response that is no text, such as a picture. */
export const EgressBytes = z.extend(ResponseHead, {
  /** The body as it came, unpacked; at most `maxBytes` of it. */
  bytes: z.instanceof(Uint8Array<ArrayBuffer>),
  /** The body was longer than `maxBytes`. */
  isCut: z.boolean(),
});
export type EgressBytes = z.infer<typeof EgressBytes>;

/** Why there is no response. A status of 4xx or 5xx is a response. */
export const EgressFailure = z.enum([
  'offline',
  /** The address may not be asked; the message says why. */
  'refused-address',
  /** It asks for what cannot be sent, such as a header that is none; the message says what. */
  'refused-request',
  /** It led to an address that may not be asked. */
  'refused-redirect',
  'timeout',
  'wrong-type',
  /** A stream that went on beyond `maxBytes`. */
  'too-long',
  /** No such host, no connection, or the server does not let other pages read it (CORS): a browser does not say which. */
  'unreachable',
  'stopped',
]);
export type EgressFailure = z.infer<typeof EgressFailure>;

/** One request that left the device, or was kept from it. Holds no path, query or body: those may be private. */
export const RequestRecord = z.object({
  id: z.string(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** Name of the tool that asked; `models` for a download. */
  tool: z.string(),
  method: z.string(),
  /** With a port where the address has one; '' where the address could not be read. */
  host: z.string(),
  /** The one that answered. Missing where no redirect led to another. */
  endHost: z.optional(z.string()),
  /** About: what the page can know of it. */
  sentBytes: z.number(),
  /** Of the body, decoded. */
  receivedBytes: z.number(),
  durationMs: z.number(),
  /** A status, or why there was none or why its answer did not come to an end. */
  outcome: z.union([z.number(), EgressFailure]),
});
export type RequestRecord = z.infer<typeof RequestRecord>;

/** What a person typed to be allowed, as an origin, or what is wrong with it. */
export type AllowedAddress =
  | { ok: true; origin: string }
  | { ok: false; problem: 'scheme' | 'wildcard' | 'credentials' | 'path' | 'unreadable' };

/** Its message is a sentence for the model and the person, with a next step. */
export class EgressError extends Error {
  readonly failure: EgressFailure;

  constructor(failure: EgressFailure, message: string) {
    super(message);
    this.name = 'EgressError';
    this.failure = failure;
  }
}

/** What a tool is handed to reach outside. */
export interface Egress {
  /** Rejects with an `EgressError`, also when `signal` aborts. */
  send(request: EgressRequest, signal: AbortSignal): Promise<EgressResponse>;
}

/** What fetches something that is no text. */
export interface ByteEgress {
  /** Rejects as `Egress.send` does. */
  load: (request: EgressRequest, signal: AbortSignal) => Promise<EgressBytes>;
}

/** An answer whose status and headers have come, and whose text follows. */
export interface EgressStream extends ResponseHead {
  /**
   * Read as UTF-8, in pieces as they come; to be read once. Rejects with an `EgressError` where the answer breaks off, after all
   * that came before, and at once when the signal of the request aborts. Whoever leaves the loop early ends the request.
   */
  text: AsyncIterable<string>;
}

/** What an engine or a remote tool is handed, whose answers take long and are read as they come. */
export interface StreamingEgress extends Egress {
  /** Resolves with the status and the headers. Rejects as `send` does. */
  stream(request: EgressStreamRequest, signal: AbortSignal): Promise<EgressStream>;
}

/** Files of models: what is asked of the egress worker, and what it tells while they come. */

export const DownloadFile = z.object({
  /** Under which it is kept: where an engine looks it up. */
  url: z.string(),
  /** Where it is asked: the same, or a mirror. */
  from: z.string(),
  /** A cache of WebLLM, or a file of our own. */
  place: z.enum(['webllm/config', 'webllm/model', 'webllm/wasm', 'files']),
  /** What its first bytes must look like. */
  kind: z.enum(['json', 'wasm', 'gguf', 'bytes']),
  /** Its size; missing where the list of the weights does not say. */
  bytes: z.optional(z.number()),
  /** In hexadecimal; missing where the list of the weights does not say. */
  md5: z.optional(z.string()),
});
export type DownloadFile = z.infer<typeof DownloadFile>;

export const DownloadJob = z.object({
  files: z.array(DownloadFile),
  /** Origins the person typed for this model: exempt from the rules of the gate. */
  allowedAddresses: z.array(z.string()),
});
export type DownloadJob = z.infer<typeof DownloadJob>;

export const DownloadFailure = z.enum([
  /** Ended by the person; what has come is kept. */
  'paused',
  'offline',
  /** No such host, no connection, or the server does not let other pages read it. */
  'unreachable',
  'refused-address',
  /** 404, 410. */
  'missing',
  /** 401, 403: it wants a login, or a licence to be accepted. */
  'forbidden',
  /** Any other status, several times. */
  'server',
  /** A page, or anything else that is not what was asked for. */
  'wrong-file',
  /** Its size or its hash is another, twice. */
  'damaged',
  /** No room left on the device. */
  'full',
  /** Another tab is at it. */
  'busy',
  /** The browser has no files of its own, as in a private window. */
  'unsupported',
]);
export type DownloadFailure = z.infer<typeof DownloadFailure>;

export const DownloadOutcome = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true) }),
  z.object({
    ok: z.literal(false),
    failure: DownloadFailure,
    /** In English, for "Details". */
    detail: z.string(),
  }),
]);
export type DownloadOutcome = z.infer<typeof DownloadOutcome>;

export const DownloadEvent = z.discriminatedUnion('type', [
  /** Of one file: `loadedBytes` is all that is kept of it. `totalBytes` is missing until the server has said it. */
  z.object({
    type: z.literal('progress'),
    url: z.string(),
    loadedBytes: z.number(),
    totalBytes: z.optional(z.number()),
  }),
  /** One request that was made, for the log, as in `RequestRecord`; `status` is missing where no response came. */
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
