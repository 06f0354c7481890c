/**
 * Chooses the model that replaces one that cannot go on. It follows the recovery policy and remembers the outcome for this visit, so that
 * no turn waits again for what has failed.
 */
import { AppError } from '../../contracts/app-error';
import { type ErrorCode, readError } from '../../contracts/error-code';
import type { ModelEvent, ModelSpec, ReplyRequest } from '../../contracts/model';
import type { RecoveryStep, Rung } from '../../contracts/model-library';
import type { ToolSpec } from '../../contracts/tool';
import type { ModelStage } from '../../contracts/pipeline';
import { nextStep } from './recovery-policy';
import type { ModelHost } from './model-host';
import type { Alternatives } from '../library/alternatives';

export interface Fallback {
  spec: ModelSpec;
  step: RecoveryStep & { rung: Rung };
}

export interface Wanted {
  id: string;
  name: string;
}

export interface FallbackOptions {
  host: ModelHost;
  builtIn: ModelSpec | undefined;
  /** `spec` is missing if the id is unknown. */
  find: (id: string) => Promise<{ spec?: ModelSpec | undefined; isKept: boolean }>;
  alternativesTo: (spec: ModelSpec) => Promise<Alternatives>;
  onChange: (id: string, fallback: Fallback | undefined) => void;
}

export interface TurnFallback {
  stage: ModelStage;
  /** Returns the step taken after `fault` (written by `writeError`), or undefined if no step is left. */
  recover: (fault: string) => Promise<RecoveryStep | undefined>;
}

export interface Fallbacks {
  /**
   * The model that answers for it now. Chooses a fallback for a model that is no longer on this device. Rejects with an `AppError`
   * (`model-not-downloaded`) if there is none.
   */
  specFor: (wanted: Wanted) => Promise<ModelSpec>;
  forget: (id: string) => void;
  /** A step that no turn has shown yet. */
  untold: (id: string) => RecoveryStep | undefined;
  /** For a turn that holds the result of `specFor`. */
  forTurn: (wanted: Wanted) => TurnFallback;
}

export function createFallbacks(options: FallbackOptions): Fallbacks {
  const { host, builtIn, onChange } = options;
  const places = new Map<string, Fallback & { isTold: boolean }>();

  function place(id: string, fallback: Fallback, isTold: boolean): void {
    places.set(id, { ...fallback, isTold });
    onChange(id, fallback);
  }
  function forget(id: string): void {
    if (places.delete(id)) onChange(id, undefined);
  }

  /** Takes a step from `spec`, which has the name that the user knows. */
  async function stepFrom(
    spec: ModelSpec,
    fault: { code: ErrorCode; detail: string; isInLoad: boolean },
    taken: readonly Rung[],
  ): Promise<Fallback | undefined> {
    const { code, detail, isInLoad } = fault;
    const others: Alternatives =
      spec.id === builtIn?.id ? { smaller: [] } : await options.alternativesTo(spec);
    const next = nextStep({ fault: code, isInLoad, spec, taken, builtIn, ...others });
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
    async specFor({ id, name }) {
      const { spec, isKept } = await options.find(id);
      const known = places.get(id);
      const isBack = isKept && known?.step.fault === 'model-not-downloaded';
      if (known && !isBack) return known.spec;
      forget(id);
      if (spec && isKept) return spec;
      const gone = { code: 'model-not-downloaded' as const, detail: `${id} is not here.`, isInLoad: true };
      // For a model that is in neither settings nor catalog, only the name is known.
      const base = spec ?? (builtIn && { ...builtIn, id, name, engine: '' });
      const fallback = base && (await stepFrom(base, gone, []));
      if (fallback) place(id, fallback, false);
      const found = fallback?.spec ?? builtIn;
      if (!found) throw new AppError(gone.code, gone.detail);
      return found;
    },
    forget,
    untold(id) {
      const fallback = places.get(id);
      if (!fallback || fallback.isTold) return undefined;
      fallback.isTold = true;
      return fallback.step;
    },
    forTurn({ id }) {
      const taken: Rung[] = [];
      let hasBegun = false;
      /** The replacement may be too small for some tools. */
      const offered = (tools: readonly ToolSpec[]) =>
        tools.filter(({ isForLargerModels }) => !(isForLargerModels && host.spec.isSmall));
      return {
        stage: {
          name: 'fallback',
          async *wrapStream(request, signal, model) {
            hasBegun = false;
            const own = withTools(request, offered(request.tools));
            for await (const event of model.respond(own, signal)) {
              hasBegun ||= event.type !== 'context';
              // The message would have fitted into the context that we made smaller.
              const error = taken.includes('less-context') ? tooLong(event) : undefined;
              if (error) throw error;
              yield event;
            }
          },
          measure: (model, messages, tools, summary) => model.measure(messages, offered(tools), summary),
        },
        async recover(text) {
          const { code: said = 'engine-crashed', detail } = readError(text);
          const { spec } = host;
          // The engine moved to another tab, so nothing is wrong. But if no reply began, the request itself may have crashed that tab.
          if (said === 'engine-moved' && hasBegun) {
            const { name, contextTokens } = spec;
            return { rung: 'moved', fault: said, detail, from: name, to: name, contextTokens };
          }
          const code = said === 'engine-moved' ? 'engine-crashed' : said;
          const next = await stepFrom(spec, { code, detail, isInLoad: !hasBegun }, taken);
          if (!next) return undefined;
          const { rung } = next.step;
          taken.push(rung);
          if (rung !== 'fresh-worker') place(id, next, true);
          host.replace(next.spec);
          return next.step;
        },
      };
    },
  };
}

/** If the chosen tool is no longer offered, the model decides. */
function withTools(request: ReplyRequest, tools: readonly ToolSpec[]): ReplyRequest {
  const { toolChoice } = request;
  const isGone = typeof toolChoice === 'object' && !tools.some(({ name }) => name === toolChoice.name);
  return { ...request, tools, toolChoice: tools.length === 0 ? 'none' : isGone ? 'auto' : toolChoice };
}

function tooLong(event: ModelEvent): AppError | undefined {
  if (event.type !== 'finish') return undefined;
  const { code, detail } = readError(event.message.errorMessage ?? '');
  return code === 'message-too-long' || code === 'tools-too-long' ? new AppError(code, detail) : undefined;
}
