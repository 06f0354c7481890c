/** Facts about the browser's own model that the app needs before it loads the engine's code. */
import type { ModelSpec } from '../../contracts/model';
import type { EngineKind } from '../engine';

const none = { before: '', after: '' };

const spec: ModelSpec = {
  id: 'browser-model',
  name: 'Browser model',
  engine: 'browser-model',
  file: { path: '', bytes: 0 },
  format: 'hermes',
  template: { system: none, user: none, assistant: none, tool: none, stop: [] },
  // A lower bound: the browser reports the real value after the load.
  contextTokens: 4096,
  maxReplyTokens: 1024,
  sampling: { temperature: 0.3 },
  languages: ['en'],
  licence: '',
};

export const browserModel: EngineKind = {
  id: spec.engine,
  place: 'browser',
  pauses: true,
  runsIn: 'page',
  create: async () => (await import('./engine')).createBrowserModel(),
  obstacles: () => [],
  remarks: () => [],
  canRun: () => true,
  canSee: async () => (await import('./api')).seesHere(),
  brought: {
    spec,
    state: async () => (await import('./api')).stateOfBrought(),
    fetch: async (signal, onShare) => (await import('./api')).fetchBrought(signal, onShare),
  },
};
