/** Lists the files that WebLLM needs for a model, with addresses and caches. The engine itself makes no requests. */
import { AppError } from '../../contracts/app-error';
import type { MlcRecord, ModelSpec } from '../../contracts/model';
import { read, z } from '../../contracts/schema';
import { readCachedJson } from '../../egress/kept-files';
import type { FilePlan, PlannedFile } from '../engine';

const ChatConfig = z.object({ tokenizer_files: z.array(z.string()) });
const TensorCache = z.object({
  records: z.array(z.object({ dataPath: z.string(), nbytes: z.number(), md5sum: z.optional(z.string()) })),
});

export function recordOf({ id, mlc }: ModelSpec): MlcRecord {
  if (!mlc) throw new AppError('engine-crashed', `${id} has no record for WebLLM.`);
  return mlc;
}

export function folderOf({ modelUrl }: MlcRecord): string {
  const folder = modelUrl.endsWith('/') ? modelUrl : `${modelUrl}/`;
  return new URL(/.+\/resolve\/.+\//.test(folder) ? folder : `${folder}resolve/main/`).href;
}

/** Returns the library's cache key. Replaces `localhost`, because WebLLM ignores its cache for that host. */
export function libraryKeyOf({ libraryUrl }: MlcRecord): string {
  return libraryUrl.replaceAll('localhost', '127.0.0.1');
}

export function firstFilesOf(record: MlcRecord) {
  const folder = folderOf(record);
  return {
    config: { place: 'webllm/config', kind: 'json', url: new URL('mlc-chat-config.json', folder).href },
    tensorCache: { place: 'webllm/model', kind: 'json', url: new URL('tensor-cache.json', folder).href },
    library: { place: 'webllm/wasm', kind: 'wasm', url: libraryKeyOf(record) },
  } satisfies Record<string, PlannedFile>;
}

/** Lists the tokenizer and weights files that `config` and `tensorCache` name. Throws an `AppError` (`model-damaged`) if one is invalid. */
export function otherFilesOf(record: MlcRecord, config: unknown, tensorCache: unknown): PlannedFile[] {
  const folder = folderOf(record);
  const { tokenizer_files: tokenizers } = validateFile(ChatConfig, config, 'mlc-chat-config.json');
  const { records } = validateFile(TensorCache, tensorCache, 'tensor-cache.json');
  const tokenizer = ['tokenizer.json', 'tokenizer.model'].find((name) => tokenizers.includes(name));
  if (tokenizer === undefined) {
    throw new AppError('model-damaged', `No tokenizer that is known: ${tokenizers.join(', ')}`);
  }
  const fileAt = (path: string): PlannedFile => {
    const { href, pathname } = new URL(path, folder);
    return { place: 'webllm/model', kind: pathname.endsWith('.json') ? 'json' : 'bytes', url: href };
  };
  return [
    fileAt(tokenizer),
    ...records.map(({ dataPath, nbytes: bytes, md5sum: md5 }) => ({ ...fileAt(dataPath), bytes, md5 })),
  ];
}

/** Resolves to the addresses of files that are not cached. If there are none, a load needs no network. */
export async function findMissingFiles(record: MlcRecord, storage: CacheStorage): Promise<string[]> {
  const find = async ({ place, url }: PlannedFile) => (await storage.open(place)).match(url);
  const first = planFirstFiles(record);
  const found = await Promise.all(first.map(find));
  const missing = first.flatMap(({ url }, at) => (found[at] ? [] : [url]));
  const [config, tensorCache] = found;
  if (!config || !tensorCache) return missing;

  const others = otherFilesOf(record, await readJson(config), await readJson(tensorCache));
  const kept = new Set((await (await storage.open('webllm/model')).keys()).map(({ url }) => url));
  return [...missing, ...others.flatMap(({ url }) => (kept.has(url) ? [] : [url]))];
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return (await response.json()) as unknown;
  } catch (error) {
    throw new AppError('model-damaged', `${response.url} is not JSON.`, { cause: error });
  }
}

function validateFile<Schema extends z.ZodMiniType>(schema: Schema, value: unknown, name: string) {
  const checked = read(schema, value);
  if (!checked.ok) throw new AppError('model-damaged', `${name}: ${checked.reason}`);
  return checked.value;
}

export async function planFiles(record: MlcRecord): Promise<FilePlan> {
  const first = firstFilesOf(record);
  const known = planFirstFiles(record);
  const [config, tensorCache] = await Promise.all([
    readCachedJson('webllm/config', first.config.url),
    readCachedJson('webllm/model', first.tensorCache.url),
  ]);
  if (config === undefined || tensorCache === undefined) return { files: known, isWhole: false };
  return { files: [...known, ...otherFilesOf(record, config, tensorCache)], isWhole: true };
}

export const planFirstFiles = (record: MlcRecord): PlannedFile[] => Object.values(firstFilesOf(record));
