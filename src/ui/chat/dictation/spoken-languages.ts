/** PURE: in which languages one can dictate, as BCP 47 tags with their region, as recognisers want them. */

/** Those that browsers recognise on the device or elsewhere; nothing tells which ones a browser has. */
const wellKnown = [
  'ar-EG',
  'de-DE',
  'en-GB',
  'en-IN',
  'en-US',
  'es-ES',
  'es-MX',
  'fr-FR',
  'hi-IN',
  'id-ID',
  'it-IT',
  'ja-JP',
  'ko-KR',
  'nl-NL',
  'pl-PL',
  'pt-BR',
  'ru-RU',
  'th-TH',
  'tr-TR',
  'uk-UA',
  'vi-VN',
  'zh-CN',
  'zh-HK',
  'zh-TW',
];

/** In the order in which they are offered; those of the browser are among them. */
export function spokenLanguages(preferred: readonly string[]): readonly string[] {
  return [...new Set([...preferred.filter((tag) => tag.includes('-')), ...wellKnown])].toSorted();
}

const ordinary: Readonly<Record<string, string>> = { en: 'en-US', zh: 'zh-CN' };

/** What was chosen; else the language of the screen, as the browser prefers it spoken. */
export function spokenLanguage(
  chosen: string | undefined,
  ofScreen: string,
  preferred: readonly string[],
): string {
  const isOfScreen = (tag: string) => tag.toLowerCase().startsWith(`${ofScreen}-`);
  return chosen || (preferred.find(isOfScreen) ?? ordinary[ofScreen] ?? ofScreen);
}

const names = new Map<string, Intl.DisplayNames>();

/** As the language of the screen calls it. */
export function spokenName(tag: string, ofScreen: string): string {
  let known = names.get(ofScreen);
  if (!known) names.set(ofScreen, (known = new Intl.DisplayNames([ofScreen], { type: 'language' })));
  try {
    return known.of(tag) ?? tag;
  } catch {
    // A setting of another device, and no tag at all.
    return tag;
  }
}
