/** Lists the files that WebLLM looks up for a model, with their addresses and caches. The engine itself makes no request. */
import { AppError } from '../../contracts/app-error';
import type { MlcRecord } from '../../contracts/model';
import { read, z } from '../../contracts/schema';
import { readKeptJson } from '../../egress/kept-files';
import type { FilePlan, PlannedFile } from '../engine';

interface ModelFile {
  cache: 'webllm/config' | 'webllm/model' | 'webllm/wasm';
  url: string;
  /** Only known if the list of weights contains it. */
  bytes?: number;
  md5?: string;
}

const ChatConfig = z.object({ tokenizer_files: z.array(z.string()) });
const TensorCache = z.object({
  records: z.array(z.object({ dataPath: z.string(), nbytes: z.number(), md5sum: z.optional(z.string()) })),
});

export function folderOf({ modelUrl }: MlcRecord): string {
  const folder = modelUrl.endsWith('/') ? modelUrl : `${modelUrl}/`;
  return new URL(/.+\/resolve\/.+\//.test(folder) ? folder : `${folder}resolve/main/`).href;
}

/** The library's key in web-llm's cache. Avoids `localhost`, which WebLLM would download every time, ignoring the cache. */
export function libraryKeyOf({ libraryUrl }: MlcRecord): string {
  return libraryUrl.replaceAll('localhost', '127.0.0.1');
}

export function firstFilesOf(record: MlcRecord) {
  const folder = folderOf(record);
  return {
    config: { cache: 'webllm/config', url: new URL('mlc-chat-config.json', folder).href },
    tensorCache: { cache: 'webllm/model', url: new URL('tensor-cache.json', folder).href },
    library: { cache: 'webllm/wasm', url: libraryKeyOf(record) },
  } satisfies Record<string, ModelFile>;
}

/** Reads the remaining files from the contents of the first ones. Throws an `AppError` (`model-damaged`) if those are invalid. */
export function otherFilesOf(record: MlcRecord, config: unknown, tensorCache: unknown): ModelFile[] {
  const folder = folderOf(record);
  const { tokenizer_files: tokenizers } = check(ChatConfig, config, 'mlc-chat-config.json');
  const { records } = check(TensorCache, tensorCache, 'tensor-cache.json');
  const tokenizer = ['tokenizer.json', 'tokenizer.model'].find((name) => tokenizers.includes(name));
  if (tokenizer === undefined) {
    throw new AppError('model-damaged', `No tokenizer that is known: ${tokenizers.join(', ')}`);
  }
  const model = (path: string) => ({ cache: 'webllm/model' as const, url: new URL(path, folder).href });
  return [
    model(tokenizer),
    ...records.map(({ dataPath, nbytes, md5sum }) => ({
      ...model(dataPath),
      bytes: nbytes,
      ...(md5sum !== undefined && { md5: md5sum }),
    })),
  ];
}

/** Returns the addresses of files that are not cached. If there are none, a load needs no network. */
export async function missingFilesOf(record: MlcRecord, storage: CacheStorage): Promise<string[]> {
  const find = async ({ cache, url }: ModelFile) => (await storage.open(cache)).match(url);
  const first = firstFilesOf(record);
  const files = [first.config, first.tensorCache, first.library];
  const found = await Promise.all(files.map(find));
  const missing = files.flatMap(({ url }, at) => (found[at] ? [] : [url]));
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

function check<Schema extends z.ZodMiniType>(schema: Schema, value: unknown, name: string): z.infer<Schema> {
  const checked = read(schema, value);
  if (!checked.ok) throw new AppError('model-damaged', `${name}: ${checked.reason}`);
  return checked.value;
}

export async function planFiles(record: MlcRecord): Promise<FilePlan> {
  const first = firstFilesOf(record);
  const known = firstPlanned(record);
  const [config, tensorCache] = await Promise.all([
    readKeptJson('webllm/config', first.config.url),
    readKeptJson('webllm/model', first.tensorCache.url),
  ]);
  if (config === undefined || tensorCache === undefined) return { files: known, isWhole: false };
  const others = otherFilesOf(record, config, tensorCache).map((file) => toPlanned(file, record));
  return { files: [...known, ...others], isWhole: true };
}

export function firstPlanned(record: MlcRecord): PlannedFile[] {
  return Object.values<ModelFile>(firstFilesOf(record)).map((file) => toPlanned(file, record));
}

export function toPlanned({ cache, url, bytes, md5 }: ModelFile, record: MlcRecord): PlannedFile {
  return {
    url,
    place: cache,
    kind: kindOf(url, record),
    ...(bytes !== undefined && { bytes }),
    ...(md5 !== undefined && { md5 }),
  };
}

function kindOf(url: string, record: MlcRecord): PlannedFile['kind'] {
  if (url === firstFilesOf(record).library.url) return 'wasm';
  return new URL(url).pathname.endsWith('.json') ? 'json' : 'bytes';
}
