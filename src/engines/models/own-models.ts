/** Models of the person's own: by address, by a record as web-llm writes them, or from the disk of this device. */
import type { AddedModel, OwnModel } from '../../contracts/model-name';
import type { ModelSpec } from '../../contracts/model';
import { read, z } from '../../contracts/schema';
import { keep, openKept } from '../../egress/kept-files';
import { firstFilesOf, otherFilesOf } from '../web-llm-files';
import { filesOf } from './files-of';

/** What is typed, as it stands in the fields. */
export interface OwnModelForm {
  modelUrl: string;
  id: string;
  libraryUrl: string;
  overrides: string;
}

/** A host that nothing ever asks: what came from the disk is kept under it. */
const disk = 'https://imported.invalid/';

const Overrides = z.record(z.string(), z.unknown());
/** As in web-llm's own list; ours in their place, with what theirs has no room for. */
const Record = z.object({
  model: z.string(),
  model_id: z.string(),
  model_lib: z.optional(z.string()),
  overrides: z.optional(Overrides),
  family: z.optional(z.enum(['chatml', 'hermes', 'llama3', 'phi4'])),
});

/** `known` are the ids that are taken. */
export function readForm(form: OwnModelForm, known: readonly string[]): AddedModel {
  const text = form.overrides.trim();
  const overrides = text === '' ? {} : parse(text);
  const checked = read(Overrides, overrides);
  if (!checked.ok || Array.isArray(overrides)) return { ok: false, problem: 'overrides' };
  return check(
    {
      model: form.modelUrl.trim(),
      model_id: form.id.trim(),
      model_lib: form.libraryUrl.trim(),
      overrides: checked.value,
    },
    known,
  );
}

/** One record. */
export function readRecord(text: string, known: readonly string[]): AddedModel {
  const checked = read(Record, parse(text));
  return checked.ok ? check(checked.value, known) : { ok: false, problem: 'json' };
}

function check(record: z.infer<typeof Record>, known: readonly string[]): AddedModel {
  const { model, model_id: id, model_lib: library = '', overrides = {}, family } = record;
  if (!isWebAddress(model)) return { ok: false, problem: 'model-url' };
  const isGguf = new URL(model).pathname.toLowerCase().endsWith('.gguf');
  if (!isGguf && !isWebAddress(library)) return { ok: false, problem: 'library-url' };
  if (id === '') return { ok: false, problem: 'id' };
  if (known.includes(id)) return { ok: false, problem: 'known' };
  const engine = isGguf ? 'wllama' : 'web-llm';
  const rest = { ...(library !== '' && { libraryUrl: library }), ...(family && { family }) };
  return { ok: true, model: { id, engine, modelUrl: model, overrides, ...rest } };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A GGUF file, or all files of a folder that holds a model for WebLLM and its library. */
export async function importFiles(files: readonly File[], known: readonly string[]): Promise<AddedModel> {
  try {
    const gguf = files.find(({ name }) => name.toLowerCase().endsWith('.gguf'));
    return await (gguf ? importGguf(gguf, known) : importFolder(files, known));
  } catch (error) {
    const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
    if (isFull) return { ok: false, problem: 'full' };
    throw error;
  }
}

async function importGguf(file: File, known: readonly string[]): Promise<AddedModel> {
  if ((await file.slice(0, 4).text()) !== 'GGUF') return { ok: false, problem: 'not-gguf' };
  const id = file.name.replace(/\.gguf$/i, '');
  if (known.includes(id)) return { ok: false, problem: 'known' };
  const modelUrl = disk + encodeURIComponent(file.name);
  await keep('files', modelUrl, file);
  const model: OwnModel = {
    id,
    engine: 'wllama',
    modelUrl,
    overrides: {},
    isFromDisk: true,
    bytes: file.size,
  };
  return { ok: true, model };
}

async function importFolder(files: readonly File[], known: readonly string[]): Promise<AddedModel> {
  const byName = new Map(files.map((file) => [file.name, file]));
  const config = byName.get('mlc-chat-config.json');
  const tensorCache = byName.get('tensor-cache.json');
  const library = files.find(({ name }) => name.endsWith('.wasm'));
  if (!config || !tensorCache) return { ok: false, problem: 'no-config' };
  if (!library) return { ok: false, problem: 'no-library' };
  const id = config.webkitRelativePath.split('/').at(-2) ?? library.name.replace(/\.wasm$/, '');
  if (known.includes(id)) return { ok: false, problem: 'known' };
  const modelUrl = `${disk}${encodeURIComponent(id)}/resolve/main/`;
  const record = { modelUrl, libraryUrl: modelUrl + encodeURIComponent(library.name), overrides: {} };
  const others = otherFilesOf(record, parse(await config.text()), parse(await tensorCache.text()));
  const first = firstFilesOf(record);
  const named = others.map((file) => ({ ...file, from: byName.get(nameIn(file.url)) }));
  const isWhole = named.every(({ from, bytes }) => from && (bytes === undefined || from.size === bytes));
  if (!isWhole) return { ok: false, problem: 'no-weights' };
  for (const { cache, url, from } of named) if (from) await keep(cache, url, from);
  await keep(first.library.cache, first.library.url, library);
  await keep(first.config.cache, first.config.url, config);
  await keep(first.tensorCache.cache, first.tensorCache.url, tensorCache);
  const all = [config, tensorCache, library, ...named.flatMap(({ from }) => from ?? [])];
  const bytes = all.reduce((sum, { size }) => sum + size, 0);
  return { ok: true, model: { id, engine: 'web-llm', ...record, isFromDisk: true, bytes } };
}

/** The files of a model that is whole on this device, under the names they go by: what `importFiles` takes. */
export async function exportFiles(spec: ModelSpec): Promise<{ name: string; file: Blob }[]> {
  const { files } = await filesOf(spec, {});
  return Promise.all(
    files.map(async ({ place, url }) => ({
      name: nameIn(url),
      file: (await openKept(place, url)) ?? new Blob(),
    })),
  );
}

function nameIn(url: string): string {
  return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
}
