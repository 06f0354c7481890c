/** Downloads the files of a model, for the egress worker: apart from each other, going on where they were left, checked. */
import type {
  DownloadEvent,
  DownloadFailure,
  DownloadFile,
  DownloadJob,
  DownloadOutcome,
} from '../contracts/egress';
import { waitFor } from '../contracts/until-aborted';
import { addressSpaceOf } from './address-space';
import { checkUrl, originOf } from './gate';
import { forgetPart, keepPart, keptOf, partHandle } from './kept-files';
import { openPart, type PartFile } from './part-file';
import { isOtherFile, readMark, writeMark } from './part-mark';
import { verifyFile } from './verify-file';

export interface DownloadOptions {
  stop: AbortSignal;
  tell: (event: DownloadEvent) => void;
  isOnline: () => boolean;
  /** Milliseconds since the epoch. */
  date: () => number;
  /** Milliseconds before each further try; a try that brought something begins them anew. */
  delaysMs: readonly number[];
  /** So long a server may be silent. */
  silentMs: number;
}

const lanes = 3;
/** Not more often than this, for each file. */
const progressMs = 150;

/** Never rejects for what the network, the server, the disk or the person did. */
export async function downloadFiles(job: DownloadJob, options: DownloadOptions): Promise<DownloadOutcome> {
  const waiting = [...job.files];
  const over = new AbortController();
  const stop = AbortSignal.any([options.stop, over.signal]);
  const lane = async () => {
    for (let file = waiting.shift(); file && !stop.aborted; file = waiting.shift()) {
      await downloadFile(file, job, { ...options, stop });
    }
  };
  try {
    await Promise.all(
      Array.from({ length: lanes }, () =>
        lane().catch((error: unknown) => {
          // The others would go on alone for a model that cannot become whole.
          over.abort();
          throw error;
        }),
      ),
    );
    return options.stop.aborted ? { ok: false, failure: 'paused', detail: 'Paused.' } : { ok: true };
  } catch (error) {
    const { failure, message } = failureOf(options.stop.aborted ? new Failed('paused', 'Paused.') : error);
    return { ok: false, failure, detail: message };
  }
}

class Failed extends Error {
  readonly failure: DownloadFailure;
  /** It may go better next time. */
  readonly isPassing: boolean;

  constructor(failure: DownloadFailure, message: string, isPassing = false) {
    super(message);
    this.failure = failure;
    this.isPassing = isPassing;
  }
}

async function downloadFile(file: DownloadFile, job: DownloadJob, options: DownloadOptions): Promise<void> {
  const [kept] = await keptOf([file]);
  if (kept?.isWhole) {
    options.tell({ type: 'progress', url: file.url, loadedBytes: kept.bytes, totalBytes: kept.bytes });
    return;
  }
  // A file that came damaged is asked for once more, whole.
  for (const isLast of [false, true]) {
    const part = await openPart(file.url);
    try {
      await fill(part, file, job, options);
    } finally {
      part.close();
    }
    const verdict = await verifyFile(await (await partHandle(file.url)).getFile(), file);
    if (verdict.ok) {
      await keepPart(file);
      return;
    }
    await forgetPart(file.url);
    if (isLast || verdict.failure === 'wrong-file') throw new Failed(verdict.failure, verdict.detail);
  }
}

/** Tries until all of it is there. */
async function fill(
  part: PartFile,
  file: DownloadFile,
  job: DownloadJob,
  options: DownloadOptions,
): Promise<void> {
  // A compressed response cannot be resumed in the middle; such files are small.
  if (file.kind === 'json') part.clear();
  for (let tries = 0; ;) {
    const before = part.size();
    try {
      await pull(part, file, job, options);
      return;
    } catch (error) {
      if (options.stop.aborted) throw error;
      const failed = failureOf(error);
      if (failed.isPassing && !options.isOnline()) throw new Failed('offline', failed.message);
      if (part.size() > before) tries = 0;
      const delay = options.delaysMs[tries++];
      if (!failed.isPassing || delay === undefined) throw failed;
      await waitFor(delay, options.stop).catch(() => {
        throw new Failed('paused', 'Paused.');
      });
    }
  }
}

