/** Loads web-llm's own engine on a fake GPU for tests: everything above the GPU kernels is the shipped code. */
import type { ChatCompletionRequestStreaming } from '@mlc-ai/web-llm';
import type { AppError } from '../../src/contracts/app-error';
import type { MlcRecord, ModelSpec, TextEngine } from '../../src/contracts/model';
import { createEngineOn, type Said, FakeGpu } from '../doubles/scripted-web-llm';
import { createWebLlm, type WebLlmBackend } from '../../src/engines/web-llm/engine';
import { createCacheStorage } from './cache-storage';
import type { MadeTokenizer } from './make-tokenizer';
import { mlcFiles } from './mlc-files';
import { gpu as gpuFacts, record, small } from './web-llm-model';

/** Cached files: text by cache name and address. */
export function filesInCaches(
  model: MlcRecord,
  tokenizer?: MadeTokenizer,
): Record<string, Record<string, string>> {
  const caches: Record<string, Record<string, string>> = {};
  for (const { place, url, text } of mlcFiles(model, tokenizer)) {
    caches[place] = { ...caches[place], [url]: text };
  }
  return caches;
}

export interface LoadedModel {
  spec: ModelSpec;
  engine: TextEngine;
  gpu: FakeGpu;
  requests: ChatCompletionRequestStreaming[];
  faults: AppError[];
  /** Empties the engine's cache, as a different question would. */
  forget: () => Promise<void>;
}

/** Loads web-llm's own engine on a fake GPU. `script`: its replies, in order. */
export async function loadOnFakeGpu(
  script: (string | Said)[],
  changes: Partial<ModelSpec> = {},
  tokenizer?: MadeTokenizer,
): Promise<LoadedModel> {
  const { load, ...prepared } = prepareOnFakeGpu(script, changes, tokenizer);
  await load();
  return prepared;
}

/** Like `loadOnFakeGpu`, but does not load yet. `load` also clears what the load leaves behind. */
export function prepareOnFakeGpu(
  script: (string | Said)[],
  changes: Partial<ModelSpec> = {},
  tokenizer?: MadeTokenizer,
): LoadedModel & { load: () => Promise<void> } {
  const spec = { ...small, ...changes };
  const gpu = new FakeGpu([' 7', 'Hello.']);
  const requests: ChatCompletionRequestStreaming[] = [];
  const faults: AppError[] = [];
  const storage = createCacheStorage(filesInCaches(spec.mlc ?? record, tokenizer));
  setBrowserGlobals(storage);
  let forget: LoadedModel['forget'] = () => Promise.resolve();
  const engine = createWebLlm({
    createBackend(config) {
      const backend = createEngineOn(gpu, config);
      forget = () => backend.resetChat();
      const complete = backend.chatCompletion.bind(backend) as WebLlmBackend['chatCompletion'];
      const noted: Pick<WebLlmBackend, 'chatCompletion'> = {
        chatCompletion(request) {
          requests.push(structuredClone(request));
          return complete(request);
        },
      };
      return Object.assign(backend, noted);
    },
    storage,
    keep: () => Promise.resolve(),
    probe: () => Promise.resolve(gpuFacts),
    silentMs: 60_000,
  });
  const load = async () => {
    await engine.load(spec, {
      signal: new AbortController().signal,
      onProgress: () => undefined,
      onLost: (fault) => faults.push(fault),
    });
    // The load's self-test has also sent requests.
    await forget();
    requests.splice(0);
    gpu.script = script;
  };
  return { spec, engine, gpu, requests, faults, forget: () => forget(), load };
}

/** Sets browser globals that web-llm needs and Node lacks. */
export function setBrowserGlobals(storage: CacheStorage): void {
  Object.assign(globalThis, { caches: storage, location: { origin: 'https://hearth.invalid' } });
}
