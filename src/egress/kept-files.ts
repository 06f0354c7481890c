/** Stores model files on this device: complete files where engines look for them, partial downloads, and saved engine states. */
import type { DownloadFile } from '../contracts/egress';

type StorageArea = DownloadFile['place'];
type StoredFile = Pick<DownloadFile, 'url' | 'place'>;

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
    if (cached.has(`${place} ${new URL(url).href}`)) return true;
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
  if (place === 'files') return readFileInFolder(modelsFolder, url);
  return (await (await caches.open(place)).match(url))?.blob();
}

export async function storeFile(place: StorageArea, url: string, file: Blob): Promise<void> {
  if (place === 'files') await writeFileInFolder(modelsFolder, await hashedNameOf(url), file);
  else await writeToCache(place, url, file);
  await deletePartialDownload(url);
}

export async function deleteFiles(files: readonly StoredFile[]): Promise<void> {
  for (const { url, place } of files) {
    if (place === 'files') {
      await deleteFileInFolder(modelsFolder, url);
      for (const { name } of await listEngineStates(url))
        await (await openFolder(statesFolder)).removeEntry(name);
    } else {
      await (await caches.open(place)).delete(url);
    }
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

export async function openPartialDownloadHandle(url: string): Promise<FileSystemFileHandle> {
  return (await openFolder(partialFilesFolder)).getFileHandle(await hashedNameOf(url), { create: true });
}

export async function completeDownload({ place, url }: StoredFile): Promise<void> {
  const handle = await openPartialDownloadHandle(url);
  if (place === 'files') {
    // Every browser with a private file system has `move`, but the DOM types lack it.
    const movable = handle as FileSystemFileHandle & {
      move(to: FileSystemDirectoryHandle, name: string): Promise<void>;
    };
    await movable.move(await openFolder(modelsFolder), await hashedNameOf(url));
  } else {
    await writeToCache(place, url, await handle.getFile());
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

async function writeToCache(place: Exclude<StorageArea, 'files'>, url: string, file: Blob): Promise<void> {
  // Browsers only compile WebAssembly during loading if it has the right content type.
  const type = place === 'webllm/wasm' ? 'application/wasm' : 'application/octet-stream';
  const headers = { 'content-length': String(file.size), 'content-type': type };
  await (await caches.open(place)).put(url, new Response(file, { headers }));
}

async function writeFileInFolder(folder: string, name: string, content: Blob): Promise<void> {
  const handle = await (await openFolder(folder)).getFileHandle(name, { create: true });
  await content.stream().pipeTo(await handle.createWritable());
}

async function findStoredSize(place: StorageArea, url: string, known?: number): Promise<number | undefined> {
  if (place === 'files') return (await readFileInFolder(modelsFolder, url))?.size;
  if (!('caches' in globalThis) || !(await caches.has(place))) return undefined;
  const response = await (await caches.open(place)).match(url);
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
