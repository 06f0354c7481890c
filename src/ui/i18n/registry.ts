/** The languages of the screen, one line each. The first is the one to fall back to. */
import { en, type Words } from './en';
import type { LateWords } from './en-late';

export interface LanguageEntry {
  /** BCP 47: matched against what the browser prefers, and set on the page. */
  code: string;
  /** In its own words. */
  name: string;
  load: () => Words | Promise<Words>;
  /** What is said by the parts that are loaded when they are first shown. */
  loadLate: () => Promise<LateWords>;
}

export const english: LanguageEntry = {
  code: 'en',
  name: 'English',
  load: () => en,
  loadLate: () => import('./en-late').then(({ enLate }) => enLate),
};

export const languages: readonly LanguageEntry[] = [
  english,
  {
    code: 'zh',
    name: '简体中文',
    load: () => import('./zh').then(({ zh }) => zh),
    loadLate: () => import('./zh-late').then(({ zhLate }) => zhLate),
  },
];

/** The language chosen; else the first of the browser's that we have; else English. */
export function languageFor(chosen: string | null, preferred: readonly string[]): LanguageEntry {
  const wanted = chosen === null ? preferred : [chosen, ...preferred];
  for (const tag of wanted) {
    const [code] = tag.toLowerCase().split('-');
    const found = languages.find((language) => language.code === code);
    if (found) return found;
  }
  return english;
}
