/** What is loaded, how far, and how fast: the one line about the model of the chat that is shown. */
import type { ErrorCode } from '../contracts/error-code';
import type { LoadProgress, Usage } from '../contracts/model';
import type { ModelName, ModelPlace, RecoveryStep } from '../contracts/model-library';
import { placeOf } from './models.svelte';

export type ModelPhase =
  | { type: 'idle' }
  | { type: 'loading'; progress?: LoadProgress }
  /** `contextTokens`: how much it reads at once, where only its engine knows that. */
  | { type: 'ready'; contextTokens?: number }
  /** `detail` is for diagnostics; the sentence comes from the code. `isLost`: it had started, and is gone. */
  | { type: 'failed'; code: ErrorCode; detail: string; isLost?: true };

/** The model that answers in place of the chosen one: another, or the same with a smaller context. */
export interface FallbackView {
  model: ModelName;
  step: RecoveryStep;
}

export interface ModelFunctions {
  /** Starts loading the model that is shown, or what answers in its place, or does nothing if that has begun. */
  load: () => void;
  /** The model that is shown itself, whatever has answered in its place. */
  retry: () => void;
  /** As `load`, although another tab has a model on the GPU. Settles when the load has ended, well or not. */
  loadBeside: () => Promise<void>;
  cancel: () => void;
}

export class ModelStatus {
  /** The one that ships with the app. */
  readonly first: ModelName;
  #choose = $state.raw<() => ModelName>();
  /** The model that is loaded or being loaded. It may be another than the one shown. */
  running = $state.raw<{ id: string; phase: ModelPhase }>();
  /** Fallbacks of this visit, by the id of the chosen model. */
  #fallbacks = $state.raw<Readonly<Record<string, FallbackView>>>({});
  #usage = $state.raw<{ id: string; usage: Usage }>();
  /** True from 10 s without a sign of life until the next one. */
  isSlow = $state(false);
  /** It answers another tab first. */
  isQueued = $state(false);

  readonly #functions: ModelFunctions;

  constructor(model: ModelName, functions: ModelFunctions) {
    this.first = model;
    this.#functions = functions;
  }

  /** From now on the model that `choose` returns is shown. */
  follow(choose: () => ModelName): void {
    this.#choose = choose;
  }

  /** The model chosen for the chat on the screen. */
  get shown(): ModelName {
    return this.#choose?.() ?? this.first;
  }

  /** The model that answers in place of the one shown; undefined where that answers itself. */
  get fallback(): FallbackView | undefined {
    return this.#fallbacks[this.shown.id];
  }

  setFallback(id: string, fallback: FallbackView | undefined): void {
    const others = Object.entries(this.#fallbacks).filter(([other]) => other !== id);
    this.#fallbacks = Object.fromEntries(fallback ? [...others, [id, fallback]] : others);
  }

  /** The model that really answers in the chat on the screen. */
  get answering(): ModelName {
    return this.fallback?.model ?? this.shown;
  }

  get name(): string {
    return this.answering.name;
  }

  get place(): ModelPlace {
    return placeOf(this.answering);
  }

  get engine(): string {
    return this.answering.engine;
  }

  /** Usage of the last reply, if the model shown wrote it: another model's usage says nothing about this one. */
  get usage(): Usage | undefined {
    return this.usageOf(this.answering.id);
  }

  /** Usage of the last reply; undefined for every model but the one that wrote it. */
  usageOf(id: string): Usage | undefined {
    return this.#usage?.id === id ? this.#usage.usage : undefined;
  }

  /** Recorded under the model that is loaded at this moment. */
  set usage(usage: Usage | undefined) {
    this.#usage = usage && { id: this.running?.id ?? this.answering.id, usage };
  }

  get phase(): ModelPhase {
    return this.phaseOf(this.answering.id);
  }

  set phase(phase: ModelPhase) {
    this.running = { id: this.answering.id, phase };
  }

  phaseOf(id: string): ModelPhase {
    return this.running?.id === id ? this.running.phase : { type: 'idle' };
  }

  load(): void {
    this.#functions.load();
  }

  retry(): void {
    this.#functions.retry();
  }

  loadBeside(): Promise<void> {
    return this.#functions.loadBeside();
  }

  cancel(): void {
    this.#functions.cancel();
  }
}
