/**
 * The code of the engines that run in the model worker, by engine id. Only that worker imports this file: otherwise the engines would be
 * built for the page too, and every visitor would store a second copy of 6 MB.
 */
import { AppError } from '../contracts/app-error';
import type { ModelSpec, TextEngine } from '../contracts/model';
import type { Embed } from '../contracts/tool';
import { fetchCode } from './fetch-code';

const codes: Readonly<Record<string, (spec: Pick<ModelSpec, 'hardware'>) => Promise<TextEngine>>> = {
  llama: async ({ hardware }) =>
    hardware?.isOnGpu
      ? (await import('./wllama/engine')).createWllama()
      : (await import('./llama/engine')).createLlama(),
  'web-llm':
    import.meta.env.MODE === 'e2e'
      ? // Without a GPU, and failing where it is told to.
        async () => (await import('./doubles/scripted-web-llm')).createScriptedWebLlm()
      : async () => (await import('./web-llm/engine')).createWebLlm(),
  ...(import.meta.env.MODE === 'e2e' && {
    scripted: async () => (await import('./doubles/scripted')).createScripted(),
  }),
};

export const workerEngines: readonly string[] = Object.keys(codes);

export async function loadWorkerEngine(spec: Pick<ModelSpec, 'engine' | 'hardware'>): Promise<TextEngine> {
  const { engine } = spec;
  const load = codes[engine];
  if (!load) throw new AppError('engine-crashed', `No engine of the worker: "${engine}".`);
  return fetchCode(engine, load(spec));
}

/** Loads a GGUF file that makes embeddings, in whichever engine runs it. Rejects with an `AppError`. */
export async function loadEmbedder(model: ModelSpec, signal: AbortSignal): Promise<Embed> {
  const { createLlamaEmbedder } = await fetchCode('llama', import('./llama/engine'));
  return createLlamaEmbedder(model, signal);
}
