/** A model that is always sure of its calls, so it is never asked a second time. */
import type { DoubtOptions } from '../../src/ember/uncertain-calls';

export const neverInDoubt: DoubtOptions = {
  by: 'person',
  thresholds: () => undefined,
  staysHere: () => true,
  tryOut: () => Promise.resolve(undefined),
  choose: () => Promise.resolve(undefined),
};
