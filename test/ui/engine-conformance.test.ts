/** The engine of the model that ships, which needs a browser. The other build of llama.cpp is driven by the end-to-end tests. */
import type { ModelSpec } from '../../src/contracts/model';
import { ember } from '../../src/engines/library/built-in';
import { createSmallLlama } from '../../src/engines/small-llama/engine';
import { holdEngine } from '../support/engine-conformance';

const path = new URL(`/${ember.file.path}`, document.baseURI).href;
const spec: ModelSpec = { ...ember, file: { ...ember.file, path } };

holdEngine({
  name: 'small-llama',
  create: () => Promise.resolve({ engine: createSmallLlama(), spec }),
});
