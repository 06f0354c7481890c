import type { EngineKind } from '../engine';

/** Writes what its prompt says. */
export const scripted: EngineKind = {
  id: 'scripted',
  place: 'browser',
  runsIn: 'worker',
  obstacles: () => [],
  remarks: () => [],
  canRun: () => true,
};
