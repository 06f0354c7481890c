/** Downloads a model's files in the egress worker. Downloads, resumes and verifies each file independently of the others. */
import type {
  DownloadEvent,
  DownloadFailure,
  DownloadFile,
  DownloadJob,
  DownloadOutcome,
} from '../contracts/egress';
import { waitFor } from '../contracts/until-aborted';
import { checkFinalAddress, chunksOf, fetchExternal, watchSilence } from './fetch-outside';
import { checkUrl } from './gate';
import {
  canWriteFiles,
  deletePartialDownload,
  completeDownload,
  storedSizesOf,
  openPartialDownloadHandle,
  readDownloadMark,
  storeFile,
  type StoredFile,
  writeWhole,
  writeDownloadMark,
} from './kept-files';
import { hostOf } from './outcome';
import { verifyFile } from './verify-file';
import { z } from '../contracts/schema';

interface DownloadOptions {
  stop: AbortSignal;
  tell: (event: DownloadEvent) => void;
  isOnline: () => boolean;
  date: () => number;
  /** Milliseconds before each retry. The list starts over when data arrives. */
  delaysMs: readonly number[];
  /** After this many milliseconds without data, we treat a server as unreachable. */
  silentMs: number;
}

const maxParallelDownloads = 3;
const minProgressIntervalMs = 150;

/** If the network, server or disk fails, or the user stops the download, resolves to that outcome instead of rejecting. */
export async function downloadFiles(job: DownloadJob, options: DownloadOptions): Promise<DownloadOutcome> {
  const waiting = [...job.files];
  const over = new AbortController();
  const stop = AbortSignal.any([options.stop, over.signal]);
  const lane = async () => {
    try {
      for (let file = waiting.shift(); file && !stop.aborted; file = waiting.shift()) {
        await downloadFile(file, job, { ...options, stop });
      }
    } catch (error) {
      // Without this file, the model cannot be complete. Stop the other downloads.
      over.abort();
      throw error;
    }
  };
  try {
    await Promise.all(Array.from({ length: maxParallelDownloads }, lane));
    if (!options.stop.aborted) return { ok: true };
    throw createPausedError();
  } catch (error) {
    const { failure, message } = options.stop.aborted ? createPausedError() : toDownloadError(error);
    return { ok: false, failure, detail: message };
  }
}

class DownloadError extends Error {
  readonly failure: DownloadFailure;
  readonly isTemporary: boolean;

  constructor(failure: DownloadFailure, message: string, isTemporary = false) {
    super(message);
    this.failure = failure;
    this.isTemporary = isTemporary;
  }
}

const createPausedError = () => new DownloadError('paused', 'Paused.');

async function downloadFile(file: DownloadFile, job: DownloadJob, options: DownloadOptions): Promise<void> {
  const [kept] = await storedSizesOf([file]);
  if (kept?.isWhole) {
    options.tell({ type: 'progress', url: file.url, loadedBytes: kept.bytes, totalBytes: kept.bytes });
    return;
  }
  // If the file is damaged, download it once more from the start.
  for (const isLast of [false, true]) {
    const part = (await canWriteFiles()) ? await openPartialDownload(file.url) : createPartInMemory();
    try {
      await retryDownload(part, file, job, options);
    } finally {
      part.close();
    }
    const content = await part.read();
    const verdict = await verifyFile(content, file);
    if (verdict.ok) return completeDownload(file, content);
    await deletePartialDownload(file.url);
    if (isLast || verdict.failure === 'wrong-file') throw new DownloadError(verdict.failure, verdict.detail);
  }
}

async function retryDownload(
  part: PartialDownload,
  file: DownloadFile,
  job: DownloadJob,
  options: DownloadOptions,
) {
  // The server may compress these small files, so we cannot resume them.
  if (file.kind === 'json') part.clear();
  for (let tries = 0; ;) {
    const before = part.size();
    try {
      await receiveFile(part, file, job, options);
      return;
    } catch (error) {
      if (options.stop.aborted) throw error;
      const failed = toDownloadError(error);
      if (failed.isTemporary && !options.isOnline()) throw new DownloadError('offline', failed.message);
      if (part.size() > before) tries = 0;
      const delay = options.delaysMs[tries++];
      if (!failed.isTemporary || delay === undefined) throw failed;
      await waitFor(delay, options.stop).catch(() => {
        throw createPausedError();
      });
    }
  }
}

