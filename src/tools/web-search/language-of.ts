/** In which language a query is asked. */

/** By its script where that tells; Latin script tells nothing, so there it is what the person reads. */
export function languageOf(query: string, reading: string): string {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(query)) return 'ja';
  if (/\p{Script=Han}/u.test(query)) return 'zh';
  if (/\p{Script=Hangul}/u.test(query)) return 'ko';
  const [code = ''] = reading.toLowerCase().split(/[-_]/);
  const isLatin = !/\p{L}/u.test(query.replace(/\p{Script=Latin}/gu, ''));
  if (!/^[a-z]{2,3}$/.test(code)) return 'en';
  return isLatin && ['zh', 'ja', 'ko'].includes(code) ? 'en' : code;
}
