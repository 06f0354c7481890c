/** An older, smaller wllama, for the model that ships with the app and is a file of our own origin. */
import type { EngineKind } from '../engine';

export const smallLlama: EngineKind = {
  id: 'small-llama',
  place: 'processor',
  runsIn: 'worker',
  makesVectors: true,
  obstacles: () => [],
  remarks: () => [],
  canRun: () => true,
};
