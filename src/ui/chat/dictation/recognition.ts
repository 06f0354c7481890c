interface RecognitionOptions {
  langs: string[];
  processLocally: boolean;
}

/** An instance of `SpeechRecognition`. See https://webaudio.github.io/web-speech-api/. */
export interface Recognition extends Pick<EventTarget, 'addEventListener'> {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  processLocally?: boolean;
  start(): void;
  stop(): void;
  abort(): void;
}

export interface RecognitionClass {
  new (): Recognition;
  prototype: Recognition;
  /** `available` and `install` are undefined in browsers that do not report where they recognise speech. */
  available?: (
    options: RecognitionOptions,
  ) => Promise<'unavailable' | 'downloadable' | 'downloading' | 'available'>;
  install?: (options: RecognitionOptions) => Promise<boolean>;
}

export function getRecognitionClass(): RecognitionClass | undefined {
  const page = window as Partial<Record<'SpeechRecognition' | 'webkitSpeechRecognition', RecognitionClass>>;
  return page.SpeechRecognition ?? page.webkitSpeechRecognition;
}

/** Where the browser converts speech in the language `lang` to text. `pack`: on the device, after a download. `elsewhere`: maybe on a server. */
export async function findRecognitionPlace(
  kind: RecognitionClass,
  lang: string,
): Promise<'here' | 'pack' | 'elsewhere' | 'nowhere'> {
  const ask = async (processLocally: boolean) =>
    // The query may reject, for example because of the host's permissions policy.
    kind.available?.({ langs: [lang], processLocally }).catch(() => undefined);
  // Without `processLocally`, we cannot force the browser to keep the sound on the device.
  const here = 'processLocally' in kind.prototype ? await ask(true) : undefined;
  if (here === 'available') return 'here';
  if (kind.install && (here === 'downloadable' || here === 'downloading')) return 'pack';
  return (await ask(false)) === 'unavailable' ? 'nowhere' : 'elsewhere';
}

/** If the sound leaves the device, it goes to the maker of the browser. */
export type BrowserMaker = 'google' | 'microsoft' | 'apple' | 'unknown';

export function makerOf({ vendor }: Pick<Navigator, 'vendor'>, brands: readonly string[]): BrowserMaker {
  if (brands.includes('Microsoft Edge')) return 'microsoft';
  if (brands.includes('Google Chrome')) return 'google';
  return vendor.startsWith('Apple') ? 'apple' : 'unknown';
}

export function getBrowserMaker(): BrowserMaker {
  const { userAgentData } = navigator as { userAgentData?: { brands?: readonly { brand: string }[] } };
  return makerOf(navigator, userAgentData?.brands?.map(({ brand }) => brand) ?? []);
}

/** Languages that most browsers recognise. No API lists the languages of a browser. */
const commonLanguages =
  'ar-EG de-DE en-GB en-IN en-US es-ES es-MX fr-FR hi-IN id-ID it-IT ja-JP ko-KR nl-NL pl-PL pt-BR ' +
  'ru-RU th-TH tr-TR uk-UA vi-VN zh-CN zh-HK zh-TW';

/** PURE: the languages to offer, as sorted BCP 47 tags with a region, including the user's `preferred` languages. */
export function listDictationLanguages(preferred: readonly string[]): readonly string[] {
  const regional = preferred.filter((tag) => tag.includes('-'));
  return [...new Set([...regional, ...commonLanguages.split(' ')])].toSorted();
}

const defaultRegions: Readonly<Record<string, string>> = { en: 'en-US', zh: 'zh-CN' };

/** PURE: the chosen language. By default, the app's language with the region that the browser prefers. */
export function resolveDictationLanguage(
  chosen: string | undefined,
  screenLanguage: string,
  preferred: readonly string[],
): string {
  const isOfScreen = (tag: string) => tag.toLowerCase().startsWith(`${screenLanguage}-`);
  return chosen || (preferred.find(isOfScreen) ?? defaultRegions[screenLanguage] ?? screenLanguage);
}

const displayNames = new Map<string, Intl.DisplayNames>();

export function languageNameOf(tag: string, screenLanguage: string): string {
  let known = displayNames.get(screenLanguage);
  if (!known)
    displayNames.set(screenLanguage, (known = new Intl.DisplayNames([screenLanguage], { type: 'language' })));
  try {
    return known.of(tag) ?? tag;
  } catch {
    // The setting may come from another device, with a tag that is invalid here.
    return tag;
  }
}
