/** Both builds of llama.cpp with the model that ships. Driven by `run.js`. */
import type { ModelSpec, TextEngine } from '../../src/contracts/model';
import { ember } from '../../src/engines/library/built-in';
import { createLlama } from '../../src/engines/llama/engine';
import { createWllama } from '../../src/engines/wllama/engine';
import { measure, scenarios } from './turn';

const file = { ...ember.file, path: new URL(ember.file.path, document.baseURI).href };
const engines: Record<string, { create: () => TextEngine; spec: ModelSpec }> = {
  'small-llama': { create: createLlama, spec: { ...ember, file } },
  // As files that people bring are spoken to: this one only lends its weights.
  wllama: {
    create: createWllama,
    spec: { ...ember, file, engine: 'wllama', format: 'hermes', isSmall: false },
  },
};

async function measureIn(name: string, scenario: number) {
  const { create, spec } = engines[name] ?? { create: createWllama, spec: ember };
  const load = async () => {
    const engine = create();
    await engine.load(spec, { signal: new AbortController().signal, onProgress: () => undefined });
    return { engine, spec };
  };
  return measure(load, scenarios[scenario]?.between ?? []);
}

Object.assign(window, { measureIn });
