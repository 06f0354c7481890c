/** Stores model files on this device: complete files where engines look for them, partial downloads, and saved engine states. */
import type { DownloadFile } from '../contracts/egress';

export interface StoredSize {
  isWhole: boolean;
  bytes: number;
}

type Place = DownloadFile['place'];
type StoredFile = Pick<DownloadFile, 'url' | 'place'>;

const partsFolder = 'parts';
const filesFolder = 'models';
const statesFolder = 'model-states';

export function storedSizesOf(
  files: readonly (StoredFile & Pick<DownloadFile, 'bytes'>)[],
): Promise<StoredSize[]> {
  return Promise.all(
    files.map(async ({ url, place, bytes }) => {
      const whole = await completeSizeOf(place, url, bytes);
      if (whole !== undefined) return { isWhole: true, bytes: whole };
      return { isWhole: false, bytes: (await readFile(partsFolder, url))?.size ?? 0 };
    }),
  );
}

export type IsStored = (file: StoredFile) => Promise<boolean>;

/** Lists all files in one pass, because checking the files of a hundred models one by one takes a second. */
export async function listStoredFiles(): Promise<IsStored> {
  const [cached, parts, whole] = await Promise.all([
    cachedAddresses(),
    namesIn(partsFolder),
    namesIn(filesFolder),
  ]);
  return async ({ url, place }) => {
    if (cached.has(`${place} ${new URL(url).href}`)) return true;
    if (parts.size + whole.size === 0) return false;
    const name = await nameOf(url);
    return parts.has(name) || (place === 'files' && whole.has(name));
  };
}

async function cachedAddresses(): Promise<Set<string>> {
  const addresses = new Set<string>();
  if (!('caches' in globalThis)) return addresses;
  for (const place of await caches.keys()) {
    for (const { url } of await (await caches.open(place)).keys()) addresses.add(`${place} ${url}`);
  }
  return addresses;
}

async function namesIn(folder: string): Promise<Set<string>> {
  const names = new Set<string>();
  try {
    for await (const name of (await openFolder(folder)).keys()) names.add(name);
  } catch {
    // This browser has no private file system.
  }
  return names;
}

export async function readKeptJson(place: Exclude<Place, 'files'>, url: string): Promise<unknown> {
  const response = await (await caches.open(place)).match(url);
  return response?.json().catch(() => undefined);
}

/** Reads the content on demand, because memory may not hold a model twice. */
export async function openStoredFile(place: Place, url: string): Promise<Blob | undefined> {
  if (place === 'files') return readFile(filesFolder, url);
  return (await (await caches.open(place)).match(url))?.blob();
}

export async function storeFile(place: Place, url: string, file: Blob): Promise<void> {
  if (place === 'files') await writeFile(filesFolder, await nameOf(url), file);
  else await writeToCache(place, url, file);
  await deletePart(url);
}

export async function deleteFiles(files: readonly StoredFile[]): Promise<void> {
  for (const { url, place } of files) {
    if (place === 'files') {
      await removeFile(filesFolder, url);
      for (const { name } of await statesOf(url)) await (await openFolder(statesFolder)).removeEntry(name);
    } else {
      await (await caches.open(place)).delete(url);
    }
    await deletePart(url);
  }
}

export async function deletePart(url: string): Promise<void> {
  await removeFile(partsFolder, url);
  await removeFile(partsFolder, markUrlOf(url));
}

/** Maximum number of saved states per model. Beyond it, the oldest are deleted. */
const maxStates = 4;

/** Opens a saved engine state. Undefined if it does not exist. `name`: letters and digits only. */
export async function openState(modelUrl: string, name: string): Promise<File | undefined> {
  try {
    const handle = await (await openFolder(statesFolder)).getFileHandle(await stateName(modelUrl, name));
    return await handle.getFile();
  } catch {
    return undefined;
  }
}

export async function keepState(modelUrl: string, name: string, state: Blob): Promise<void> {
  await writeFile(statesFolder, await stateName(modelUrl, name), state);
  const all = (await statesOf(modelUrl)).filter(({ name }) => !name.endsWith(threadsName));
  const surplus = all.toSorted((a, b) => b.lastModified - a.lastModified).slice(maxStates);
  for (const old of surplus) await (await openFolder(statesFolder)).removeEntry(old.name);
}

