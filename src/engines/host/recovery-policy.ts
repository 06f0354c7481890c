/**
 * The recovery policy, as data: when a model cannot go on, which steps may help against which fault, and what each makes of
 * the model. PURE. Why it is as it is: docs/decisions/2026-11-22-ladder.md.
 */
import type { ErrorCode } from '../../contracts/error-code';
import type { ModelSpec } from '../../contracts/model';
import { type Rung, rungs } from '../../contracts/recovery';

/** A fault that stands in no line is mended by no step: it is the person's to decide. */
const helping: Readonly<Partial<Record<ErrorCode, readonly Rung[]>>> = {
  'engine-crashed': rungs,
  'engine-timeout': ['fresh-worker', 'smaller-model', 'built-in'],
  // Whole numbers take more memory, which is nearly always what was lacking.
  'gpu-lost': ['fresh-worker', 'less-context', 'smaller-model', 'built-in'],
  // With the same context size it would run out of memory at the same place.
  'out-of-memory': ['less-context', 'smaller-model', 'built-in'],
  // The same numbers come out of a fresh worker.
  'model-garbled': ['f32-twin', 'smaller-model', 'built-in'],
  'browser-model-failed': ['fresh-worker', 'smaller-model', 'built-in'],
  'browser-model-refused': ['smaller-model', 'built-in'],
  'gpu-missing': ['smaller-model', 'built-in'],
  'gpu-unfit': ['f32-twin', 'smaller-model', 'built-in'],
  'library-unusable': ['f32-twin', 'smaller-model', 'built-in'],
  'model-damaged': ['f32-twin', 'smaller-model', 'built-in'],
  'model-not-downloaded': ['f32-twin', 'smaller-model', 'built-in'],
  'model-unreachable': ['smaller-model', 'built-in'],
  'model-missing': ['smaller-model', 'built-in'],
  'browser-too-old': ['smaller-model', 'built-in'],
  // Only after its context was made smaller: otherwise the message is what must change, or the tools.
  'message-too-long': ['smaller-model', 'built-in'],
  'tools-too-long': ['smaller-model', 'built-in'],
};

/** Not the model but its engine is out of order: another model of the same engine would be too. */
const faultsOfEngine: ReadonlySet<ErrorCode> = new Set([
  'gpu-missing',
  'model-unreachable',
  'browser-too-old',
]);

/** Below this, instructions and tools alone fill it. */
const leastContextTokens = 2048;

export interface Situation {
  fault: ErrorCode;
  /** Nothing of a reply had come: it did not start. */
  isInLoad: boolean;
  /** The model that could not go on. */
  spec: ModelSpec;
  /** In this turn: each is taken at most once. */
  taken: readonly Rung[];
  /** Undefined in a build without one. */
  builtIn: ModelSpec | undefined;
  /** The same model in 32-bit numbers, if there is one. */
  twin?: { spec: ModelSpec; isKept: boolean } | undefined;
  /** On this device, and fit for it: the one to prefer first. */
  smaller: readonly ModelSpec[];
}

export interface Step {
  rung: Rung;
  /** The model that goes on in its place. */
  spec: ModelSpec;
  /** A twin that may have helped, and is not on this device. */
  missing?: ModelSpec;
}

/** Undefined: nothing more can be done without the person. */
export function nextStep(situation: Situation): Step | undefined {
  const { fault, taken, twin } = situation;
  const left = (helping[fault] ?? []).filter((rung) => !taken.includes(rung));
  for (const rung of left) {
    const spec = after[rung](situation);
    if (!spec) continue;
    const isTwinMissing = twin && !twin.isKept && left.includes('f32-twin') && !isBefore(rung, 'f32-twin');
    return { rung, spec, ...(isTwinMissing && { missing: twin.spec }) };
  }
  return undefined;
}

/** What each step makes of the model; undefined where it does not apply. */
const after: Readonly<Record<Rung, (situation: Situation) => ModelSpec | undefined>> = {
  // A load that timed out is not tried again: it would cost the same minutes once more.
  'fresh-worker': ({ spec, fault, isInLoad }) => (fault === 'engine-timeout' && isInLoad ? undefined : spec),
  'less-context': ({ spec }) => withContext(spec, Math.max(leastContextTokens, spec.contextTokens >> 1)),
  'f32-twin': ({ twin }) => (twin?.isKept ? twin.spec : undefined),
  'smaller-model': (situation) => {
    const { spec, builtIn, smaller } = situation;
    return spec.id === builtIn?.id ? undefined : smaller.find((one) => mayRun(one, situation));
  },
  'built-in': (situation) => {
    const { spec, builtIn } = situation;
    return builtIn && spec.id !== builtIn.id && mayRun(builtIn, situation) ? builtIn : undefined;
  },
};

function mayRun(other: ModelSpec, { fault, spec }: Situation): boolean {
  return !faultsOfEngine.has(fault) || programOf(other) !== programOf(spec);
}

/** A GGUF file on the graphics chip runs in another program than on the processor. */
function programOf({ engine, hardware }: ModelSpec): string {
  return hardware?.isOnGpu ? `${engine} on the GPU` : engine;
}

function isBefore(one: Rung, other: Rung): boolean {
  return rungs.indexOf(one) < rungs.indexOf(other);
}

/** Its replies are shorter in the same measure. Undefined where that would not be less. */
function withContext(spec: ModelSpec, contextTokens: number): ModelSpec | undefined {
  if (contextTokens >= spec.contextTokens) return undefined;
  const maxReplyTokens = Math.floor((spec.maxReplyTokens * contextTokens) / spec.contextTokens);
  return { ...spec, contextTokens, maxReplyTokens };
}
