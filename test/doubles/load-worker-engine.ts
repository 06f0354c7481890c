/** Replaces src/engines/load-worker-engine.ts in the build for end-to-end tests. A script controls replies and failures. */
import type { ModelSpec, TextEngine } from '../../src/contracts/model';
import { fetchCode } from '../../src/engines/engine';
import { loadWorkerEngine as loadShipped } from '../../src/engines/load-worker-engine';

export { loadEmbedder } from '../../src/engines/load-worker-engine';

const doubles: Readonly<Record<string, () => Promise<TextEngine>>> = {
  // Runs without a GPU.
  'web-llm': async () => (await import('./scripted-web-llm')).createScriptedWebLlm(),
  scripted: async () => (await import('./scripted')).createScripted(),
};

export async function loadWorkerEngine(spec: ModelSpec): Promise<TextEngine> {
  const load = doubles[spec.engine];
  return load ? fetchCode(spec.engine, load()) : loadShipped(spec);
}
