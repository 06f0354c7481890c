/** Chooses a replacement for a model that failed and remembers it until the page closes. Why: docs/decisions/2026-11-22-ladder.md. */
import { AppError } from '../../contracts/app-error';
import { type ErrorCode, readError } from '../../contracts/error-code';
import type { ModelEvent, ModelSpec, ReplyRequest } from '../../contracts/model';
import { type RecoveryStep, type RecoveryName, recoverySteps } from '../../contracts/model-library';
import type { ToolSpec } from '../../contracts/tool';
import type { ModelStage } from '../../contracts/pipeline';
import type { ModelHost } from './model-host';
import type { ModelAlternatives } from '../library/recommend';

interface Fallback {
  spec: ModelSpec;
  step: RecoveryStep & { rung: RecoveryName };
}

export interface WantedModel {
  id: string;
  name: string;
}

export interface FallbackOptions {
  host: ModelHost;
  builtIn: ModelSpec | undefined;
  find: (id: string) => Promise<{ spec?: ModelSpec | undefined; isKept: boolean }>;
  alternativesTo: (spec: ModelSpec) => Promise<ModelAlternatives>;
  onChange: (id: string, fallback: Fallback | undefined) => void;
}

export interface TurnFallback {
  stage: ModelStage;
  /** Resolves to the recovery step after `fault` (from `writeError`), or undefined if no step is left. */
  recover: (fault: string) => Promise<RecoveryStep | undefined>;
}

export type Fallbacks = ReturnType<typeof createFallbacks>;

export function createFallbacks(options: FallbackOptions) {
  const { host, builtIn, onChange } = options;
  const fallbackById = new Map<string, Fallback & { isTold: boolean }>();
  /** The recovery steps of the turn whose request runs now. */
  let takenNow: readonly RecoveryName[] = [];

  function setFallback(id: string, fallback: Fallback, isTold: boolean): void {
    fallbackById.set(id, { ...fallback, isTold });
    onChange(id, fallback);
  }
  function forget(id: string): void {
    if (fallbackById.delete(id)) onChange(id, undefined);
  }

  async function stepFrom(
    spec: ModelSpec,
    { code, detail, isInLoad }: { code: ErrorCode; detail: string; isInLoad: boolean },
    taken: readonly RecoveryName[],
  ): Promise<Fallback | undefined> {
    const others = spec.id === builtIn?.id ? { smaller: [] } : await options.alternativesTo(spec);
    const next = findRecoveryStep({ fault: code, isInLoad, spec, taken, builtIn, ...others });
    if (!next) return undefined;
    const step = {
      rung: next.rung,
      fault: code,
      detail,
      from: spec.name,
      to: next.spec.name,
      contextTokens: next.spec.contextTokens,
      ...(next.missing && { missing: next.missing.id }),
    };
    return { spec: next.spec, step };
  }

  return {
    /** Resolves to the wanted model, or to a fallback if the device no longer has it. Rejects with an `AppError` (`model-not-downloaded`). */
    async specFor({ id, name }: WantedModel): Promise<ModelSpec> {
      const { spec, isKept } = await options.find(id);
      const known = fallbackById.get(id);
      const isBack = isKept && known?.step.fault === 'model-not-downloaded';
      if (known && !isBack) return known.spec;
      forget(id);
      if (spec && isKept) return spec;
      const gone = { code: 'model-not-downloaded' as const, detail: `${id} is not here.`, isInLoad: true };
      // We know only the id and name of an unknown model, so copy the other facts from the built-in model.
      const base = spec ?? (builtIn && { ...builtIn, id, name, engine: '' });
      const fallback = base && (await stepFrom(base, gone, []));
      if (fallback) setFallback(id, fallback, false);
      const found = fallback?.spec ?? builtIn;
      if (!found) throw new AppError(gone.code, gone.detail);
      return found;
    },
    forget,
    /** Resolves to the model that would answer if we gave up on the current one, which has said nothing. Undefined if there is none. */
    async findReplacement(): Promise<ModelSpec | undefined> {
      const fault = { code: 'engine-timeout' as const, detail: '', isInLoad: true };
      return (await stepFrom(host.spec, fault, takenNow))?.spec;
    },
    untold(id: string): RecoveryStep | undefined {
      const fallback = fallbackById.get(id);
      if (!fallback || fallback.isTold) return undefined;
      fallback.isTold = true;
      return fallback.step;
    },
    forTurn({ id }: WantedModel): TurnFallback {
      const taken: RecoveryName[] = [];
      let hasBegun = false;
      /** Leaves out tools for larger models if the current model is small. */
      const offered = (tools: readonly ToolSpec[]) =>
        tools.filter(({ isForLargerModels }) => !(isForLargerModels && host.spec.isSmall));
      return {
        stage: {
          name: 'fallback',
          async *wrapStream(request, signal, model) {
            hasBegun = false;
            takenNow = taken;
            const own = limitTools(request, offered(request.tools));
            for await (const event of model.respond(own, signal)) {
              hasBegun ||= !['context', 'prompt-progress', 'server-wait'].includes(event.type);
              // After we shrank the context, treat a message that is too long as a fault: a fallback with a larger context may accept it.
              const error = taken.includes('less-context') ? findTooLongError(event) : undefined;
              if (error) throw error;
              yield event;
            }
          },
          measure: (model, messages, tools, summary) => model.measure(messages, offered(tools), summary),
        },
        async recover(text) {
          const { code: said = 'engine-crashed', detail } = readError(text);
          const { spec } = host;
          // Try the same model again if its tab is gone. But if no reply had begun, treat this as a crash: the request may have crashed that tab.
          if (said === 'engine-moved' && hasBegun) {
            const { name, contextTokens } = spec;
            return { rung: 'moved', fault: said, detail, from: name, to: name, contextTokens };
          }
          const code = said === 'engine-moved' ? 'engine-crashed' : said;
          const next = await stepFrom(spec, { code, detail, isInLoad: !hasBegun }, taken);
          if (!next) return undefined;
          const { rung } = next.step;
          taken.push(rung);
          if (rung !== 'fresh-worker') setFallback(id, next, true);
          host.replace(next.spec);
          return next.step;
        },
      };
    },
  };
}

