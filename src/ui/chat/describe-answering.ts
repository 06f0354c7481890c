/** The empty chat's sentence about its model. The chat's header shows the same state in a few words. */
import type { AnsweringModel } from '../../state/model-status.svelte';
import type { Language } from '../i18n/language.svelte';

export function describeAnswering({ model, place, condition }: AnsweringModel, language: Language): string {
  const words = language.words.empty;
  const name = language.modelName(model);
  switch (condition) {
    case 'none':
      return words.none;
    case 'failed':
    case 'lost':
      return words[condition](name);
    // True before the model has started, too: it starts with the first message.
    case 'idle':
    case 'loading':
    case 'ready':
      if (place === 'loopback' || place === 'network' || place === 'elsewhere')
        return words.servers[place](name);
      return model.isSmall ? words.small(name) : words.large(name);
  }
}
