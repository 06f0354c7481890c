/** One life of a model, wherever it runs: it is loaded once, asked, and ended. */
import type { ChatModel, LoadOptions, ModelEvent, ModelSpec, ReplyRequest } from '../../contracts/model';

export interface RunningModel extends ChatModel {
  /** Rejects with an `AppError`. */
  load(spec: ModelSpec, onProgress: LoadOptions['onProgress'], onLost?: LoadOptions['onLost']): Promise<void>;
  /** Once it is loaded: tokens of prompt and reply together, where only its engine knows them. */
  readonly contextTokens?: number | undefined;
  /** As `ChatModel`. `onQueued` says that another tab is answered first, and then that it is this one's turn. */
  respond(
    request: ReplyRequest,
    signal: AbortSignal,
    onQueued?: (isQueued: boolean) => void,
  ): AsyncIterable<ModelEvent>;
  /** Ends it. What waits for it is rejected with `reason`. */
  close(reason: Error): void;
}

/** Loads an engine and puts the tool protocol around it; called once in a life. Rejects with an `AppError`. */
export type LoadModel = (
  spec: ModelSpec,
  options: LoadOptions,
) => Promise<ChatModel & Pick<RunningModel, 'contextTokens'>>;
