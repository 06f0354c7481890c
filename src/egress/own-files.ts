/** Reads files of our own origin only. Engines have no network access of their own and load their files here. */
import { AppError } from '../contracts/app-error';

interface FileCheckOptions {
  signal: AbortSignal;
  /** The expected first bytes. They differ if a host sends its start page instead of a missing file. */
  magic: string;
  expectedBytes?: number;
}

interface FileReadOptions extends FileCheckOptions {
  onProgress: (loadedBytes: number) => void;
}

/** `url`: absolute address. Rejects with an `AppError`: `model-unreachable`, `model-missing` or `model-damaged`. */
export async function readSiteFile(url: string, options: FileReadOptions): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of await openSiteFile(url, options)) pieces.push(piece);
  return new Blob(pieces);
}

/** Like `readSiteFile`, but streams the file, so memory never holds all of it. If the rest fails to load, iterating rejects. */
export async function openSiteFile(
  url: string,
  { onProgress, ...options }: FileReadOptions,
): Promise<AsyncIterable<Uint8Array<ArrayBuffer>>> {
  const response = await requestSiteFile(url, options.signal);
  const pieces = readBody(response, options.signal);
  const first: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  while (bytes < options.magic.length) {
    const next = await pieces.next();
    if (next.done) break;
    first.push(next.value);
    bytes += next.value.byteLength;
  }
  checkMagic(response, await new Blob(first).slice(0, options.magic.length).text(), options);

  return (async function* () {
    let loadedBytes = 0;
    const seen = (piece: Uint8Array<ArrayBuffer>) => {
      loadedBytes += piece.byteLength;
      onProgress(loadedBytes);
      return piece;
    };
    for (const piece of first.splice(0)) yield seen(piece);
    for await (const piece of pieces) yield seen(piece);
    checkSize(response, loadedBytes, options);
  })();
}

/** Checks a file before other code fetches it again. Reads it as a blob, which stays outside this thread, because that takes half the time. */
export async function checkSiteFile(url: string, options: FileCheckOptions): Promise<void> {
  const response = await requestSiteFile(url, options.signal);
  const file = await response.blob().catch((error: unknown) => {
    throw toConnectionError(response, options.signal, error);
  });
  checkMagic(response, await file.slice(0, options.magic.length).text(), options);
  checkSize(response, file.size, options);
}

/** Compiles WebAssembly from our own origin during loading. Rejects like `readSiteFile`. */
export async function compileSiteFile(url: string, signal: AbortSignal): Promise<WebAssembly.Module> {
  const response = await requestSiteFile(url, signal);
  // Browsers only cache compiled code if we stream it, which requires the right content type.
  const isNamed = response.headers.get('content-type')?.startsWith('application/wasm') === true;
  try {
    if (isNamed) return await WebAssembly.compileStreaming(response);
    return await WebAssembly.compile(await response.arrayBuffer());
  } catch (error) {
    if (!(error instanceof WebAssembly.CompileError)) throw toConnectionError(response, signal, error);
    throw new AppError('model-damaged', `${response.url} is no program: ${error.message}`, { cause: error });
  }
}

async function requestSiteFile(url: string, signal: AbortSignal): Promise<Response> {
  const { href, origin } = new URL(url);
  if (origin !== globalThis.location.origin) throw new TypeError(`Not a file of this site: ${href}`);
  const response = await fetch(href, { signal, credentials: 'same-origin' }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new AppError('model-unreachable', `${href} cannot be reached.`, { cause: error });
  });
  if (response.ok) return response;
  const isMissing = response.status === 404 || response.status === 410;
  const code = isMissing ? 'model-missing' : 'model-unreachable';
  throw new AppError(code, `${href} answered ${response.status}.`);
}

function checkMagic({ url, headers }: Response, beginning: string, { magic }: FileCheckOptions): void {
  if (beginning === magic) return;
  const got = headers.get('content-type') ?? 'no content type';
  throw new AppError('model-damaged', `${url} does not begin with ${JSON.stringify(magic)} (${got}).`);
}

function checkSize({ url }: Response, bytes: number, { expectedBytes }: FileCheckOptions): void {
  if (expectedBytes === undefined || bytes === expectedBytes) return;
  throw new AppError('model-damaged', `${url} has ${bytes} bytes instead of ${expectedBytes}.`);
}

function toConnectionError({ url }: Response, signal: AbortSignal, cause: unknown): unknown {
  return signal.aborted ? signal.reason : new AppError('model-unreachable', `${url} broke off.`, { cause });
}

async function* readBody(response: Response, signal: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  for (;;) {
    const next = await reader?.read().catch((error: unknown) => {
      throw toConnectionError(response, signal, error);
    });
    if (!next || next.done) return;
    yield next.value;
  }
}

/** Cache for files that are too large to precache for every visitor. We cache them on first use. */
const onDemandCacheName = 'later-files';

export async function isCached(url: string): Promise<boolean> {
  return 'caches' in globalThis && (await caches.match(url)) !== undefined;
}

/** Caches part of an engine for offline use, and deletes its older versions. */
export async function cacheForOffline(url: string): Promise<void> {
  const { href, origin, pathname } = new URL(url);
  if (origin !== globalThis.location.origin || !('caches' in globalThis)) return;
  const cache = await caches.open(onDemandCacheName);
  if (!(await cache.match(href))) {
    try {
      await cache.add(href);
    } catch {
      // The disk is full or the device is offline. The model still runs, and the older version stays in the cache.
      return;
    }
  }
  const nameOf = (path: string) => path.replace(/-[\w-]{8}(\.\w+)$/, '$1');
  for (const { url: older } of await cache.keys()) {
    const isOlder = older !== href && nameOf(new URL(older).pathname) === nameOf(pathname);
    if (isOlder) await cache.delete(older);
  }
}
