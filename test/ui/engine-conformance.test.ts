/** The engines that need a browser: both builds of llama.cpp, with the model that ships. */
import type { ModelSpec } from '../../src/contracts/model';
import { ember } from '../../src/engines/library/built-in';
import { createSmallLlama } from '../../src/engines/small-llama/engine';
import { createWllama } from '../../src/engines/wllama/engine';
import { holdEngine } from '../support/engine-conformance';
import { takesAll } from '../support/matrix';

const path = new URL(`/${ember.file.path}`, document.baseURI).href;
const spec: ModelSpec = { ...ember, file: { ...ember.file, path } };

holdEngine({
  name: 'small-llama',
  create: () => Promise.resolve({ engine: createSmallLlama(), spec }),
});

// It also answers in the built app, in own-models.test.ts.
if (takesAll)
  holdEngine({
    name: 'wllama',
    create: () => Promise.resolve({ engine: createWllama(), spec: { ...spec, engine: 'wllama' } }),
  });
