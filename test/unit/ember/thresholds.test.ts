import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ember } from '../../../src/ember/spec';
import thresholds from '../../../src/ember/thresholds.json';
import { certaintyThresholdsOf } from '../../../src/ember/index';

test('the thresholds of Ember were measured with the shipped weights (if not, run `npm run thresholds:ember`)', async () => {
  const weights = await readFile(`public/${ember.file.path}`);
  expect(thresholds.weights).toBe(createHash('sha256').update(weights).digest('hex'));
});

test('certainty thresholds exist for the built-in model Ember, but not for a model without measurements', () => {
  const { words, others, byTool } = certaintyThresholdsOf('ember')!;
  for (const score of [words, others, ...Object.values(byTool)]) expect(score).toBeLessThan(0);
  expect(Object.keys(byTool)).toEqual(['calculator', 'clock', 'fetch_page', 'web_search']);
  expect(certaintyThresholdsOf('scripted')).toBeUndefined();
});
