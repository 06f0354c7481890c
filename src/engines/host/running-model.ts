/** One life of a model, wherever it runs: it is loaded once, answers requests, and is closed. */
import type { ChatModel, LoadOptions, ModelEvent, ModelSpec, ReplyRequest } from '../../contracts/model';

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
