/** The scripted engine, which says what its prompt tells it to. Only in the build for end-to-end tests. */
import type { EngineKind } from '../engine';

export const scripted: EngineKind = {
  id: 'scripted',
  place: 'browser',
  runsIn: 'worker',
  create: async () => (await import('./scripted')).createScripted(),
  obstacles: () => [],
  remarks: () => [],
  canRun: () => true,
};