/** If the request forces a tool that we no longer offer, lets the model choose. */
function limitTools(request: ReplyRequest, tools: readonly ToolSpec[]): ReplyRequest {
  const { toolChoice } = request;
  const isGone = typeof toolChoice === 'object' && !tools.some(({ name }) => name === toolChoice.name);
  return { ...request, tools, toolChoice: tools.length === 0 ? 'none' : isGone ? 'auto' : toolChoice };
}

function findTooLongError(event: ModelEvent): AppError | undefined {
  if (event.type !== 'finish') return undefined;
  const { code, detail } = readError(event.message.errorMessage ?? '');
  return code === 'message-too-long' || code === 'tools-too-long' ? new AppError(code, detail) : undefined;
}

/** Recovery steps for each error. After any other error, the user must decide. */
const recoveryStepsByError: Readonly<Partial<Record<ErrorCode, readonly RecoveryName[]>>> = {
  'engine-crashed': recoverySteps,
  'engine-timeout': ['fresh-worker', 'smaller-model', 'built-in'],
  // A lost GPU usually ran out of memory, so skip the 32-bit variant, which needs more memory.
  'gpu-lost': ['fresh-worker', 'less-context', 'smaller-model', 'built-in'],
  // Skip `fresh-worker`, because the same context would need too much memory again.
  'out-of-memory': ['less-context', 'smaller-model', 'built-in'],
  // Skip `fresh-worker`, because it would compute the same wrong numbers.
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
  // These two errors lead to a fallback only after `less-context`. Otherwise the user must shorten the message or switch tools off.
  'message-too-long': ['smaller-model', 'built-in'],
  'tools-too-long': ['smaller-model', 'built-in'],
};

/** Errors of the engine itself. The engine's other models would fail too. */
const engineFaults: ReadonlySet<ErrorCode> = new Set(['gpu-missing', 'model-unreachable', 'browser-too-old']);

/** Minimum context in tokens. Instructions and tools alone would fill a smaller one. */
const minContextTokens = 2048;

export interface FaultSituation extends ModelAlternatives {
  fault: ErrorCode;
  isInLoad: boolean;
  spec: ModelSpec;
  taken: readonly RecoveryName[];
  builtIn: ModelSpec | undefined;
}

export function findRecoveryStep(situation: FaultSituation) {
  const { fault, taken, twin } = situation;
  const left = (recoveryStepsByError[fault] ?? []).filter((rung) => !taken.includes(rung));
  for (const rung of left) {
    const spec = specAfterStep[rung](situation);
    if (!spec) continue;
    const isTwinSkipped = left.slice(0, left.indexOf(rung) + 1).includes('f32-twin');
    return { rung, spec, ...(isTwinSkipped && twin && !twin.isKept && { missing: twin.spec }) };
  }
  return undefined;
}

const specAfterStep: Readonly<Record<RecoveryName, (situation: FaultSituation) => ModelSpec | undefined>> = {
  // Do not repeat a load that timed out, because it would take minutes again.
  'fresh-worker': ({ spec, fault, isInLoad }) => (fault === 'engine-timeout' && isInLoad ? undefined : spec),
  'less-context': ({ spec }) => shrinkContext(spec, Math.max(minContextTokens, spec.contextTokens >> 1)),
  'f32-twin': ({ twin }) => (twin?.isKept ? twin.spec : undefined),
  'smaller-model': ({ fault, spec, builtIn, smaller }) =>
    spec.id === builtIn?.id ? undefined : smaller.find((other) => canReplace(spec, other, fault)),
  'built-in': ({ fault, spec, builtIn }) =>
    builtIn && spec.id !== builtIn.id && canReplace(spec, builtIn, fault) ? builtIn : undefined,
};

function canReplace(spec: ModelSpec, other: ModelSpec, fault: ErrorCode): boolean {
  return !engineFaults.has(fault) || programNameOf(other) !== programNameOf(spec);
}

/** Names the program that runs a model. GGUF files have one program for the GPU and one for the processor. */
function programNameOf({ engine, hardware }: ModelSpec): string {
  return hardware?.isOnGpu ? `${engine} on the GPU` : engine;
}

/** Shrinks the context and, in proportion, the longest reply. Undefined if the context would not shrink. */
function shrinkContext(spec: ModelSpec, contextTokens: number): ModelSpec | undefined {
  if (contextTokens >= spec.contextTokens) return undefined;
  const maxReplyTokens = Math.floor((spec.maxReplyTokens * contextTokens) / spec.contextTokens);
  return { ...spec, contextTokens, maxReplyTokens };
}
