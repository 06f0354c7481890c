import type { Language } from '../i18n/language.svelte';

export function personaFieldNamesOf({ words, rest }: Pick<Language, 'words' | 'rest'>) {
  const { name, description, model, temperature, topP, language } = rest.common;
  const { tools } = words.navigation;
  return { ...rest.personas.fields, name, description, model, temperature, topP, language, tools };
}
