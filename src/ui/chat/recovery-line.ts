/** PURE: what was done so that a turn goes on, in words: what happened, what answers now, what else would help. */
import type { RecoveryStep } from '../../contracts/model-library';
import type { Language } from '../i18n/language.svelte';

export function writeRecovery(step: RecoveryStep, language: Language): string {
  const words = language.late.recovery;
  const { rung, fault, from, to, contextTokens, missing } = step;
  return [
    words.because(from, words.reasons[fault] ?? words.unknown),
    words.steps[rung](to, language.number(contextTokens)),
    ...(missing === undefined ? [] : [words.missing(missing)]),
  ].join(words.between);
}
