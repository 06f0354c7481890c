/** A model from load to close. It may run in a worker, in another tab or on the page's thread. */
import type { ChatModel, LoadOptions, ModelEvent, ModelSpec, ReplyRequest } from '../../contracts/model';
import { AppError } from '../../contracts/app-error';
import { untilAborted } from '../../contracts/until-aborted';
import type { Release } from '../../platform/locks';
import { toFault, requireLoaded } from '../engine';
import { engineOf } from '../registry';

export interface RunningModel extends ChatModel {
  load(spec: ModelSpec, onProgress: LoadOptions['onProgress'], onLost?: LoadOptions['onLost']): Promise<void>;
  /** Context length in tokens. Set after the load if only the engine knows it. */
  readonly contextTokens?: number | undefined;
  /** Like `ChatModel.respond`. `onQueued`: called with true if replies of other tabs come first, and with false when ours begins. */
  respond(
    request: ReplyRequest,
    signal: AbortSignal,
    onQueued?: (isQueued: boolean) => void,
  ): AsyncIterable<ModelEvent>;
  close(reason: Error): void;
}

/** Loads an engine and adds the tool protocol. Called once per running model. Rejects with an `AppError`. */
export type LoadModel = (
  spec: ModelSpec,
  options: LoadOptions,
) => Promise<ChatModel & Pick<RunningModel, 'contextTokens'>>;

export function createPageModel(load: LoadModel): RunningModel {
  const life = new AbortController();
  let loaded: Awaited<ReturnType<LoadModel>> | undefined;
  const model = () => {
    life.signal.throwIfAborted();
    return requireLoaded(loaded);
  };

  return {
    get contextTokens() {
      return loaded?.contextTokens;
    },
    async load(spec, onProgress, onLost) {
      const options = { signal: life.signal, onProgress, ...(onLost && { onLost }) };
      try {
        loaded = await untilAborted(load(spec, options), life.signal);
      } catch (error) {
        throw toFault(error);
      }
    },
    async measure(...given) {
      return untilAborted(model().measure(...given), life.signal);
    },
    async *respond(request, signal): AsyncGenerator<ModelEvent> {
      const events = model().respond(request, signal)[Symbol.asyncIterator]();
      try {
        for (;;) {
          const next = await untilAborted(events.next(), life.signal);
          if (next.done) return;
          yield next.value;
        }
      } finally {
        // Do not wait, because an engine that hangs would block the caller forever.
        void events.return?.();
      }
    },
    close: (reason) => life.abort(reason),
  };
}

export type GpuClaim = ReturnType<typeof createGpuClaim>;

const doNothing = () => undefined;

/** Wraps `open`, so each load claims the GPU first. Closing the model releases the GPU. */
export function withGpuClaim(
  open: (spec: ModelSpec) => RunningModel,
  take: GpuClaim['take'],
): (spec: ModelSpec) => RunningModel {
  return (opened) => {
    const inner = open(opened);
    let ended: Error | undefined;
    let release: Release = doNothing;
    return {
      ...inner,
      // Use a getter, because the value is unknown before the load.
      get contextTokens() {
        return inner.contextTokens;
      },
      async load(spec, ...rest) {
        release = await take(spec);
        if (ended) {
          release();
          throw ended;
        }
        await inner.load(spec, ...rest);
      },
      close(reason) {
        ended ??= reason;
        inner.close(reason);
        release();
      },
    };
  };
}

/** Restricts the GPU to one tab, because two models need twice the memory. The user decides whether another tab may load one. */
export function createGpuClaim(takeLock: (name: string) => Promise<Release | undefined>) {
  let isShared = false;
  return {
    /** Claims the GPU. Resolves to a function that releases it. Rejects with an `AppError` (`model-elsewhere`). */
    take: async ({ id, engine }: ModelSpec): Promise<Release> => {
      if (engineOf({ engine })?.place !== 'gpu') return doNothing;
      const release = await takeLock('model-on-gpu');
      if (release) return release;
      if (isShared) return doNothing;
      throw new AppError('model-elsewhere', `Another tab has a model on the GPU, so ${id} was not loaded.`);
    },
    share(): void {
      isShared = true;
    },
  };
}
