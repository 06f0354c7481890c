import { expect, test } from 'vitest';
import type { ExamRun } from '../../../src/contracts/exam';
import { shouldSmallModelChoose } from '../../../src/contracts/hands';

const onProcessor = { id: 'm', place: 'processor', bytes: 2e9 } as const;
const onGpu = { id: 'm', place: 'gpu', bytes: 2e9 } as const;

function runOf(right: number, withSmallModel = false): ExamRun {
  const mistake = { request: '', expected: { facts: [], isPlain: false }, came: { calls: [], text: '' } };
  const answers = Array.from({ length: 10 }, (_, at) => ({
    id: String(at),
    kind: 'sums' as const,
    language: 'en' as const,
    isAsked: false,
    outputTokens: 1,
    decodeMs: 1,
    ...(at >= right && { mistake }),
  }));
  return { set: 'a', of: 10, updatedAt: 0, answers, ...(withSmallModel && { withSmallModel }) };
}

test.each([
  ['a model on the processor', onProcessor, {}, undefined, true],
  ['a larger model on the GPU', onGpu, {}, undefined, false],
  ['a very small model on the GPU', { ...onGpu, bytes: 3e8 }, {}, undefined, true],
  ['a server', { ...onGpu, place: 'network' as const }, {}, undefined, false],
  ['a model of the browser', { ...onGpu, place: 'browser' as const }, {}, undefined, false],
  ['the small model itself', { ...onProcessor, isSmall: true }, { m: true }, undefined, false],
  ['a good exam', onProcessor, {}, runOf(8), false],
  ['a bad exam', onGpu, {}, runOf(7), true],
  ['an exam in which the small model helped', onGpu, {}, runOf(2, true), false],
  ['the choice of the user before a good exam', onProcessor, { m: true }, runOf(10), true],
  ['the choice of the user against the small model', onProcessor, { m: false }, runOf(0), false],
  ['the choice for another model', onGpu, { other: true }, undefined, false],
])('%s', (_, model, smallModelChooses, exam, isChosen) => {
  expect(shouldSmallModelChoose(model, { smallModelChooses }, exam)).toBe(isChosen);
});
