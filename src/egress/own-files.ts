/** Reads files of our own origin, and refuses any other: engines get their bytes here and have no network of their own. */
import { AppError } from '../contracts/app-error';

export interface ReadOptions {
  signal: AbortSignal;
  /** The bytes that such a file begins with; a host that answers everything with its start page is found out by them. */
  magic: string;
  /** Size in bytes, where it is known. */
  expectedBytes?: number;
}

interface ReadAllOptions extends ReadOptions {
  /** Is given the bytes so far. */
  onProgress: (loadedBytes: number) => void;
}

/** `url` is absolute. Rejects with `AppError` 'model-unreachable', 'model-missing' or 'model-damaged', or as `signal` says. */
export async function readOwnFile(url: string, { onProgress, ...options }: ReadAllOptions): Promise<Blob> {
  return await read(url, options, async (response) => {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let loadedBytes = 0;
    for await (const chunk of readAll(response)) {
      chunks.push(chunk);
      loadedBytes += chunk.byteLength;
      onProgress(loadedBytes);
    }
    return new Blob(chunks);
  });
}

/**
 * As `readOwnFile`, for a file that another will fetch again: where that one would hang, this one says what is wrong.
 * Its bytes never come into this thread, which takes half the time.
 */
export async function checkOwnFile(url: string, options: ReadOptions): Promise<void> {
  await read(url, options, (response) => response.blob());
}

async function read(
  url: string,
  { signal, magic, expectedBytes }: ReadOptions,
  take: (response: Response) => Promise<Blob>,
): Promise<Blob> {
  const { href, origin } = new URL(url);
  if (origin !== globalThis.location.origin) throw new TypeError(`Not a file of this site: ${href}`);
  const response = await request(href, signal);
  if (!response.ok) {
    const isMissing = response.status === 404 || response.status === 410;
    const code = isMissing ? 'model-missing' : 'model-unreachable';
    throw new AppError(code, `${href} answered ${response.status}.`);
  }
  const file = await take(response).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new AppError('model-unreachable', `${href} broke off.`, { cause: error });
  });

  const beginning = await file.slice(0, magic.length).text();
  if (beginning !== magic) {
    const got = response.headers.get('content-type') ?? 'no content type';
    throw new AppError('model-damaged', `${href} does not begin with ${JSON.stringify(magic)} (${got}).`);
  }
  if (expectedBytes !== undefined && file.size !== expectedBytes) {
    throw new AppError('model-damaged', `${href} has ${file.size} bytes instead of ${expectedBytes}.`);
  }
  return file;
}

async function request(href: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(href, { signal, credentials: 'same-origin' });
  } catch (error) {
    signal.throwIfAborted();
    throw new AppError('model-unreachable', `${href} cannot be reached.`, { cause: error });
  }
}

/** By reader: not every browser can iterate a stream. */
async function* readAll({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader();
  for (;;) {
    const next = await reader?.read();
    if (!next || next.done) return;
    yield next.value;
  }
}

/** Files of the app that are too large for the copy every visitor keeps: kept once they are used. */
const laterFiles = 'later-files';

/** Keeps a part of an engine with what the service worker serves offline, and lets its older versions go. */
export async function keepForOffline(url: string): Promise<void> {
  const { href, origin, pathname } = new URL(url);
  if (origin !== globalThis.location.origin || !('caches' in globalThis)) return;
  const cache = await caches.open(laterFiles);
  if (await cache.match(href)) return;
  // A full disk, or a page served in its place: the model runs all the same, while there is a network.
  await cache.add(href).catch(() => undefined);
  const nameOf = (path: string) => path.replace(/-[\w-]{8}(\.\w+)$/, '$1');
  for (const { url: older } of await cache.keys()) {
    const isOlder = older !== href && nameOf(new URL(older).pathname) === nameOf(pathname);
    if (isOlder) await cache.delete(older);
  }
}
