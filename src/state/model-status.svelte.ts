/** What is loaded, how far, and how fast: the one line about the model of the chat that is shown. */
import type { ErrorCode } from '../contracts/app-error';
import type { LoadProgress, Usage } from '../contracts/model';
import type { ModelName } from '../contracts/model-name';

export type ModelPhase =
  | { type: 'idle' }
  | { type: 'loading'; progress?: LoadProgress }
  | { type: 'ready' }
  /** `detail` is for diagnostics; the sentence comes from the code. */
  | { type: 'failed'; code: ErrorCode; detail: string };

export interface ModelFunctions {
  /** Starts loading the model that is shown, or does nothing if that has begun. */
  load: () => void;
  cancel: () => void;
}

export class ModelStatus {
  /** The one that ships with the app. */
  readonly first: ModelName;
  #choose = $state.raw<() => ModelName>();
  /** What the machine works at: often, not always, the same. */
  running = $state.raw<{ id: string; phase: ModelPhase }>();
  /** Of the last reply that wrote anything. */
  usage = $state.raw<Usage>();
  /** True from 10 s without a sign of life until the next one. */
  isSlow = $state(false);

  readonly #functions: ModelFunctions;

  constructor(model: ModelName, functions: ModelFunctions) {
    this.first = model;
    this.#functions = functions;
  }

  /** From now on the one is shown that `choose` says. */
  follow(choose: () => ModelName): void {
    this.#choose = choose;
  }

  /** The one of the chat on the screen. */
  get shown(): ModelName {
    return this.#choose?.() ?? this.first;
  }

  get name(): string {
    return this.shown.name;
  }

  get engine(): string {
    return this.shown.engine;
  }

  /** Of its files. */
  get bytes(): number {
    return this.shown.bytes;
  }

  get phase(): ModelPhase {
    return this.phaseOf(this.shown.id);
  }

  set phase(phase: ModelPhase) {
    this.running = { id: this.shown.id, phase };
  }

  phaseOf(id: string): ModelPhase {
    return this.running?.id === id ? this.running.phase : { type: 'idle' };
  }

  load(): void {
    this.#functions.load();
  }

  cancel(): void {
    this.#functions.cancel();
  }
}
