/** Chooses, downloads and starts one of our three builds of llama.cpp. To build them: engine/README.md. */
import plainScript from '../../../engine/dist/llama-plain.js?url';
import plainWasm from '../../../engine/dist/llama-plain.wasm?url';
import wllamaUrl from '@wllama/wllama/esm/wasm/wllama.wasm?url';
import relaxedScript from '../../../engine/dist/llama-relaxed.js?url';
import relaxedWasm from '../../../engine/dist/llama-relaxed.wasm?url';
import threadsScript from '../../../engine/dist/llama-threads.js?url';
import threadsWasm from '../../../engine/dist/llama-threads.wasm?url';
import { AppError, writeError } from '../../contracts/app-error';
import { compileSiteFile, isCached, cacheForOffline } from '../../egress/own-files';
import { hasRelaxedSimd, hasSharedMemory } from '../../platform/wasm-features';

/** The published GPU build that wllama 3 runs. Hearth stores it only along with a model that needs it. */
export const wllamaWasmUrl = toAbsoluteUrl(wllamaUrl);

type BuildName = 'threads' | 'relaxed' | 'plain';

const filesByBuild: Readonly<Record<BuildName, { script: string; wasm: string }>> = {
  threads: { script: toAbsoluteUrl(threadsScript), wasm: toAbsoluteUrl(threadsWasm) },
  relaxed: { script: toAbsoluteUrl(relaxedScript), wasm: toAbsoluteUrl(relaxedWasm) },
  plain: { script: toAbsoluteUrl(plainScript), wasm: toAbsoluteUrl(plainWasm) },
};

function toAbsoluteUrl(url: string): string {
  return new URL(url, import.meta.url).href;
}

/** Returns the builds that this browser runs, fastest first. */
function listBuilds(): readonly [BuildName, ...BuildName[]] {
  if (!hasRelaxedSimd()) return ['plain'];
  return hasSharedMemory() ? ['threads', 'relaxed', 'plain'] : ['relaxed', 'plain'];
}

interface ProgramHost {
  /** Copies bytes of the model file to llama.cpp's memory. Returns their number. */
  readFile: (target: number, offset: number, size: number) => number;
  isStopped: () => boolean;
}

/** The functions of engine/src/hearth.cpp, which documents them. A pointer is a number, and 0 is null. */
export interface Program {
  readonly wasmMemory: WebAssembly.Memory;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  _hearth_fault(): number;
  _hearth_has_read_weights(): number;
  _hearth_load(
    fileBytes: number,
    contextTokens: number,
    batchTokens: number,
    threads: number,
    use: number,
  ): number;
  _hearth_free(session: number): void;
  _hearth_set_threads(session: number, writing: number, reading: number): void;
  _hearth_context_tokens(session: number): number;
  _hearth_vocabulary_size(session: number): number;
  _hearth_tokenize(session: number, text: number, bytes: number, addsBegin: boolean): number;
  _hearth_tokens(session: number): number;
  _hearth_read_piece(session: number, token: number): number;
  _hearth_piece(session: number): number;
  _hearth_ends_reply(session: number, token: number): number;
  _hearth_add_end(session: number, token: number): void;
  _hearth_decode(session: number, tokens: number, count: number): number;
  _hearth_keep(session: number, count: number): number;
  _hearth_begin_reply(
    session: number,
    temperature: number,
    topK: number,
    topP: number,
    minP: number,
    loopLength: number,
    seed: number,
    grammar: number,
  ): number;
  _hearth_sample(session: number): number;
  _hearth_rank(session: number, count: number): number;
  _hearth_embed(session: number, tokens: number, count: number): number;
  _hearth_vector_size(session: number): number;
  _hearth_state_size(session: number): number;
  _hearth_save_state(session: number, target: number, size: number): number;
  _hearth_restore_state(session: number, source: number, size: number): number;
}

export type FetchedProgram = Awaited<ReturnType<typeof fetchBuild>>;

/** `threads`: maximum number of threads that will run. Rejects with an `AppError` or the reason of `signal`. */
export async function fetchProgram(threads: number, signal: AbortSignal): Promise<FetchedProgram> {
  const [best, ...others] = listBuilds();
  try {
    return await fetchBuild(best, threads, signal);
  } catch (error) {
    // After an update, the browser may run a faster build than the cached one. Offline, only the cached build loads.
    for (const build of others) {
      if (await isCached(filesByBuild[build].wasm)) return fetchBuild(build, threads, signal);
    }
    throw error;
  }
}

async function fetchBuild(build: BuildName, threads: number, signal: AbortSignal) {
  const { script, wasm } = filesByBuild[build];
  const [{ default: createLlama }, module] = await Promise.all([
    importScript(script),
    compileSiteFile(wasm, signal),
  ]);
  const maxThreads = build === 'threads' ? threads : 1;
  return {
    fileName: wasm.split('/').at(-1) ?? '',
    maxThreads,
    start: (host: ProgramHost): Promise<Program> =>
      createLlama({
        hearth: host,
        threads: maxThreads,
        instantiateWasm(imports: WebAssembly.Imports, onInstance: (...made: unknown[]) => void) {
          void WebAssembly.instantiate(module, imports).then((instance) => onInstance(instance, module));
          return {};
        },
        // Start threads from a blob, so the page's content security policy applies to them.
        mainScriptUrlOrBlob: new Blob([`import ${JSON.stringify(script)};`], { type: 'text/javascript' }),
        print: () => undefined,
        printErr: () => undefined,
      }),
  };
}

export async function keepBuildForOffline(): Promise<void> {
  const { script, wasm } = filesByBuild[listBuilds()[0]];
  await Promise.all([cacheForOffline(script), cacheForOffline(wasm)]);
}

async function importScript(url: string) {
  try {
    return (await import(/* @vite-ignore */ url)) as { default: (options: object) => Promise<Program> };
  } catch (error) {
    const detail = `llama.cpp could not be fetched: ${writeError(error)}`;
    throw new AppError('model-unreachable', detail, { cause: error });
  }
}
