/** The languages of the screen: one JSON file each in this folder. */
import english from './en.json?language';
import type { RestWords, ShellWords } from './words';

export interface LanguageEntry {
  /** BCP 47. It is compared with the languages of the browser and set as the `lang` of the page. */
  code: string;
  /** In the language itself. */
  name: string;
  load: () => ShellWords | Promise<ShellWords>;
  /** Loads the words of the parts that are loaded when they are first shown. */
  loadRest: () => Promise<RestWords>;
}

export { english };

/** English, the fallback, is the first. */
export const languages: readonly LanguageEntry[] = [
  english,
  ...Object.values(
    import.meta.glob<LanguageEntry>(['./*.json', '!./en.json'], {
      query: '?language',
      import: 'default',
      eager: true,
    }),
  ),
];

/** The chosen language, else the first language of the browser that we have, else English. */
export function languageFor(chosen: string | null, preferred: readonly string[]): LanguageEntry {
  const wanted = chosen === null ? preferred : [chosen, ...preferred];
  for (const tag of wanted) {
    const [code] = tag.toLowerCase().split('-');
    const found = languages.find((language) => language.code === code);
    if (found) return found;
  }
  return english;
}
