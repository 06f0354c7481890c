/**
 * Stores model files on this device: complete files where engines look for them, partial downloads, and saved engine states. In a browser
 * without files that a page can write, such as GNOME Web, complete files go into a cache, and there are no partial downloads or saved states.
 */
import type { DownloadFile } from '../contracts/egress';

type StorageArea = DownloadFile['place'];
export type StoredFile = Pick<DownloadFile, 'url' | 'place'>;

const partialFilesFolder = 'parts';
const modelsFolder = 'models';
const statesFolder = 'model-states';

export function storedSizesOf(files: readonly (StoredFile & Pick<DownloadFile, 'bytes'>)[]) {
  return Promise.all(
    files.map(async ({ url, place, bytes }) => {
      const whole = await findStoredSize(place, url, bytes);
      if (whole !== undefined) return { isWhole: true, bytes: whole };
      return { isWhole: false, bytes: (await readFileInFolder(partialFilesFolder, url))?.size ?? 0 };
    }),
  );
}

export type IsStored = (file: StoredFile) => Promise<boolean>;

/** Lists all files in one pass: checking the files of a hundred models one by one takes a second. */
export async function listStoredFiles(): Promise<IsStored> {
  const [cached, parts, whole] = await Promise.all([
    listCachedAddresses(),
    listNamesIn(partialFilesFolder),
    listNamesIn(modelsFolder),
  ]);
  return async ({ url, place }) => {
    if (cached.has(`${cacheNameOf(place)} ${new URL(url).href}`)) return true;
    if (parts.size + whole.size === 0) return false;
    const name = await hashedNameOf(url);
    return parts.has(name) || (place === 'files' && whole.has(name));
  };
}

async function listCachedAddresses(): Promise<Set<string>> {
  const addresses = new Set<string>();
  if (!('caches' in globalThis)) return addresses;
  for (const place of await caches.keys()) {
    for (const { url } of await (await caches.open(place)).keys()) addresses.add(`${place} ${url}`);
  }
  return addresses;
}

async function listNamesIn(folder: string): Promise<Set<string>> {
  const names = new Set<string>();
  try {
    for await (const name of (await openFolder(folder)).keys()) names.add(name);
  } catch {
    // This browser has no private file system.
  }
  return names;
}

export async function readCachedJson(place: Exclude<StorageArea, 'files'>, url: string): Promise<unknown> {
  const response = await (await caches.open(place)).match(url);
  return response?.json().catch(() => undefined);
}

/** Reads the content on demand: memory may not hold a model twice. */
export async function openStoredFile(place: StorageArea, url: string): Promise<Blob | undefined> {
  const file = place === 'files' ? await readFileInFolder(modelsFolder, url) : undefined;
  return file ?? (await (await caches.open(cacheNameOf(place))).match(url))?.blob();
}

/** Call this in a worker, because a page of an older Safari cannot write files. */
export async function storeFile(place: StorageArea, url: string, file: Blob): Promise<void> {
  if (place === 'files' && (await canWriteFiles()))
    await writeFileInFolder(modelsFolder, await hashedNameOf(url), file);
  else await writeToCache(place, url, file);
  await deletePartialDownload(url);
}

export async function deleteFiles(files: readonly StoredFile[]): Promise<void> {
  for (const { url, place } of files) {
    if (place === 'files') {
      await deleteFileInFolder(modelsFolder, url);
      for (const { name } of await listEngineStates(url))
        await (await openFolder(statesFolder)).removeEntry(name);
    }
    if ('caches' in globalThis && (await caches.has(cacheNameOf(place))))
      await (await caches.open(cacheNameOf(place))).delete(url);
    await deletePartialDownload(url);
  }
}

export async function deletePartialDownload(url: string): Promise<void> {
  await deleteFileInFolder(partialFilesFolder, url);
  await deleteFileInFolder(partialFilesFolder, downloadMarkUrlOf(url));
}

