/** Engines that are only in the build for end-to-end tests. */
import type { EngineKind } from '../engine';

// Written out in each: with a spread the bundler would take them for needed, and ship them.

/** Says what its prompt tells it to. */
export const scripted: EngineKind = {
  id: 'scripted',
  place: 'browser',
  runsIn: 'worker',
  obstacles: () => [],
  remarks: () => [],
  canRun: () => true,
};

/** Asks a server: a model of it is added by the whole address of its chat completions. */
export const endpoint: EngineKind = {
  id: 'endpoint',
  place: 'elsewhere',
  runsIn: 'page',
  create: async ({ egress }) => (await import('./endpoint')).createEndpoint(egress),
  obstacles: () => [],
  remarks: () => [],
  canRun: () => true,
  own: { claims: ({ modelUrl }) => new URL(modelUrl).pathname.endsWith('/chat/completions') },
};
