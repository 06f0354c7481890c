/**
 * PURE: the recovery policy as data: which steps may help against which fault, and what each step does to the model. Why:
 * docs/decisions/2026-11-22-ladder.md.
 */
import type { ErrorCode } from '../../contracts/error-code';
import type { ModelSpec } from '../../contracts/model';
import { type Rung, rungs } from '../../contracts/model-library';

/** No step helps against a fault that is missing here: the user must decide. */
const helping: Readonly<Partial<Record<ErrorCode, readonly Rung[]>>> = {
  'engine-crashed': rungs,
  'engine-timeout': ['fresh-worker', 'smaller-model', 'built-in'],
  // 32-bit numbers take more memory, and a lack of memory is nearly always the cause.
  'gpu-lost': ['fresh-worker', 'less-context', 'smaller-model', 'built-in'],
  // With the same context size it would run out of memory at the same point.
  'out-of-memory': ['less-context', 'smaller-model', 'built-in'],
  // A fresh worker would compute the same numbers.
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
  // Only after the context was made smaller. Otherwise the message or the tools must change.
  'message-too-long': ['smaller-model', 'built-in'],
  'tools-too-long': ['smaller-model', 'built-in'],
};

/** The engine is broken, so another model of the same engine would fail too. */
const faultsOfEngine: ReadonlySet<ErrorCode> = new Set([
  'gpu-missing',
  'model-unreachable',
  'browser-too-old',
]);

/** Instructions and tools alone fill a smaller context. */
const leastContextTokens = 2048;

export interface Situation {
  fault: ErrorCode;
  isInLoad: boolean;
  spec: ModelSpec;
  /** Steps of this turn. Each is taken at most once. */
  taken: readonly Rung[];
  builtIn: ModelSpec | undefined;
  twin?: { spec: ModelSpec; isKept: boolean } | undefined;
  /** On this device and able to run there. Preferred model first. */
  smaller: readonly ModelSpec[];
}

export interface Step {
  rung: Rung;
  spec: ModelSpec;
  missing?: ModelSpec;
}

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

/** What each step does to the model. Undefined if it does not apply. */
const after: Readonly<Record<Rung, (situation: Situation) => ModelSpec | undefined>> = {
  // A load that timed out is not repeated: it would take the same minutes again.
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

/** On the graphics chip a GGUF file runs in another program than on the processor. */
function programOf({ engine, hardware }: ModelSpec): string {
  return hardware?.isOnGpu ? `${engine} on the GPU` : engine;
}

function isBefore(one: Rung, other: Rung): boolean {
  return rungs.indexOf(one) < rungs.indexOf(other);
}

/** Shortens the replies in proportion. Undefined if the context would not get smaller. */
function withContext(spec: ModelSpec, contextTokens: number): ModelSpec | undefined {
  if (contextTokens >= spec.contextTokens) return undefined;
  const maxReplyTokens = Math.floor((spec.maxReplyTokens * contextTokens) / spec.contextTokens);
  return { ...spec, contextTokens, maxReplyTokens };
}
