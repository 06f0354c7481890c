/** The page's one model: which model answers for the chosen one, and how it loads. */
import { AppError } from '../contracts/app-error';
import type { ModelSpec } from '../contracts/model';
import type { ModelName, RecoveryStep } from '../contracts/model-library';
import { createFallbacks, type Fallbacks, type Wanted } from '../engines/host/fallbacks';
import { type GpuClaim, withClaim } from '../engines/host/gpu-claim';
import { createModelHost, type HostOptions, type ModelHost } from '../engines/host/model-host';
import { nameOf } from '../engines/library/name-of';
import type { ModelLibrary } from './model-library';
import { noModel } from './small-model';

export interface ModelAccessParts extends Pick<
  HostOptions,
  'open' | 'onPhase' | 'onSlow' | 'onQueued' | 'limits'
> {
  /** Ships with the app, for chats that chose no model. Undefined in a build without one. */
  spec: ModelSpec | undefined;
  /** Answers when no other model can. Undefined in a build without one. */
  lastResort: ModelSpec | undefined;
  /** Needed for all other models. */
  library: () => Promise<Pick<ModelLibrary, 'find' | 'isKept' | 'alternativesTo'>>;
  gpu: GpuClaim;
  /** Opens a model in this tab, or uses another tab's. */
  share: (openHere: HostOptions['open']) => HostOptions['open'];
  /**
   * Called when another model, or the same one with a smaller context, replaces the one with this id. Undefined: it answers itself again.
   */
  onFallback: (id: string, fallback: { model: ModelName; step: RecoveryStep } | undefined) => void;
  /** The page's address. Relative addresses of model files are resolved against it. */
  baseUrl: string;
}

export interface ModelAccess {
  host: ModelHost;
  fallbacks: Fallbacks;
  /**
   * Waits for turns with another model, makes this model current and loads it. Rejects with an `AppError`: `load-cancelled` if another
   * model was requested in the meantime.
   */
  load: (model: Wanted) => Promise<void>;
  /** Like `load`, but tries the model itself instead of its fallback. */
  retry: (model: Wanted) => Promise<void>;
  /** Like `load`, even if another tab has a model on the GPU. */
  loadBeside: (model: Wanted) => Promise<void>;
}

/** The host's first model in a build without a built-in one. `specFor` rejects before anything loads it. */
const noRole = { before: '', after: '' };
const noSpec: ModelSpec = {
  ...noModel,
  file: { path: '', bytes: 0 },
  format: '',
  template: { system: noRole, user: noRole, assistant: noRole, tool: noRole, stop: [] },
  contextTokens: 0,
  maxReplyTokens: 0,
  sampling: { temperature: 0 },
  languages: [],
  licence: '',
};

export function createModelAccess(parts: ModelAccessParts): ModelAccess {
  const { library, gpu, share, open, onFallback, baseUrl, ...hostParts } = parts;
  const whole = (found: ModelSpec): ModelSpec => {
    const { path, bytes } = found.file;
    return { ...found, file: { path: new URL(path, baseUrl).href, bytes } };
  };
  const builtIn = parts.spec && whole(parts.spec);
  const lastResort = parts.lastResort && whole(parts.lastResort);
  const shippedOf = (id: string) => [builtIn, lastResort].find((model) => model?.id === id);

  const host = createModelHost({
    ...hostParts,
    spec: builtIn ?? noSpec,
    open: share(withClaim(open, gpu.take)),
  });
  const fallbacks = createFallbacks({
    host,
    builtIn: lastResort,
    async find(id) {
      const shipped = shippedOf(id);
      if (shipped) return { spec: shipped, isKept: true };
      const { find, isKept } = await library();
      const [found, kept] = await Promise.all([find(id), isKept(id)]);
      return { spec: found && whole(found), isKept: kept };
    },
    async alternativesTo(model) {
      if (shippedOf(model.id)) return { smaller: [] };
      const { twin, smaller } = await (await library()).alternativesTo(model);
      return {
        ...(twin && { twin: { ...twin, spec: whole(twin.spec) } }),
        smaller: smaller.map(whole),
      };
    },
    onChange: (id, fallback) =>
      onFallback(id, fallback && { model: nameOf(fallback.spec), step: fallback.step }),
  });

  /** The last request. Later requests may be ready earlier. */
  let asked: { id: string; over: AbortController } | undefined;
  const load = async (model: Wanted) => {
    if (asked?.id !== model.id) {
      asked?.over.abort(new AppError('load-cancelled', 'Another model was asked for.'));
      asked = { id: model.id, over: new AbortController() };
    }
    const { signal } = asked.over;
    const wanted = await fallbacks.specFor(model);
    signal.throwIfAborted();
    const release = await host.hold(wanted, signal);
    await host.load().finally(release);
  };
  return {
    host,
    fallbacks,
    load,
    retry(model) {
      fallbacks.forget(model.id);
      return load(model);
    },
    loadBeside(model) {
      gpu.share();
      return load(model);
    },
  };
}
