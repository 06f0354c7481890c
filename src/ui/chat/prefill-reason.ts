/** PURE: why a round read more than was new, as the end of a sentence. */
import type { PrefillReason } from '../../contracts/model';
import type { Language } from '../i18n/language.svelte';

export function writePrefillReason(reason: PrefillReason, language: Language): string {
  const { prefillReasons } = language.late.details;
  switch (reason.code) {
    case 'history':
      return prefillReasons.history(reason.message, reason.of);
    case 'several-new':
      return prefillReasons['several-new'](reason.messages);
    case 'excess':
      return prefillReasons.excess(language.number(reason.prefilled), language.number(reason.fresh));
    case 'loaded':
    case 'other-chat':
    case 'start-dropped':
    case 'summed-up':
    case 'stopped':
    case 'cut-off':
    case 'system':
    case 'agent':
      return prefillReasons[reason.code];
  }
}
