/** The empty chat's sentence about its model, or '' if none answers. The chat's header shows the same state in a few words. */
import type { AnsweringModel } from '../../state/answering-model';
import type { Language } from '../i18n/language.svelte';

export function describeAnswering({ model, place, condition }: AnsweringModel, language: Language): string {
  const words = language.words.empty;
  const name = language.modelName(model);
  switch (condition) {
    case 'none':
    case 'failed':
    case 'lost':
      // The header says so, and a notice says why.
      return '';
    // True before the model has started, too: it starts with the first message.
    case 'idle':
    case 'loading':
    case 'ready':
      if (place === 'network' || place === 'elsewhere') return language.words.composer.away(name);
      return model.isSmall ? words.small(name) : words.large(name);
  }
}
