/** What the chat's header and the empty chat say about the model. Both read this, so they never contradict each other. */
import type { ModelName, ModelPlace } from '../contracts/model-library';
import type { ModelPhase, ModelStatus } from './model-status.svelte';
import { placeOf } from './models.svelte';

export interface AnsweringModel {
  model: ModelName;
  place: ModelPlace;
  /** The chosen model, if a fallback with another name answers in its place. */
  insteadOf: ModelName | undefined;
  /** `lost`: failed after it had started. `none`: this build has no built-in model, and the user has chosen none. */
  condition: ModelPhase['type'] | 'lost' | 'none';
}

export function answeringModelOf({ answeringModel: model, shownModel, phase }: ModelStatus): AnsweringModel {
  const isLost = phase.type === 'failed' && phase.isLost;
  return {
    model,
    place: placeOf(model),
    // A fallback may be a variant with the same name.
    insteadOf: model.name === shownModel.name ? undefined : shownModel,
    condition: model.engine === '' ? 'none' : isLost ? 'lost' : phase.type,
  };
}
