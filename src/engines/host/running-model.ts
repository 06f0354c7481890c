/**
 * One life of a model, wherever it runs: it is loaded once, answers, and is closed. Also the implementation for engines on the page's
 * thread.
 */
import type { ChatModel, LoadOptions, ModelEvent, ModelSpec, ReplyRequest } from '../../contracts/model';
import { AppError, writeError } from '../../contracts/app-error';
import { untilAborted } from '../../contracts/until-aborted';
import { whenLoaded } from '../engine';

export interface RunningModel extends ChatModel {
  load(spec: ModelSpec, onProgress: LoadOptions['onProgress'], onLost?: LoadOptions['onLost']): Promise<void>;
  /** Tokens of prompt and reply together. Set after the load, if only the engine knows them. */
  readonly contextTokens?: number | undefined;
  /** Like `ChatModel.respond`. `onQueued` reports whether another tab is answered first. */
  respond(
    request: ReplyRequest,
    signal: AbortSignal,
    onQueued?: (isQueued: boolean) => void,
  ): AsyncIterable<ModelEvent>;
  close(reason: Error): void;
}

/** Loads an engine and wraps it in the tool protocol. Called once in a life. Rejects with an `AppError`. */
export type LoadModel = (
  spec: ModelSpec,
  options: LoadOptions,
) => Promise<ChatModel & Pick<RunningModel, 'contextTokens'>>;

export function createPageModel(load: LoadModel): RunningModel {
  const life = new AbortController();
  let loaded: Awaited<ReturnType<LoadModel>> | undefined;
  const model = () => {
    life.signal.throwIfAborted();
    return whenLoaded(loaded);
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
        throw error instanceof AppError
          ? error
          : new AppError('engine-crashed', writeError(error), { cause: error });
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
        // Not awaited, because an engine that hangs would block the caller.
        void events.return?.();
      }
    },
    close: (reason) => life.abort(reason),
  };
}
