/** Files of models: what is asked of the egress worker, and what it tells while they come. */
import { z } from './schema';

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
