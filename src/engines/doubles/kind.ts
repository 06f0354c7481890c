/** Engines that are only in the build for end-to-end tests. */
import type { EngineKind } from '../engine';

/** Says what its prompt tells it to. */
export const scripted: EngineKind = {
  id: 'scripted',
  place: 'browser',
  runsIn: 'worker',
  obstacles: () => [],
  remarks: () => [],
  canRun: () => true,
};
