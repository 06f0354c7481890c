/** The words of each language that is spoken. */
import type { ReplyLanguage } from '../text/language';
import type { PageWords } from './words';
import { english } from './words-en';
import { chinese } from './words-zh';

const vocabulary: Readonly<Record<ReplyLanguage, PageWords>> = { en: english, zh: chinese };

export function wordsOf(language: ReplyLanguage): PageWords {
  return vocabulary[language];
}