async function receiveFile(
  part: PartialDownload,
  file: DownloadFile,
  { allowedAddresses }: DownloadJob,
  { stop, tell, date, silentMs }: DownloadOptions,
): Promise<void> {
  if (file.bytes !== undefined && part.size() > file.bytes) part.clear();
  if (file.bytes !== undefined && part.size() === file.bytes) return;
  const checked = checkUrl(file.from, allowedAddresses);
  if (!checked.ok) throw new DownloadError('refused-address', checked.reason);
  const { url } = checked;

  const silence = watchSilence(silentMs);
  const at = date();
  const offset = part.size();
  let receivedBytes = 0;
  let reporting: ReturnType<typeof setTimeout> | undefined;
  let response: Response | undefined;
  try {
    response = await fetchExternal(url, allowedAddresses, {
      headers: offset > 0 ? { range: `bytes=${offset}-` } : {},
      signal: AbortSignal.any([stop, silence.signal]),
    });
    const end = checkFinalAddress(url, response.url, allowedAddresses);
    if (!end.ok) throw new DownloadError('refused-address', `${url.host} led elsewhere. ${end.reason}`);
    const mark = offset > 0 ? parseVersionMark(await part.readMark()) : undefined;
    const changed = new DownloadError('server', `${url.host} has another file there now.`, true);
    if (response.status === 416 && offset > 0) {
      if (mark?.bytes === undefined || mark.bytes === offset) return;
      part.clear();
      throw changed;
    }
    checkStatus(response, url.host);
    if (response.status !== 206) {
      part.clear();
      // Store the file's size and ETag, to detect after an interruption whether the server's file has changed. A file with a checksum needs no such check.
      if (file.md5 === undefined && file.sha256 === undefined)
        await part.writeMark(JSON.stringify(versionMarkOf(response, 0)));
    } else if (hasFileChanged(response, offset, mark)) {
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
    for await (const chunk of chunksOf(response)) {
      silence.heard();
      receivedBytes += chunk.byteLength;
      part.append(chunk);
      reporting ??= setTimeout(report, minProgressIntervalMs);
    }
    report();
  } catch (error) {
    throw toHostError(error, url.host, stop, silence.signal);
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

/** Stores a file from this device's disk. If that fails, resolves to the reason instead of rejecting. */
export async function storeFileFromDisk({ place, url }: StoredFile, content: Blob): Promise<DownloadOutcome> {
  try {
    await storeFile(place, url, content);
    return { ok: true };
  } catch (error) {
    const { failure, message } = toDownloadError(error);
    return { ok: false, failure, detail: message };
  }
}

function checkStatus({ status, ok, headers }: Response, host: string): void {
  const said = `${host} answered ${status}.`;
  if (status === 404 || status === 410) throw new DownloadError('missing', said);
  if (status === 401 || status === 403) throw new DownloadError('forbidden', said);
  if (!ok) throw new DownloadError('server', said, status >= 500 || status === 429 || status === 408);
  // If we receive a web page, it is a Wi-Fi login page, or the start page that a host sends instead of a missing file.
  if (/^text\/html\b/i.test(headers.get('content-type') ?? ''))
    throw new DownloadError('wrong-file', `${host} answered with a web page.`);
}

function toHostError(error: unknown, host: string, stop: AbortSignal, silence: AbortSignal): DownloadError {
  if (error instanceof DownloadError) return error;
  if (stop.aborted) return createPausedError();
  if (silence.aborted) return new DownloadError('unreachable', `${host} fell silent.`, true);
  const known = toDownloadError(error);
  if (known.failure !== 'unreachable') return known;
  return new DownloadError('unreachable', `${host}: ${known.message}`, true);
}

function toDownloadError(error: unknown): DownloadError {
  if (error instanceof DownloadError) return error;
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  if (name === 'QuotaExceededError') return new DownloadError('full', 'There is no room left.');
  if (name === 'NoModificationAllowedError') return new DownloadError('busy', 'Another tab holds this file.');
  if (name === 'SecurityError' || name === 'NotAllowedError')
    return new DownloadError('unsupported', 'This browser gives no files here.');
  return new DownloadError('unreachable', String(error), true);
}

interface PartialDownload {
  size: () => number;
  append: (chunk: Uint8Array<ArrayBuffer>) => void;
  clear: () => void;
  /** Returns the content. Call this after `close`. */
  read: () => Promise<Blob>;
  /** The mark identifies the server's version of the file. */
  readMark: () => Promise<string | undefined>;
  writeMark: (mark: string) => Promise<void>;
  close: () => void;
}

const minFlushBytes = 4_000_000;

/** Opens a partial download and writes data to disk as it arrives. Rejects while another tab has it open. */
export async function openPartialDownload(url: string): Promise<PartialDownload> {
  const handle = await openPartialDownloadHandle(url);
  const access = await handle.createSyncAccessHandle();
  let size = access.getSize();
  let unflushed = 0;
  return {
    size: () => size,
    append(chunk) {
      try {
        writeWhole(access, chunk, size);
      } catch (error) {
        size = access.getSize();
        throw error;
      }
      size += chunk.byteLength;
      unflushed += chunk.byteLength;
      if (unflushed < minFlushBytes) return;
      access.flush();
      unflushed = 0;
    },
    clear() {
      access.truncate(0);
      size = 0;
    },
    read: () => handle.getFile(),
    readMark: () => readDownloadMark(url),
    writeMark: (mark) => writeDownloadMark(url, mark),
    close() {
      access.flush();
      access.close();
    },
  };
}

/** For a browser without files that a page can write. A pause or a reload loses the data. */
function createPartInMemory(): PartialDownload {
  let content = new Blob();
  let recent: Uint8Array<ArrayBuffer>[] = [];
  let recentBytes = 0;
  let mark: string | undefined;
  // The browser can move a blob to disk, but not the bytes of this worker.
  const flush = () => {
    content = new Blob([content, ...recent]);
    recent = [];
    recentBytes = 0;
  };
  return {
    size: () => content.size + recentBytes,
    append(chunk) {
      recent.push(chunk);
      recentBytes += chunk.byteLength;
      if (recentBytes >= minFlushBytes) flush();
    },
    clear() {
      recent = [];
      flush();
      content = new Blob();
    },
    read: () => Promise.resolve(content),
    readMark: () => Promise.resolve(mark),
    writeMark: (written) => Promise.resolve(void (mark = written)),
    close: flush,
  };
}

const VersionMark = z.object({ bytes: z.optional(z.number()), etag: z.optional(z.string()) });
type VersionMark = z.infer<typeof VersionMark>;

function parseVersionMark(mark: string | undefined): VersionMark | undefined {
  try {
    return VersionMark.parse(JSON.parse(mark ?? ''));
  } catch {
    // The stored size and ETag are missing or unreadable, so resume without checking whether the server's file has changed.
    return undefined;
  }
}

/** Whether the server now has a different file at this address. Ignores values that either side lacks. */
function hasFileChanged(response: Response, offset: number, mark: VersionMark | undefined): boolean {
  const now = versionMarkOf(response, offset);
  const isOther = (key: 'bytes' | 'etag') => now[key] !== undefined && now[key] !== (mark?.[key] ?? now[key]);
  return isOther('bytes') || isOther('etag');
}

function versionMarkOf({ headers }: Response, offset: number): VersionMark {
  const length = Number(headers.get('content-length') ?? 0);
  const etag = headers.get('etag') ?? '';
  return {
    ...(length > 0 && { bytes: offset + length }),
    // Ignore a weak ETag, because it does not identify exact bytes.
    ...(etag.startsWith('"') && { etag }),
  };
}
