/** Manages the page's one loaded model: which model answers, where it runs, and how it is loaded. */
import { AppError } from '../contracts/app-error';
import type { ModelSpec, ChatModel, LoadTiming } from '../contracts/model';
import type { ModelName, RecoveryStep, SilenceQuestion } from '../contracts/model-library';
import { untilAborted } from '../contracts/until-aborted';
import { createFallbacks, type WantedModel } from '../engines/host/fallbacks';
import {
  createPageModel,
  type GpuClaim,
  type RunningModel,
  withGpuClaim,
} from '../engines/host/running-model';
import { createModelHost, type HostOptions, type HostPhase, type Silence } from '../engines/host/model-host';
import type { ModelLibrary } from './model-library';
import { noModel } from './small-model';
import type { PageEngineOptions } from '../engines/engine';
import { createRemoteEmbedder, createRemoteModel, type Embedder } from '../engines/host/remote-model';
import { createModelSharing } from '../engines/host/tabs/share-models';
import { engineOf, loadPageEngine, modelNameOf } from '../engines/registry';
import { canUseChannels, openChannel } from '../platform/channels';
import { canUseLocks, holdLock } from '../platform/waiting-locks';
import { startWorker } from '../platform/start-worker';
import modelWorkerUrl from '../../workers/model.worker.ts?worker&url';

export interface ModelAccessOptions extends Pick<
  HostOptions,
  'open' | 'onPhase' | 'onSlow' | 'onQueued' | 'limits'
> {
  /** The built-in model, used by chats without a chosen model. Undefined in a build without a built-in model. */
  spec: ModelSpec | undefined;
  /** The model that answers when no other model can. Undefined in a build without a built-in model. */
  lastResort: ModelSpec | undefined;
  library: () => Promise<Pick<ModelLibrary, 'find' | 'isKept' | 'alternativesTo'>>;
  gpu: GpuClaim;
  /** Returns a function that opens a model in this tab, or uses one that another tab has opened. */
  share: (openHere: HostOptions['open']) => HostOptions['open'];
  /** Called when a fallback replaces the model `id`, and with undefined when the original model answers again. */
  onFallback: (id: string, fallback: { model: ModelName; step: RecoveryStep } | undefined) => void;
  /** True if a chat is being answered, so the user can be asked whether to wait for the model. */
  canAsk: () => boolean;
  /** Shows the question about a silent model, or removes it. */
  onSilence: (question: SilenceQuestion | undefined) => void;
  baseUrl: string;
  beforeLoad: () => void;
}

/** Milliseconds. The small model answers in a moment. If it does not, the larger model chooses the tools. */
const handsLimits = { loadMs: 30_000, firstTokenMs: 15_000, unknownSpeedMs: 15_000 };

const emptyRoleTemplate = { before: '', after: '' };
/** Placeholder for the host's first model in a build without a built-in model. It is never loaded, because `specFor` rejects first. */
const placeholderSpec: ModelSpec = {
  ...noModel,
  file: { path: '', bytes: 0 },
  format: '',
  template: {
    system: emptyRoleTemplate,
    user: emptyRoleTemplate,
    assistant: emptyRoleTemplate,
    tool: emptyRoleTemplate,
    stop: [],
  },
  contextTokens: 0,
  maxReplyTokens: 0,
  sampling: { temperature: 0 },
  languages: [],
  licence: '',
};

export function createModelAccess(parts: ModelAccessOptions) {
  const { library, gpu, share, open, onFallback, canAsk, onSilence, baseUrl, beforeLoad, ...hostParts } =
    parts;
  const whole = (found: ModelSpec) => resolveModelUrl(found, baseUrl);
  const builtIn = parts.spec && whole(parts.spec);
  const lastResort = parts.lastResort && whole(parts.lastResort);
  const shippedOf = (id: string) => [builtIn, lastResort].find((model) => model?.id === id);

  const openShared = share(withGpuClaim(open, gpu.take));
  /** Requests that wait without a sign of life. A server answers several at once. */
  let silences: readonly Silence[] = [];
  /** Shows the question about the newest of them. */
  async function showSilence(): Promise<void> {
    const newest = silences.at(-1);
    if (!newest) {
      onSilence(undefined);
      return;
    }
    const other = await fallbacks.findReplacement().catch(() => undefined);
    // The model may have answered while we looked for another one.
    if (silences.at(-1) !== newest) return;
    onSilence({ ...newest, model: modelNameOf(host.spec), other: other && modelNameOf(other) });
  }

  const host = createModelHost({
    ...hostParts,
    onSilent(silence) {
      if (!canAsk()) return false;
      silences = [...silences, silence];
      void showSilence();
      return true;
    },
    onSilenceEnd(ended) {
      silences = silences.filter((silence) => silence !== ended);
      void showSilence();
    },
    spec: builtIn ?? placeholderSpec,
    open: openShared,
  });
  const ignore = () => undefined;
  /** Runs the small model beside a larger one, whose tools it calls. Nobody is asked about its silence: the larger model then chooses. */
  const hands =
    lastResort &&
    createModelHost({
      spec: lastResort,
      open: openShared,
      limits: { ...parts.limits, ...handsLimits },
      onPhase: ignore,
      onSlow: ignore,
      onQueued: ignore,
      onSilent: () => false,
      onSilenceEnd: ignore,
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
      onFallback(id, fallback && { model: modelNameOf(fallback.spec), step: fallback.step }),
  });

  /** The last requested model. `over` aborts when another model is requested. */
  let asked: { id: string; over: AbortController } | undefined;
  /** Waits until turns with another model have ended, then loads `model`. Rejects with `load-cancelled` if another is requested. */
  const load = async (model: WantedModel) => {
    beforeLoad();
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
    hands,
    fallbacks,
    load,
    retry: (model: WantedModel) => {
      fallbacks.forget(model.id);
      return load(model);
    },
    /** Like `load`, but also works if another tab has loaded a model on the GPU. */
    loadDespiteOtherTab: (model: WantedModel) => {
      gpu.share();
      return load(model);
    },
  };
}

