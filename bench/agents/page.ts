/** Runs llama.cpp with the model that ships. Driven by `run.js`. */
import type { ModelSpec, TextEngine } from '../../src/contracts/model';
import { ember } from '../../src/ember/spec';
import { createLlama } from '../../src/engines/llama/engine';
import { measure, scenarios } from './turn';

const file = { ...ember.file, path: new URL(ember.file.path, document.baseURI).href };
const engines: Record<string, { create: () => TextEngine; spec: ModelSpec }> = {
  Ember: { create: createLlama, spec: { ...ember, file } },
  // Prompted like a file that the user brings. It only borrows Ember's weights.
  GGUF: { create: createLlama, spec: { ...ember, file, format: 'hermes', isSmall: false } },
};

async function measureIn(name: string, scenario: number) {
  const { create, spec } = engines[name] ?? { create: createLlama, spec: ember };
  const load = async () => {
    const engine = create();
    await engine.load(spec, { signal: new AbortController().signal, onProgress: () => undefined });
    return { engine, spec };
  };
  return measure(load, scenarios[scenario]?.between ?? []);
}

Object.assign(window, { measureIn });
