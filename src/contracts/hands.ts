/** Decides whether a model calls tools itself, or the small model calls them for it: docs/decisions/2026-11-30-hands-and-voice.md. */
import type { ExamRun } from './exam';
import type { ModelName } from './model-library';
import type { Settings } from './settings';

/** A model with at least this share of right answers in its exam calls tools itself. */
const minRightShare = 0.8;
/** A model on the GPU with at least this many bytes calls tools itself, as long as it has taken no exam. */
const minGpuBytes = 700_000_000;

/**
 * True if the small model should choose the tools for `model`. Without the user's choice and without an exam, we go by the kind of model: one
 * on the processor needs minutes to read a list of tools, and a very small one chooses wrong tools.
 */
export function shouldSmallModelChoose(
  model: Pick<ModelName, 'id' | 'place' | 'bytes' | 'isSmall'>,
  { smallModelChooses = {} }: Pick<Settings, 'smallModelChooses'>,
  exam: ExamRun | undefined,
): boolean {
  if (model.isSmall || (model.place !== 'processor' && model.place !== 'gpu')) return false;
  const chosen = smallModelChooses[model.id];
  if (chosen !== undefined) return chosen;
  if (exam && exam.of > 0 && !exam.withSmallModel) {
    const right = exam.answers.filter(({ mistake }) => mistake === undefined).length;
    return right < minRightShare * exam.of;
  }
  return model.place === 'processor' || model.bytes < minGpuBytes;
}
