/** Runs the conformance suite on engines that work in Node: WebLLM on a fake GPU, browser, server and scripted engine. */
import { afterAll, beforeAll, vi } from 'vitest';
import { createBrowserModel } from '../../src/engines/browser-model/engine';
import { createScripted } from '../doubles/scripted';
import { scripted } from '../doubles/small-model';
import { createEndpoint } from '../../src/engines/endpoint/engine';
import { holdEngine } from '../support/engine-conformance';
import { openEndpointServer, type EndpointServer } from '../support/endpoint-server';
import { installPromptApi } from '../support/fake-prompt-api';
import { prepareOnFakeGpu } from '../support/load-web-llm';
import { makeTokenizer } from '../support/make-tokenizer';

let server: EndpointServer;
beforeAll(async () => {
  // Node 20 has no `navigator`.
  vi.stubGlobal('navigator', { onLine: true });
  server = await openEndpointServer();
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await server.close();
});

const noCacheReason = 'It holds nothing between two requests.';

holdEngine({
  name: 'web-llm',
  create: () => {
    const replies = Array.from({ length: 60 }, () => 'I am fine today, and I thank you for asking.');
    return Promise.resolve(prepareOnFakeGpu(replies, {}, makeTokenizer(1024)));
  },
});

holdEngine({
  name: 'scripted',
  create: () => Promise.resolve({ engine: createScripted(), spec: scripted }),
  skip: { cache: noCacheReason, load: 'It has nothing to load.' },
});

const browser = { ...scripted, engine: 'browser-model', contextTokens: 4096, maxReplyTokens: 1024 };
const onPromptApi = (hasOldNames: boolean, canSee: boolean) => () => {
  installPromptApi({ contextWindow: 4096, hasOldNames, canSee });
  return Promise.resolve({ engine: createBrowserModel(), spec: browser });
};
const testedElsewhere = { load: 'What it lacks, test/unit/engines/browser-model says.' };

holdEngine({ name: 'browser-model', create: onPromptApi(false, true), skip: testedElsewhere, sees: true });
holdEngine({
  name: 'browser-model, by its first names',
  create: onPromptApi(true, false),
  skip: testedElsewhere,
});

const served = (canSee: boolean) => () =>
  Promise.resolve({
    engine: createEndpoint({ egress: server.egress, keyOf: () => server.key }),
    spec: {
      ...scripted,
      engine: 'endpoint',
      served: 'test-model',
      canSee,
      file: { path: server.url, bytes: 0 },
    },
  });
const nothingToLoad = { cache: noCacheReason, load: 'It has nothing to load.' };

holdEngine({ name: 'endpoint', create: served(false), skip: nothingToLoad });
holdEngine({ name: 'endpoint that sees', create: served(true), skip: nothingToLoad, sees: true });
