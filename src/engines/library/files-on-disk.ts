/** Models that come from the disk of this device, and go to it: a GGUF file, or a folder for WebLLM with its library. */
import { AppError } from '../../contracts/app-error';
import type { DownloadFile } from '../../contracts/download';
import type { MlcRecord, ModelSpec } from '../../contracts/model';
import type { AddedModel, OwnModel } from '../../contracts/model-name';
import { forget, keep, openKept } from '../../egress/kept-files';
import { verifyFile } from '../../egress/verify-file';
import { firstFilesOf, otherFilesOf } from '../web-llm/files';
import { catalog } from './catalog';
import type { Variant } from './entry';
import { filesOf, toDownload } from './files-of';
import { readGgufFacts } from './gguf-facts';

/** A host that nothing ever asks: what came from the disk is kept under it. */
const disk = 'https://imported.invalid/';

/**
 * All files of a folder, or one GGUF file. What was exported on another machine is taken for what it was there: files of
 * a model of the catalog are put where that one looks for them. Nothing stays of what could not be added.
 *
 * `known` are the ids that are taken.
 */
export async function importFiles(files: readonly File[], known: readonly string[]): Promise<AddedModel> {
  try {
    const gguf = files.find(({ name }) => name.toLowerCase().endsWith('.gguf'));
    return await (gguf ? importGguf(gguf, known) : importFolder(files, known));
  } catch (error) {
    const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
    if (isFull) return { ok: false, problem: 'full' };
    if (error instanceof AppError && error.code === 'model-damaged') return { ok: false, problem: 'damaged' };
    throw error;
  }
}

async function importGguf(file: File, known: readonly string[]): Promise<AddedModel> {
  if ((await file.slice(0, 4).text()) !== 'GGUF') return { ok: false, problem: 'not-gguf' };
  const facts = await readGgufFacts(file);
  const listed = findVariant(({ url }) => url !== undefined && isSameName(nameIn(url), file.name));
  const id = listed?.id ?? file.name.replace(/\.gguf$/i, '');
  if (!listed && known.includes(id)) return { ok: false, problem: 'known' };
  const modelUrl = listed?.url ?? disk + encodeURIComponent(file.name);
  await keepAll([{ place: 'files', url: modelUrl, file }]);
  if (listed) return { ok: true, id };
  const model: OwnModel = { id, engine: 'wllama', modelUrl, overrides: {}, bytes: file.size, ...facts };
  return { ok: true, id, model: { ...model, isFromDisk: true } };
}

async function importFolder(files: readonly File[], known: readonly string[]): Promise<AddedModel> {
  const config = files.find(({ name }) => name === 'mlc-chat-config.json');
  // A folder may hold another beside it.
  const folder = files.filter((file) => config && folderOf(file) === folderOf(config));
  const byName = new Map(folder.map((file) => [file.name, file]));
  const tensorCache = byName.get('tensor-cache.json');
  const library = folder.find(({ name }) => name.endsWith('.wasm'));
  if (!config || !tensorCache) return { ok: false, problem: 'no-config' };
  if (!library) return { ok: false, problem: 'no-library' };
  const id = folderOf(config).split('/').at(-1) || library.name.replace(/\.wasm$/, '');
  const listed = findVariant((variant) => variant.id === id);
  if (!listed && known.includes(id)) return { ok: false, problem: 'known' };

  const record = listed?.mlc ?? recordFor(id, library.name);
  const first = firstFilesOf(record);
  const others = otherFilesOf(record, await readJson(config), await readJson(tensorCache));
  const planned = [first.library, first.config, first.tensorCache, ...others].map((file) =>
    toDownload(file, record, file.url),
  );
  const found = planned.map((plan) => ({
    plan,
    // The library goes by another name where the person named it.
    file: plan.url === first.library.url ? library : byName.get(nameIn(plan.url)),
  }));
  const whole = found.flatMap(({ plan, file }) => (file ? [{ plan, file }] : []));
  if (whole.length < found.length) return { ok: false, problem: 'no-weights' };
  for (const { plan, file } of whole) {
    if (!(await verifyFile(file, plan)).ok) return { ok: false, problem: 'damaged' };
  }
  await keepAll(whole.map(({ plan: { place, url }, file }) => ({ place, url, file })));
  if (listed) return { ok: true, id };
  const bytes = whole.reduce((sum, { file }) => sum + file.size, 0);
  return { ok: true, id, model: { id, engine: 'web-llm', ...record, isFromDisk: true, bytes } };
}

function recordFor(id: string, libraryName: string): MlcRecord {
  const modelUrl = `${disk}${encodeURIComponent(id)}/resolve/main/`;
  return { modelUrl, libraryUrl: modelUrl + encodeURIComponent(libraryName), overrides: {} };
}

async function keepAll(
  files: readonly (Pick<DownloadFile, 'place' | 'url'> & { file: Blob })[],
): Promise<void> {
  try {
    for (const { place, url, file } of files) await keep(place, url, file);
  } catch (error) {
    await forget(files);
    throw error;
  }
}

/** The files of a model that is whole on this device, under the names they go by: what `importFiles` takes. */
export async function exportFiles(spec: ModelSpec): Promise<{ name: string; file: Blob }[]> {
  const { files } = await filesOf(spec, {});
  return Promise.all(
    files.map(async ({ place, url }) => {
      const file = await openKept(place, url);
      if (!file) throw new AppError('model-not-downloaded', `Not on this device: ${url}`);
      return { name: nameIn(url), file };
    }),
  );
}

/** With what the files of it say, which have come by now. */
export async function describeOwn(own: OwnModel, spec: ModelSpec): Promise<OwnModel> {
  const files = await exportFiles(spec);
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  const [weights] = files;
  const facts = own.engine === 'wllama' && weights ? await readGgufFacts(weights.file) : {};
  // What the person said of it counts for more.
  return { ...facts, ...own, bytes };
}

function findVariant(isIt: (variant: Variant) => boolean): Variant | undefined {
  return catalog.flatMap(({ variants }) => variants).find(isIt);
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** '' where the browser does not say. */
function folderOf({ webkitRelativePath: path }: File): string {
  return path.split('/').slice(0, -1).join('/');
}

async function readJson(file: Blob): Promise<unknown> {
  try {
    return JSON.parse(await file.text()) as unknown;
  } catch {
    return undefined;
  }
}

function nameIn(url: string): string {
  return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
}
