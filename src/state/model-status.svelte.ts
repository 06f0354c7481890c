/** The state of the chosen model: loading progress, fallback and speed. */
import type { ErrorCode } from '../contracts/error-code';
import type { LoadProgress, Usage } from '../contracts/model';
import type { ModelName, ModelPlace, RecoveryStep, SilenceQuestion } from '../contracts/model-library';
import { placeOf } from './models.svelte';

export type ModelPhase =
  | { type: 'idle' }
  | { type: 'loading'; progress?: LoadProgress }
  | { type: 'ready'; contextTokens?: number }
  | { type: 'failed'; code: ErrorCode; detail: string; isLost?: true };

interface FallbackView {
  model: ModelName;
  step: RecoveryStep;
}

export type ModelFunctions = Pick<ModelStatus, 'load' | 'retry' | 'loadDespiteOtherTab' | 'cancel'>;

export class ModelStatus {
  readonly defaultModel: ModelName;
  #choose = $state.raw<() => ModelName>();
  /** The model that is loaded or loading. It may differ from the chosen one. */
  running = $state.raw<{ id: string; phase: ModelPhase }>();
  #fallbacks = $state.raw<Readonly<Record<string, FallbackView>>>({});
  #usage = $state.raw<{ id: string; usage: Usage }>();
  /** Whether a load has made no progress for 10 seconds. */
  isSlow = $state(false);
  isQueued = $state(false);
  /** Set while the running model has said nothing for so long that the user should decide whether to wait. */
  silence = $state.raw<SilenceQuestion>();

  /** Loads the chosen model or its fallback, unless a load has already started. */
  readonly load: () => void;
  /** Loads the chosen model itself, even if a fallback has replaced it. */
  readonly retry: () => void;
  /** Like `load`, but also works if another tab uses the GPU. Settles when the load ends. */
  readonly loadDespiteOtherTab: () => Promise<void>;
  readonly cancel: () => void;

  constructor(model: ModelName, { load, retry, loadDespiteOtherTab, cancel }: ModelFunctions) {
    this.defaultModel = model;
    this.load = load;
    this.retry = retry;
    this.loadDespiteOtherTab = loadDespiteOtherTab;
    this.cancel = cancel;
  }

  followChoice(choose: () => ModelName): void {
    this.#choose = choose;
  }

  get shownModel(): ModelName {
    return this.#choose?.() ?? this.defaultModel;
  }

  get fallback(): FallbackView | undefined {
    return this.#fallbacks[this.shownModel.id];
  }

  setFallback(id: string, fallback: FallbackView | undefined): void {
    const others = Object.entries(this.#fallbacks).filter(([other]) => other !== id);
    this.#fallbacks = Object.fromEntries(fallback ? [...others, [id, fallback]] : others);
  }

  get answeringModel(): ModelName {
    return this.fallback?.model ?? this.shownModel;
  }

  get name(): string {
    return this.answeringModel.name;
  }

  get place(): ModelPlace {
    return placeOf(this.answeringModel);
  }

  /** Token counts and speed of the last reply. Undefined if another model wrote it. */
  get usage(): Usage | undefined {
    return this.usageOf(this.answeringModel.id);
  }

  usageOf(id: string): Usage | undefined {
    return this.#usage?.id === id ? this.#usage.usage : undefined;
  }

  set usage(usage: Usage | undefined) {
    this.#usage = usage && { id: this.running?.id ?? this.answeringModel.id, usage };
  }

  get phase(): ModelPhase {
    return this.phaseOf(this.answeringModel.id);
  }

  set phase(phase: ModelPhase) {
    this.running = { id: this.answeringModel.id, phase };
  }

  phaseOf(id: string): ModelPhase {
    return this.running?.id === id ? this.running.phase : { type: 'idle' };
  }
}
