/** A model whose engine runs on the page's thread: the browser's own model, or one on a server. */
import { AppError, writeError } from '../../contracts/app-error';
import type { ModelEvent } from '../../contracts/model';
import { untilAborted } from '../../contracts/until-aborted';
import type { LoadModel, RunningModel } from './running-model';

export function createPageModel(load: LoadModel): RunningModel {
  const life = new AbortController();
  let loaded: Awaited<ReturnType<LoadModel>> | undefined;
  const model = () => {
    life.signal.throwIfAborted();
    if (!loaded) throw new AppError('engine-crashed', 'No model is loaded.');
    return loaded;
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
        // Not awaited: an engine that hangs would block a caller that no longer needs it.
        void events.return?.();
      }
    },
    close: (reason) => life.abort(reason),
  };
}
