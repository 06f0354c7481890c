/** From when on a model that ships is sure of a call. Made by `npm run thresholds:ember`, of frames that it was not trained on. */
import type { Thresholds } from '../contracts/reading';
import ember from './ember-thresholds.json';

const known: Readonly<Record<string, Thresholds>> = { ember };

/** Undefined of a model of which nobody has measured it. */
export function thresholdsOf(modelId: string): Thresholds | undefined {
  return known[modelId];
}