const threadsName = 'threads';

/** Numbers of threads for writing a reply and for reading a prompt. */
export interface ThreadCounts {
  writing: number;
  reading: number;
}

export async function readThreads(modelUrl: string): Promise<ThreadCounts | undefined> {
  const file = await openState(modelUrl, threadsName);
  const text = await file?.text().catch(() => undefined);
  const [writing = NaN, reading = NaN] = (text ?? '').split(' ').map(Number);
  return Number.isInteger(writing) && Number.isInteger(reading) ? { writing, reading } : undefined;
}

export async function keepThreads(modelUrl: string, { writing, reading }: ThreadCounts): Promise<void> {
  await keepState(modelUrl, threadsName, new Blob([`${writing} ${reading}`]));
}

async function statesOf(modelUrl: string): Promise<File[]> {
  const files: File[] = [];
  const beginning = await nameOf(modelUrl);
  try {
    for await (const entry of (await openFolder(statesFolder)).values()) {
      if (entry.kind === 'file' && entry.name.startsWith(beginning)) files.push(await entry.getFile());
    }
  } catch {
    // This browser has no private file system.
  }
  return files;
}

async function stateName(modelUrl: string, name: string): Promise<string> {
  return `${await nameOf(modelUrl)}-${name}`;
}

export async function partHandle(url: string): Promise<FileSystemFileHandle> {
  return (await openFolder(partsFolder)).getFileHandle(await nameOf(url), { create: true });
}

export async function completePart({ place, url }: StoredFile): Promise<void> {
  const handle = await partHandle(url);
  if (place === 'files') {
    // Every browser with a private file system has `move`, but the DOM types lack it.
    const movable = handle as FileSystemFileHandle & {
      move(to: FileSystemDirectoryHandle, name: string): Promise<void>;
    };
    await movable.move(await openFolder(filesFolder), await nameOf(url));
  } else {
    await writeToCache(place, url, await handle.getFile());
  }
  await deletePart(url);
}

/** The mark of a partial download identifies the server's file. */
export async function readMark(url: string): Promise<string | undefined> {
  return (await readFile(partsFolder, markUrlOf(url)))?.text();
}

export async function writeMark(url: string, mark: string): Promise<void> {
  await writeFile(partsFolder, await nameOf(markUrlOf(url)), new Blob([mark]));
}

const markUrlOf = (url: string) => `${url}#mark`;

async function writeToCache(place: Exclude<Place, 'files'>, url: string, file: Blob): Promise<void> {
  // Browsers only compile WebAssembly while it loads if it has the right content type.
  const type = place === 'webllm/wasm' ? 'application/wasm' : 'application/octet-stream';
  const headers = { 'content-length': String(file.size), 'content-type': type };
  await (await caches.open(place)).put(url, new Response(file, { headers }));
}

async function writeFile(folder: string, name: string, content: Blob): Promise<void> {
  const handle = await (await openFolder(folder)).getFileHandle(name, { create: true });
  await content.stream().pipeTo(await handle.createWritable());
}

async function completeSizeOf(place: Place, url: string, known?: number): Promise<number | undefined> {
  if (place === 'files') return (await readFile(filesFolder, url))?.size;
  if (!('caches' in globalThis) || !(await caches.has(place))) return undefined;
  const response = await (await caches.open(place)).match(url);
  return response && (known ?? Number(response.headers.get('content-length') ?? 0));
}

async function readFile(name: string, url: string): Promise<File | undefined> {
  try {
    return await (await (await openFolder(name)).getFileHandle(await nameOf(url))).getFile();
  } catch {
    return undefined;
  }
}

async function removeFile(name: string, url: string): Promise<void> {
  try {
    await (await openFolder(name)).removeEntry(await nameOf(url));
  } catch {
    // The file did not exist.
  }
}

async function openFolder(name: string): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(name, { create: true });
}

/** Hashes the URL, because it may be too long for a file name. */
async function nameOf(url: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(url))));
}

export function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