/** Makes the path of the model's file absolute. The path is relative to the page, but a worker has another URL. */
function resolveModelUrl(spec: ModelSpec, baseUrl: string): ModelSpec {
  const { path, bytes } = spec.file;
  return { ...spec, file: { path: new URL(path, baseUrl).href, bytes } };
}

export function openModel(spec: ModelSpec, parts: PageEngineOptions): RunningModel {
  if (engineOf(spec)?.runsIn !== 'page') return createRemoteModel(startWorker(modelWorkerUrl));
  return createPageModel(async (loading, options) => {
    // Only engines that run in the page need this import. All others run in a worker, which contains the chat protocol.
    const { createChatModel } = await import('../protocol/chat-model');
    const engine = await loadPageEngine(loading, parts);
    await engine.load(loading, options);
    const model = createChatModel(engine, loading, () => crypto.randomUUID());
    // An engine that runs in the page reports its context size. For an engine in a worker, the model spec contains it.
    return { ...model, contextTokens: engine.contextTokens };
  });
}

/** Lets tabs share a model that runs in a worker. Servers and the browser's own model need no sharing. */
export function createTabSharing(openHere: HostOptions['open']): HostOptions['open'] {
  if (!canUseLocks() || !canUseChannels()) return openHere;
  const open = createModelSharing({
    links: { hold: holdLock, openChannel, newId: () => crypto.randomUUID() },
    openHere,
    keyOf({ sampling, ...rest }) {
      // Tabs with equal keys share a model. Two app versions have different worker URLs. Of `sampling`, each request sends everything but the seed.
      return JSON.stringify([modelWorkerUrl, sampling.seed, rest]);
    },
  });
  return (spec) => (engineOf(spec)?.runsIn === 'page' ? openHere(spec) : open(spec));
}

export function openEmbedder(modelId: string, find: ModelLibrary['find'], baseUrl: string): Embedder {
  return createRemoteEmbedder({
    startWorker: () => startWorker(modelWorkerUrl),
    async findModel() {
      const found = await find(modelId);
      if (!found) throw new AppError('model-not-downloaded', `No model of this name is known: ${modelId}`);
      return resolveModelUrl(found, baseUrl);
    },
  });
}

export type ServerModels = ReturnType<typeof createServerModels>;

export function createServerModels(
  ids: () => readonly string[],
  find: (id: string) => Promise<ModelSpec | undefined>,
  openHere: (spec: ModelSpec) => RunningModel,
) {
  return {
    isThere: ({ id, engine }: Pick<ModelName, 'id' | 'engine'>) =>
      engineOf({ engine })?.answersBeside === true && ids().includes(id),
    /** Looks up the model on each call, to use the user's latest edits. Rejects with an `AppError` if the user has removed the model. */
    async open({ id }: Pick<ModelName, 'id'>): Promise<{ spec: ModelSpec; model: ChatModel }> {
      const spec = await find(id);
      if (!spec) throw new AppError('model-not-downloaded', `${id} is not in the list.`);
      const model = openHere(spec);
      await model.load(spec, () => undefined);
      return { spec, model };
    },
  };
}

export type LoadTracker = ReturnType<typeof createLoadTracker>;

export function createLoadTracker(date: () => number) {
  const maxLoads = 8;
  let loads: { from: number; to?: number }[] = [];
  return {
    see({ type }: HostPhase) {
      const last = loads.at(-1);
      const isLoading = last !== undefined && last.to === undefined;
      // During a load, each progress event reports the `loading` phase again.
      if (type === 'loading' && !isLoading) loads = [...loads.slice(1 - maxLoads), { from: date() }];
      else if (type !== 'loading' && isLoading) last.to = date();
    },
    /** Returns a function. Each call of that function returns one time span around all model loads since its previous call. */
    follow() {
      let since = date();
      return (): LoadTiming | undefined => {
        const now = date();
        const seen = loads.filter(({ to = now }) => to > since);
        const startedAt = Math.max(since, seen[0]?.from ?? now);
        const endedAt = seen.at(-1)?.to ?? now;
        since = now;
        return seen.length > 0 && endedAt > startedAt ? { startedAt, ms: endedAt - startedAt } : undefined;
      };
    },
  };
}

export type ChatActivity = ReturnType<typeof createChatActivity>;

export function createChatActivity() {
  let count = 0;
  let busy = new AbortController();
  let waiting: (() => void)[] = [];
  return {
    isBusy: () => count > 0,
    /** Waits until no chat is being answered. Resolves to a signal that aborts when the next answer starts. */
    whenQuiet: async (signal: AbortSignal) => {
      while (count > 0) await untilAborted(new Promise<void>((resolve) => waiting.push(resolve)), signal);
      signal.throwIfAborted();
      return busy.signal;
    },
    /** Marks a chat as being answered. Call the returned function once when the answer ends. */
    begin() {
      count += 1;
      busy.abort();
      busy = new AbortController();
      return () => {
        count -= 1;
        if (count > 0) return;
        const freed = waiting;
        waiting = [];
        for (const resolve of freed) resolve();
      };
    },
  };
}
