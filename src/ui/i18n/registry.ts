/** The languages of the user interface. Each has a JSON file in this folder. */
import english from './en.json?language';
import type { RestWords, ShellWords } from './words';

export interface LanguageEntry {
  /** BCP 47 code, matched against the browser's languages. Also the `lang` of the page. */
  code: string;
  name: string;
  load: () => ShellWords | Promise<ShellWords>;
  loadRest: () => Promise<RestWords>;
}

export { english };

/** English, the fallback, comes first. */
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

/** Returns the chosen language, else the browser's first language that Hearth has, else English. */
export function selectLanguage(chosen: string | null, preferred: readonly string[]): LanguageEntry {
  const wanted = chosen === null ? preferred : [chosen, ...preferred];
  for (const tag of wanted) {
    const [code] = tag.toLowerCase().split('-');
    const found = languages.find((language) => language.code === code);
    if (found) return found;
  }
  return english;
}
