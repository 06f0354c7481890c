/** Replaces src/engines/kinds.ts in the build for end-to-end tests, and adds the scripted engine. */
import type { EngineKind } from '../../src/engines/engine';
import { engines as shipped } from '../../src/engines/kinds';

const scripted: EngineKind = {
  id: 'scripted',
  place: 'browser',
  // A test that sets this before the page starts gets a model for which Ember calls the tools.
  placeOf: () => ('isScriptedSlow' in globalThis ? 'processor' : 'browser'),
  runsIn: 'worker',
};

export const engines: readonly EngineKind[] = [...shipped, scripted];
