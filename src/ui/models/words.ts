/** The words of the Models screen in each language of the app: fetched with the screen, English where there are none. */
import { type ModelWords, modelWordsEn } from './words-en';
import { modelWordsZh } from './words-zh';

const byCode: Readonly<Record<string, ModelWords>> = { en: modelWordsEn, zh: modelWordsZh };

export function modelWordsFor(code: string): ModelWords {
  return byCode[code] ?? modelWordsEn;
}
