/** What is loaded, how far, and how fast: the one line about the model. */
import type { ErrorCode } from '../contracts/app-error';
import type { LoadProgress, Usage } from '../contracts/model';

export type ModelPhase =
  | { type: 'idle' }
  | { type: 'loading'; progress?: LoadProgress }
  | { type: 'ready' }
  /** `detail` is for diagnostics; the sentence comes from the code. */
  | { type: 'failed'; code: ErrorCode; detail: string };

export interface ModelFunctions {
  /** Starts loading, or does nothing if that has begun. */
  load: () => void;
  cancel: () => void;
}

export class ModelStatus {
  readonly name: string;
  readonly engine: string;
  /** Bytes of its file. */
  readonly bytes: number;
  phase = $state.raw<ModelPhase>({ type: 'idle' });
  /** Of the last reply that wrote anything. */
  usage = $state.raw<Usage>();
  /** True from 10 s without a sign of life until the next one. */
  isSlow = $state(false);

  readonly #functions: ModelFunctions;

  constructor(model: { name: string; engine: string; bytes: number }, functions: ModelFunctions) {
    this.name = model.name;
    this.engine = model.engine;
    this.bytes = model.bytes;
    this.#functions = functions;
  }

  load(): void {
    this.#functions.load();
  }

  cancel(): void {
    this.#functions.cancel();
  }
}
