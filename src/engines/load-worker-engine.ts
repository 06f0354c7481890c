/** Imports engines for the model worker. The page must not import this file, or it bundles another 6 MB. Test builds replace it (scripts/use-doubles.js). */
import { AppError } from '../contracts/app-error';
import type { ModelSpec, TextEngine } from '../contracts/model';
import type { Embed } from '../contracts/tool';
import { fetchCode } from './engine';

export const engineLoaders: Readonly<Record<string, (spec: ModelSpec) => Promise<TextEngine>>> = {
  llama: async ({ hardware }) =>
    hardware?.isOnGpu
      ? (await import('./wllama/engine')).createWllama()
      : (await import('./llama/engine')).createLlama(),
  'web-llm': async () => (await import('./web-llm/engine')).createWebLlm(),
};

export async function loadWorkerEngine(spec: ModelSpec): Promise<TextEngine> {
  const { engine } = spec;
  const load = engineLoaders[engine];
  if (!load) throw new AppError('engine-crashed', `No engine of the worker: "${engine}".`);
  return fetchCode(engine, load(spec));
}

/** Loads a GGUF model that computes embeddings. Rejects with an `AppError`. */
export async function loadEmbedder(model: ModelSpec, signal: AbortSignal): Promise<Embed> {
  const { createLlamaEmbedder } = await fetchCode('llama', import('./llama/engine'));
  return createLlamaEmbedder(model, signal);
}
