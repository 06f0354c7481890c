/**
 * Chooses what answers in the place of a model that cannot go on: takes the steps of the recovery policy, and remembers for this visit
 * where each model ended up, so that no turn waits again for what has failed.
 */
import { AppError } from '../../contracts/app-error';
import { type ErrorCode, readError } from '../../contracts/error-code';
import type { ModelEvent, ModelSpec, ReplyRequest } from '../../contracts/model';
import type { RecoveryStep, Rung } from '../../contracts/recovery';
import type { ToolSpec } from '../../contracts/tool';
import type { ModelStage } from '../../contracts/pipeline';
import { nextStep } from './recovery-policy';
import type { ModelHost } from './model-host';
import type { Alternatives } from '../library/alternatives';

export interface Fallback {
  spec: ModelSpec;
  /** The last that led to it. */
  step: RecoveryStep & { rung: Rung };
}

/** Identifies the model that was asked for. */
export interface Wanted {
  id: string;
  name: string;
}

export interface FallbackOptions {
  host: ModelHost;
  /** The last resort. Undefined in a build without one. */
  builtIn: ModelSpec | undefined;
  /** `spec` is missing where nothing of this name is known any more. */
  find: (id: string) => Promise<{ spec?: ModelSpec | undefined; isKept: boolean }>;
  alternativesTo: (spec: ModelSpec) => Promise<Alternatives>;
  /** Undefined: it answers itself again. */
  onChange: (id: string, fallback: Fallback | undefined) => void;
}

export interface TurnFallback {
  stage: ModelStage;
  /** Says what was done after `fault`, as `writeError` wrote it, or undefined where nothing more can be. */
  recover: (fault: string) => Promise<RecoveryStep | undefined>;
}

export interface Fallbacks {
  /**
   * The model that answers for it now. For a model that is no longer on this device a fallback is chosen here. Rejects with an `AppError`
   * (`model-not-downloaded`) if there is none.
   */
  specFor: (wanted: Wanted) => Promise<ModelSpec>;
  /** It is tried itself again. */
  forget: (id: string) => void;
  /** The step that a turn has not been told of yet. */
  untold: (id: string) => RecoveryStep | undefined;
  /** For one turn that holds what `specFor` gave. */
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

  /** From `spec`, under the name by which the person knows it. */
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
      // Only the name is left of a model that has gone from settings and catalog.
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
      /** What has taken its place may be too small for some. */
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
              // With the room it had before, the message would have fitted.
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
          // It goes on in another tab, with nothing amiss. Where it never says a word, it may be what ends those tabs.
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

/** A choice that is not offered any more is left to the model. */
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
