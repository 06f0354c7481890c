/** Engines that are only in the build for end-to-end tests. */
import type { EngineKind } from '../engine';

const common = { obstacles: () => [], remarks: () => [], canRun: () => true } as const;

/** Says what its prompt tells it to. */
export const scripted: EngineKind = {
  ...common,
  id: 'scripted',
  place: 'browser',
  runsIn: 'worker',
  create: async () => (await import('./scripted')).createScripted(),
};

/** Asks a server: a model of it is added by the whole address of its chat completions. */
export const endpoint: EngineKind = {
  ...common,
  id: 'endpoint',
  place: 'elsewhere',
  runsIn: 'page',
  create: async ({ egress }) => (await import('./endpoint')).createEndpoint(egress),
  own: { claims: ({ modelUrl }) => new URL(modelUrl).pathname.endsWith('/chat/completions') },
};
