/** A model that is always sure of its calls, so it is never asked a second time. */
import type { UncertainCallOptions } from '../../src/ember/uncertain-calls';

export const neverInDoubt: UncertainCallOptions = {
  by: 'person',
  thresholds: () => undefined,
  staysHere: () => true,
  tryOut: () => Promise.resolve(undefined),
  choose: () => Promise.resolve(undefined),
};
