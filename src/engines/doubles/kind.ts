import type { EngineKind } from '../engine';

export const scripted: EngineKind = {
  id: 'scripted',
  place: 'browser',
  runsIn: 'worker',
  obstacles: () => [],
  remarks: () => [],
  canRun: () => true,
};
