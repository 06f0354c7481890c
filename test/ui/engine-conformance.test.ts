/** The engine that needs a browser: our build of llama.cpp with the model that ships. */
import type { ModelSpec } from '../../src/contracts/model';
import { ember } from '../../src/ember/spec';
import { createLlama } from '../../src/engines/llama/engine';
import { holdEngine } from '../support/engine-conformance';
import { takesSlow } from '../support/matrix';

const path = new URL(`/${ember.file.path}`, document.baseURI).href;
const spec: ModelSpec = { ...ember, file: { ...ember.file, path } };

holdEngine({
  name: 'llama',
  readsAhead: true,
  create: () => Promise.resolve({ engine: createLlama(), spec }),
});

// The same weights as if the user had added the file, so llama.cpp chooses the tokens.
if (takesSlow)
  holdEngine({
    name: 'llama, with its own sampler',
    readsAhead: true,
    create: () => Promise.resolve({ engine: createLlama(), spec: { ...spec, isSmall: false } }),
  });