async function pull(
  part: PartFile,
  file: DownloadFile,
  { allowedAddresses }: DownloadJob,
  { stop, tell, date, silentMs }: DownloadOptions,
): Promise<void> {
  if (file.bytes !== undefined && part.size() > file.bytes) part.clear();
  if (file.bytes !== undefined && part.size() === file.bytes) return;
  const checked = checkUrl(file.from, allowedAddresses);
  if (!checked.ok) throw new Failed('refused-address', checked.reason);
  const { url } = checked;

  const silence = createSilence(silentMs);
  const at = date();
  const offset = part.size();
  let receivedBytes = 0;
  let reporting: ReturnType<typeof setTimeout> | undefined;
  let response: Response | undefined;
  try {
    response = await fetch(url, {
      headers: offset > 0 ? { range: `bytes=${offset}-` } : {},
      signal: AbortSignal.any([stop, silence.signal]),
      mode: 'cors',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      ...addressSpaceOf(url, allowedAddresses),
    });
    const own = allowedAddresses.filter((address) => originOf(address) === url.origin);
    const end = checkUrl(response.url, own);
    if (!end.ok) throw new Failed('refused-address', `${url.host} led elsewhere. ${end.reason}`);
    const mark = offset > 0 ? await readMark(file.url) : undefined;
    const changed = new Failed('server', `${url.host} has another file there now.`, true);
    if (response.status === 416 && offset > 0) {
      // All of it is there: it was ended before it could be looked at.
      if (mark?.bytes === undefined || mark.bytes === offset) return;
      part.clear();
      throw changed;
    }
    checkStatus(response, url.host);
    if (response.status !== 206) {
      part.clear();
      // A file with a hash is checked by that; its first bytes need no check of their own.
      if (file.md5 === undefined) await writeMark(file.url, response);
    } else if (isOtherFile(response, offset, mark)) {
      part.clear();
      throw changed;
    }
    const length = Number(response.headers.get('content-length') ?? 0);
    const totalBytes = file.bytes ?? (length > 0 ? part.size() + length : undefined);
    const report = () => {
      clearTimeout(reporting);
      reporting = undefined;
      const known = totalBytes !== undefined && totalBytes >= part.size() && { totalBytes };
      tell({ type: 'progress', url: file.url, loadedBytes: part.size(), ...known });
    };
    const reader = response.body?.getReader();
    for (;;) {
      const next = await reader?.read();
      if (!next || next.done) break;
      silence.broken();
      receivedBytes += next.value.byteLength;
      part.append(next.value);
      reporting ??= setTimeout(report, progressMs);
    }
    report();
  } catch (error) {
    throw explain(error, url.host, stop, silence.signal);
  } finally {
    silence.end();
    clearTimeout(reporting);
    tell({
      type: 'request',
      host: url.host,
      ...(response && hostOf(response.url) !== url.host && { endHost: hostOf(response.url) }),
      sentBytes: url.href.length,
      receivedBytes,
      at,
      durationMs: date() - at,
      ...(response && { status: response.status }),
    });
  }
}

function checkStatus({ status, ok, headers }: Response, host: string): void {
  const said = `${host} answered ${status}.`;
  if (status === 404 || status === 410) throw new Failed('missing', said);
  if (status === 401 || status === 403) throw new Failed('forbidden', said);
  if (!ok) throw new Failed('server', said, status >= 500 || status === 429 || status === 408);
  // A login page of a hotel, or the start page of a host that knows no such file.
  if (/^text\/html\b/i.test(headers.get('content-type') ?? '')) {
    throw new Failed('wrong-file', `${host} answered with a web page.`);
  }
}

function explain(error: unknown, host: string, stop: AbortSignal, silence: AbortSignal): Failed {
  if (error instanceof Failed) return error;
  if (stop.aborted) return new Failed('paused', 'Paused.');
  if (silence.aborted) return new Failed('unreachable', `${host} fell silent.`, true);
  const known = failureOf(error);
  return known.failure === 'unreachable'
    ? new Failed('unreachable', `${host}: ${known.message}`, true)
    : known;
}

function failureOf(error: unknown): Failed {
  if (error instanceof Failed) return error;
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  if (name === 'QuotaExceededError') return new Failed('full', 'There is no room left.');
  if (name === 'NoModificationAllowedError') return new Failed('busy', 'Another tab holds this file.');
  if (name === 'SecurityError' || name === 'NotAllowedError') {
    return new Failed('unsupported', 'This browser gives no files here.');
  }
  return new Failed('unreachable', String(error), true);
}

/** Aborts when nothing came for so long. */
function createSilence(ms: number) {
  const controller = new AbortController();
  const start = () => setTimeout(() => controller.abort(), ms);
  let timer = start();
  return {
    signal: controller.signal,
    broken() {
      clearTimeout(timer);
      timer = start();
    },
    end: () => clearTimeout(timer),
  };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
