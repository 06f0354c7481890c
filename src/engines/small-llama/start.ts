/** Starts the older wllama with a model's file: fetches both, and says what is wrong where it would hang or keep silent. */
import type { LoadModelConfig, Wllama } from 'wllama-2/esm/index.js';
import wasmUrl from 'wllama-2/esm/single-thread/wllama.wasm?url';
import { AppError, writeError } from '../../contracts/app-error';
import type { LoadOptions, ModelSpec } from '../../contracts/model';
import { checkOwnFile } from '../../egress/own-files';
import { brokenDown, faultIn } from '../gguf/errors';
import { expandWeights } from './dequantize';
import { type GgufFile, readGguf } from '../gguf/header';
import { isOfSite, readWeights } from '../gguf/read-weights';
import { settleInTime } from '../gguf/settle-in-time';

export interface Started {
  wllama: Wllama;
  header: GgufFile['header'];
}

/** `configure` says what is other than for a chat. Rejects with an `AppError`. */
export async function startSmallLlama(
  model: ModelSpec,
  options: LoadOptions,
  configure: (header: GgufFile['header']) => LoadModelConfig = () => ({}),
): Promise<Started> {
  const { signal, onProgress } = options;
  const wasm = new URL(wasmUrl, import.meta.url).href;
  // Side by side: on a fresh visit each comes from the network. wllama fetches the wasm again, from the cache.
  const [{ Wllama }, { file, header }] = await Promise.all([
    fetchLibrary(),
    readAndExpand(model, options),
    checkOwnFile(wasm, { signal, magic: '\0asm' }),
  ]);
  onProgress({ step: 'start', loadedBytes: 0, totalBytes: 0 });
  const ignore = () => undefined;
  const complaints: string[] = [];
  const complain = (...parts: unknown[]) => void complaints.push(parts.map(String).join(' '));
  const logger = { debug: ignore, log: ignore, warn: ignore, error: complain };
  const wllama = new Wllama({ 'single-thread/wllama.wasm': wasm }, { logger });
  const loading = withDocument(() =>
    wllama.loadModel([file], {
      n_ctx: model.contextTokens,
      n_threads: 1,
      // The quickest for a model that fits in them: docs/decisions/2026-11-21-wllama.md.
      cache_type_k: 'f32',
      cache_type_v: 'f32',
      flash_attn: false,
      ...configure(header),
    }),
  );
  await settleInTime(
    loading.catch((error: unknown) => {
      throw faultIn(complaints) ?? brokenDown(error);
    }),
    signal,
  );
  return { wllama, header };
}

async function fetchLibrary() {
  try {
    return await import('wllama-2/esm/index.js');
  } catch (error) {
    throw new AppError('model-unreachable', `The engine could not be fetched: ${writeError(error)}`, {
      cause: error,
    });
  }
}

async function readAndExpand(model: ModelSpec, options: LoadOptions) {
  const file = await readWeights(model, options);
  const gguf = await readGguf(file);
  // What a person brings may be too large to be written out in full.
  const weights = isOfSite(model.file.path) ? await expandWeights(file, gguf) : file;
  return { file: weights, header: gguf.header };
}

/** This wllama asks the document where the page is, while it loads; a worker has none. */
async function withDocument<T>(work: () => Promise<T>): Promise<T> {
  if ('document' in globalThis) return await work();
  Object.assign(globalThis, { document: { baseURI: globalThis.location.href } });
  try {
    return await work();
  } finally {
    Reflect.deleteProperty(globalThis, 'document');
  }
}
