/** Starts the older wllama with a model's file: fetches both, and says what is wrong where it would hang or keep silent. */
import type { LoadModelConfig, Wllama } from 'wllama-2/esm/index.js';
import wasmUrl from 'wllama-2/esm/single-thread/wllama.wasm?url';
import { AppError, writeError } from '../../contracts/app-error';
import type { LoadOptions, ModelSpec } from '../../contracts/model';
import { checkOwnFile, openOwnFile } from '../../egress/own-files';
import { brokenDown, faultIn } from '../gguf/errors';
import { expandWeights } from './dequantize';
import { type GgufFile, readGguf } from '../gguf/header';
import { isOfSite, readWeights } from '../gguf/read-weights';
import { settleInTime, type StartClock } from '../gguf/settle-in-time';
import { createByteReader } from './byte-reader';

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
  const clock: { current?: StartClock } = {};
  const onStart = () => onProgress({ step: 'start', loadedBytes: 0, totalBytes: 0 });
  const [{ Wllama }, { file, header }] = await Promise.all([
    fetchLibrary(),
    isOfSite(model.file.path)
      ? openPacked(model, options, clock, onStart)
      : openWhole(model, options, onStart),
    checkOwnFile(wasm, { signal, magic: '\0asm' }),
  ]);
  const ignore = () => undefined;
  const complaints: string[] = [];
  const complain = (...parts: unknown[]) => void complaints.push(parts.map(String).join(' '));
  const logger = { debug: ignore, log: ignore, warn: ignore, error: complain };
  const wllama = new Wllama({ 'single-thread/wllama.wasm': wasm }, { logger });
  const load = () =>
    withDocument(() =>
      wllama.loadModel([file], {
        n_ctx: model.contextTokens,
        n_threads: 1,
        // Half the memory of F32, and without flash attention nearly as quick: docs/decisions/2026-11-26-one-model-for-all-tabs.md.
        cache_type_k: 'q8_0',
        cache_type_v: 'f16',
        flash_attn: false,
        ...configure(header),
      }),
    );
  await settleInTime((running) => {
    clock.current = running;
    return load().catch((error: unknown) => {
      throw error instanceof AppError ? error : (faultIn(complaints) ?? brokenDown(error));
    });
  }, signal);
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

/** What a person brings may be too large to be written out in full. */
async function openWhole(model: ModelSpec, options: LoadOptions, onStart: () => void) {
  const file = await readWeights(model, options);
  const { header } = await readGguf(file);
  onStart();
  return { file, header };
}

/** Of this site: no more of it is in memory than what llama.cpp has not taken yet. */
async function openPacked(
  { file: { path, bytes: fileBytes } }: ModelSpec,
  { signal, onProgress }: LoadOptions,
  clock: { current?: StartClock },
  onStart: () => void,
) {
  const pieces = await openOwnFile(path, {
    ...{ signal, magic: 'GGUF', expectedBytes: fileBytes },
    onProgress: (loadedBytes) => onProgress({ step: 'weights', loadedBytes, totalBytes: fileBytes }),
  });
  const bytes = createByteReader(untimed(pieces, clock, onStart));
  const gguf = await bytes.readHeader();
  return { file: expandWeights({ bytes, fileBytes, gguf }), header: gguf.header };
}

/** The start of the engine is not to blame for a slow network. */
async function* untimed(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
  clock: { current?: StartClock },
  onEnd: () => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  clock.current?.stop();
  for await (const piece of pieces) {
    clock.current?.run();
    yield piece;
    clock.current?.stop();
  }
  clock.current?.run();
  onEnd();
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