/** Maximum number of saved engine states per model. If there are more, we delete the oldest. */
const maxEngineStatesPerModel = 4;

/** Resolves to undefined if there is no such engine state. `name`: letters and digits only. */
export async function openSavedState(modelUrl: string, name: string): Promise<File | undefined> {
  return findFile(statesFolder, await toEngineStateFileName(modelUrl, name));
}

export async function saveEngineState(modelUrl: string, name: string, state: Blob): Promise<void> {
  await writeFileInFolder(statesFolder, await toEngineStateFileName(modelUrl, name), state);
  const all = (await listEngineStates(modelUrl)).filter(({ name }) => !name.endsWith(threadCountsName));
  const surplus = all.toSorted((a, b) => b.lastModified - a.lastModified).slice(maxEngineStatesPerModel);
  for (const old of surplus) await (await openFolder(statesFolder)).removeEntry(old.name);
}

const threadCountsName = 'threads';

export interface ThreadCounts {
  writing: number;
  reading: number;
}

export async function readThreadCounts(modelUrl: string): Promise<ThreadCounts | undefined> {
  const file = await openSavedState(modelUrl, threadCountsName);
  const text = await file?.text().catch(() => undefined);
  const [writing = NaN, reading = NaN] = (text ?? '').split(' ').map(Number);
  return Number.isInteger(writing) && Number.isInteger(reading) ? { writing, reading } : undefined;
}

export async function saveThreadCounts(modelUrl: string, { writing, reading }: ThreadCounts): Promise<void> {
  await saveEngineState(modelUrl, threadCountsName, new Blob([`${writing} ${reading}`]));
}

async function listEngineStates(modelUrl: string): Promise<File[]> {
  const files: File[] = [];
  const beginning = await hashedNameOf(modelUrl);
  try {
    for await (const entry of (await openFolder(statesFolder)).values()) {
      if (entry.kind === 'file' && entry.name.startsWith(beginning)) files.push(await entry.getFile());
    }
  } catch {
    // This browser has no private file system.
  }
  return files;
}

async function toEngineStateFileName(modelUrl: string, name: string): Promise<string> {
  return `${await hashedNameOf(modelUrl)}-${name}`;
}

export async function openPartialDownloadHandle(url: string): Promise<WorkerFileHandle> {
  const parts = await openFolder(partialFilesFolder);
  return (await parts.getFileHandle(await hashedNameOf(url), { create: true })) as WorkerFileHandle;
}

/** `content` is the complete partial download. */
export async function completeDownload({ place, url }: StoredFile, content: Blob): Promise<void> {
  if (place === 'files' && (await canWriteFiles())) {
    const handle = await openPartialDownloadHandle(url);
    await handle.move(await openFolder(modelsFolder), await hashedNameOf(url));
  } else {
    await writeToCache(place, url, content);
  }
  await deletePartialDownload(url);
}

/** Reads the mark of a partial download, which identifies the server's version of the file. */
export async function readDownloadMark(url: string): Promise<string | undefined> {
  return (await readFileInFolder(partialFilesFolder, downloadMarkUrlOf(url)))?.text();
}

export async function writeDownloadMark(url: string, mark: string): Promise<void> {
  await writeFileInFolder(partialFilesFolder, await hashedNameOf(downloadMarkUrlOf(url)), new Blob([mark]));
}

const downloadMarkUrlOf = (url: string) => `${url}#mark`;

/** Settings count a cache with this beginning as models. */
const cacheNameOf = (place: StorageArea) => (place === 'files' ? 'webllm/files' : place);

async function writeToCache(place: StorageArea, url: string, file: Blob): Promise<void> {
  // Browsers only compile WebAssembly during loading if it has the right content type.
  const type = place === 'webllm/wasm' ? 'application/wasm' : 'application/octet-stream';
  const headers = { 'content-length': String(file.size), 'content-type': type };
  await (await caches.open(cacheNameOf(place))).put(url, new Response(file, { headers }));
}

