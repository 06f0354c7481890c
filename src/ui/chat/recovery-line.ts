/** PURE: what was done so that a turn goes on, in words: what happened, what answers now, what else would help. */
import type { RecoveryStep } from '../../contracts/recovery';
import type { Language } from '../i18n/language.svelte';

export function writeRecovery(step: RecoveryStep, language: Language): string {
  const { reasons, unknown, because, steps, missing } = language.words.recovery;
  const { rung, fault, from, to, contextTokens } = step;
  return [
    because(from, reasons[fault] ?? unknown),
    steps[rung](to, language.number(contextTokens)),
    ...(step.missing === undefined ? [] : [missing(step.missing)]),
  ].join(language.words.recovery.between);
}
