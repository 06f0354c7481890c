import { describe, expect, test } from 'vitest';
import { errorCodes } from '../../../../src/contracts/error-code';
import type { ModelSpec } from '../../../../src/contracts/model';
import type { RecoveryName } from '../../../../src/contracts/model-library';
import { findRecoveryStep, type FaultSituation } from '../../../../src/engines/host/fallbacks';
import { small } from '../../../support/web-llm-model';

const large: ModelSpec = { ...small, id: 'large-q4f16', name: 'Large', contextTokens: 8192 };
const twin: ModelSpec = { ...large, id: 'large-q4f32' };
const builtIn: ModelSpec = {
  ...small,
  id: 'ember',
  name: 'Ember',
  engine: 'llama',
  contextTokens: 384,
};
const onProcessor: ModelSpec = { ...small, id: 'gguf', engine: 'llama' };

/** A situation on a device that stores a 32-bit twin and a smaller model. */
const situation = (changed: Partial<FaultSituation> & Pick<FaultSituation, 'fault'>): FaultSituation => ({
  isInLoad: false,
  spec: large,
  taken: [],
  builtIn,
  twin: { spec: twin, isKept: true },
  smaller: [small, onProcessor],
  ...changed,
});

/** Returns all steps taken if every step fails with the same fault. */
function descend(from: FaultSituation): string[] {
  const steps: string[] = [];
  let now = from;
  for (let step = findRecoveryStep(now); step; step = findRecoveryStep(now)) {
    steps.push(`${step.rung}: ${step.spec.id} ${step.spec.contextTokens}`);
    expect(steps.length).toBeLessThanOrEqual(5);
    const isTwin = step.rung === 'f32-twin';
    now = {
      ...now,
      spec: step.spec,
      taken: [...now.taken, step.rung],
      ...(isTwin && { twin: undefined }),
    };
  }
  return steps;
}

describe('invariant: a failing model is replaced step by step, each step at most once', () => {
  test.for<{ name: string; from: FaultSituation; steps: string[] }>([
    {
      name: 'a crashing worker takes every step in order',
      from: situation({ fault: 'engine-crashed' }),
      steps: [
        'fresh-worker: large-q4f16 8192',
        'less-context: large-q4f16 4096',
        'f32-twin: large-q4f32 8192',
        'smaller-model: small 8192',
        'built-in: ember 384',
      ],
    },
    {
      name: 'after a lost GPU, no larger variant is tried',
      from: situation({ fault: 'gpu-lost' }),
      steps: [
        'fresh-worker: large-q4f16 8192',
        'less-context: large-q4f16 4096',
        'smaller-model: small 8192',
        'built-in: ember 384',
      ],
    },
    {
      name: 'after a lack of memory, no step needs as much memory again',
      from: situation({ fault: 'out-of-memory' }),
      steps: ['less-context: large-q4f16 4096', 'smaller-model: small 8192', 'built-in: ember 384'],
    },
    {
      name: 'after garbage, the 32-bit variant is tried',
      from: situation({ fault: 'model-garbled' }),
      steps: ['f32-twin: large-q4f32 8192', 'smaller-model: small 8192', 'built-in: ember 384'],
    },
    {
      name: 'a reply that falls silent is requested from a fresh worker',
      from: situation({ fault: 'engine-timeout' }),
      steps: ['fresh-worker: large-q4f16 8192', 'smaller-model: small 8192', 'built-in: ember 384'],
    },
    {
      name: 'a load that falls silent is not repeated',
      from: situation({ fault: 'engine-timeout', isInLoad: true }),
      steps: ['smaller-model: small 8192', 'built-in: ember 384'],
    },
    {
      name: 'without a GPU, only models on the processor help',
      from: situation({ fault: 'gpu-missing' }),
      steps: ['smaller-model: gguf 8192'],
    },
    {
      name: 'without a GPU or a model for the processor, the built-in model answers',
      from: situation({ fault: 'gpu-missing', smaller: [small] }),
      steps: ['built-in: ember 384'],
    },
    {
      name: 'an engine that cannot be downloaded is not tried with another model',
      from: situation({ fault: 'model-unreachable', smaller: [small] }),
      steps: ['built-in: ember 384'],
    },
    {
      name: 'a model whose file is missing can be replaced by one of the same engine',
      from: situation({ fault: 'model-missing', twin: undefined, smaller: [small] }),
      steps: ['smaller-model: small 8192', 'built-in: ember 384'],
    },
    {
      name: 'a model that is not on this device is replaced at once',
      from: situation({ fault: 'model-not-downloaded', twin: undefined, smaller: [] }),
      steps: ['built-in: ember 384'],
    },
    {
      name: 'the built-in model gets one more worker, then recovery ends',
      from: situation({ fault: 'engine-crashed', spec: builtIn, twin: undefined, smaller: [] }),
      steps: ['fresh-worker: ember 384'],
    },
    {
      name: 'recovery ends if the built-in model cannot be downloaded',
      from: situation({ fault: 'model-unreachable', spec: builtIn, twin: undefined, smaller: [] }),
      steps: [],
    },
  ])('$name', ({ from, steps }) => {
    expect(descend(from)).toEqual(steps);
  });

  test.for(errorCodes.map((fault) => ({ fault })))(
    'the recovery from $fault ends, and no step repeats',
    ({ fault }) => {
      const rungs = descend(situation({ fault })).map((step) => step.split(':')[0]);
      expect(new Set(rungs).size).toBe(rungs.length);
    },
  );
});

test.for<{ name: string; fault: FaultSituation['fault'] }>([
  { name: 'a load cancelled by the user', fault: 'load-cancelled' },
  { name: 'a full disk', fault: 'storage-full' },
])('there is no recovery from $name', ({ fault }) => {
  expect(findRecoveryStep(situation({ fault }))).toBeUndefined();
});

describe('a recovery step that was already taken', () => {
  const taken: RecoveryName[] = ['fresh-worker', 'less-context'];
  test('it is not taken again for another fault', () => {
    expect(findRecoveryStep(situation({ fault: 'engine-timeout', taken }))).toMatchObject({
      rung: 'smaller-model',
    });
  });
});

describe('a 32-bit variant of the failing model that is not downloaded', () => {
  const missing = { spec: twin, isKept: false };
  test('it is reported as missing when recovery uses a smaller model instead', () => {
    const step = findRecoveryStep(situation({ fault: 'model-garbled', twin: missing }));
    expect(step).toMatchObject({ rung: 'smaller-model', missing: { id: twin.id } });
  });
  test.for<{ name: string; fault: FaultSituation['fault'] }>([
    { name: 'while an earlier recovery step can still be tried', fault: 'engine-crashed' },
    { name: 'if it would not help', fault: 'out-of-memory' },
  ])('it is not reported as missing $name', ({ fault }) => {
    expect(findRecoveryStep(situation({ fault, twin: missing }))?.missing).toBeUndefined();
  });
});

describe('reducing the context of a model', () => {
  const halved = (spec: ModelSpec) => findRecoveryStep(situation({ fault: 'out-of-memory', spec }));
  test('halves it and shortens the replies in proportion', () => {
    expect(halved({ ...large, maxReplyTokens: 1024 })?.spec).toMatchObject({
      contextTokens: 4096,
      maxReplyTokens: 512,
    });
  });
  test('never makes it too small for instructions and tools', () => {
    expect(halved({ ...large, contextTokens: 2048 })).toMatchObject({ rung: 'smaller-model' });
  });
});