async function writeFileInFolder(folder: string, name: string, content: Blob): Promise<void> {
  const target = await openFolder(folder);
  if (!('createWritable' in FileSystemFileHandle.prototype)) return writeInWorker(target, name, content);
  const handle = await target.getFileHandle(name, { create: true });
  await content.stream().pipeTo(await handle.createWritable());
}

/** For Safari before version 26. Writes the file elsewhere and moves it, so a crash leaves no partial file under its name. */
async function writeInWorker(target: FileSystemDirectoryHandle, name: string, content: Blob): Promise<void> {
  const parts = await openFolder(partialFilesFolder);
  const handle = (await parts.getFileHandle(name, { create: true })) as WorkerFileHandle;
  const access = await handle.createSyncAccessHandle();
  try {
    access.truncate(0);
    for (let at = 0; at < content.size; at += maxPieceBytes) {
      const piece = await content.slice(at, at + maxPieceBytes).arrayBuffer();
      writeWhole(access, new Uint8Array(piece), at);
    }
    access.flush();
  } finally {
    access.close();
  }
  await target.removeEntry(name).catch(() => undefined);
  await handle.move(target, name);
}

const maxPieceBytes = 4 * 2 ** 20;

let writing: Promise<boolean> | undefined;

/** Only tells the truth in a worker, because a page of an older Safari cannot write files. */
export function canWriteFiles(): Promise<boolean> {
  writing ??= testWriting().catch(() => false);
  return writing;
}

async function testWriting(): Promise<boolean> {
  const parts = await openFolder(partialFilesFolder);
  const name = `test-${crypto.randomUUID()}`;
  const handle = (await parts.getFileHandle(name, { create: true })) as WorkerFileHandle;
  try {
    (await handle.createSyncAccessHandle()).close();
  } finally {
    await parts.removeEntry(name).catch(() => undefined);
  }
  return true;
}

/** Throws a `QuotaExceededError` if the disk is full. Chromium may then return an error number, 4294967288, instead of throwing. */
export function writeWhole(access: SyncAccessHandle, data: Uint8Array, at: number): void {
  if (access.write(data, { at }) !== data.byteLength)
    throw new DOMException('No room left.', 'QuotaExceededError');
}

/** These methods only exist in workers, so the page's types lack them. */
interface SyncAccessHandle {
  getSize(): number;
  write(data: Uint8Array, options: { at: number }): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
}

/** Every browser with a private file system has `move`, but the DOM types lack it. */
type WorkerFileHandle = FileSystemFileHandle & {
  createSyncAccessHandle(): Promise<SyncAccessHandle>;
  move(to: FileSystemDirectoryHandle, name: string): Promise<void>;
};

async function findStoredSize(place: StorageArea, url: string, known?: number): Promise<number | undefined> {
  const file = place === 'files' ? await readFileInFolder(modelsFolder, url) : undefined;
  if (file) return file.size;
  const name = cacheNameOf(place);
  if (!('caches' in globalThis) || !(await caches.has(name))) return undefined;
  const response = await (await caches.open(name)).match(url);
  return response && (known ?? Number(response.headers.get('content-length') ?? 0));
}

async function readFileInFolder(folder: string, url: string): Promise<File | undefined> {
  return findFile(folder, await hashedNameOf(url));
}

async function findFile(folder: string, name: string): Promise<File | undefined> {
  try {
    return await (await (await openFolder(folder)).getFileHandle(name)).getFile();
  } catch {
    return undefined;
  }
}

async function deleteFileInFolder(name: string, url: string): Promise<void> {
  try {
    await (await openFolder(name)).removeEntry(await hashedNameOf(url));
  } catch {
    // The file did not exist.
  }
}

async function openFolder(name: string): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(name, { create: true });
}

/** A URL may be too long for a file name, so we hash it. */
async function hashedNameOf(url: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(url))));
}

export function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
