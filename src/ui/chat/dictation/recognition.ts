/** Speech recognition of the browser: its API, where and by whom speech is recognised, and in which languages. */

type PackState = 'unavailable' | 'downloadable' | 'downloading' | 'available';

interface RecognitionOptions {
  langs: string[];
  processLocally: boolean;
}

/** An instance of `SpeechRecognition`, see https://webaudio.github.io/web-speech-api/. */
export interface Recognition extends Pick<EventTarget, 'addEventListener'> {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  processLocally?: boolean;
  start(): void;
  stop(): void;
  abort(): void;
}

export interface RecognitionKind {
  new (): Recognition;
  prototype: Recognition;
  /** `available` and `install` are undefined in a browser that cannot tell where it recognises speech. */
  available?: (options: RecognitionOptions) => Promise<PackState>;
  install?: (options: RecognitionOptions) => Promise<boolean>;
}

export function recognitionKind(): RecognitionKind | undefined {
  const { SpeechRecognition: kind, webkitSpeechRecognition: older } = window as {
    SpeechRecognition?: RecognitionKind;
    webkitSpeechRecognition?: RecognitionKind;
  };
  return kind ?? older;
}

/** A language is recognised on the device, on the device after downloading a pack, possibly on a server, or nowhere. */
export type RecognitionPlace = 'here' | 'pack' | 'elsewhere' | 'nowhere';

/** A browser that cannot tell counts as 'elsewhere': it may send the sound to a server. */
export async function recognitionPlace(kind: RecognitionKind, lang: string): Promise<RecognitionPlace> {
  const ask = async (processLocally: boolean) =>
    // A permissions policy of the host may make the query reject.
    kind.available?.({ langs: [lang], processLocally }).catch(() => undefined);
  // Without `processLocally` we cannot force the browser to stay on the device.
  const here = 'processLocally' in kind.prototype ? await ask(true) : undefined;
  if (here === 'available') return 'here';
  if (kind.install && (here === 'downloadable' || here === 'downloading')) return 'pack';
  return (await ask(false)) === 'unavailable' ? 'nowhere' : 'elsewhere';
}

/** The maker of the browser, which receives the sound if it leaves the device. */
export type Maker = 'google' | 'microsoft' | 'apple' | 'unknown';

export function makerOf({ vendor }: Pick<Navigator, 'vendor'>, brands: readonly string[]): Maker {
  if (brands.includes('Microsoft Edge')) return 'microsoft';
  if (brands.includes('Google Chrome')) return 'google';
  return vendor.startsWith('Apple') ? 'apple' : 'unknown';
}

export function makerHere(): Maker {
  const { userAgentData } = navigator as { userAgentData?: { brands?: readonly { brand: string }[] } };
  return makerOf(navigator, userAgentData?.brands?.map(({ brand }) => brand) ?? []);
}

/** Languages that browsers commonly recognise. No API lists the languages of a browser. */
const wellKnown =
  'ar-EG de-DE en-GB en-IN en-US es-ES es-MX fr-FR hi-IN id-ID it-IT ja-JP ko-KR nl-NL pl-PL pt-BR ' +
  'ru-RU th-TH tr-TR uk-UA vi-VN zh-CN zh-HK zh-TW';

/** PURE: languages to dictate in, as sorted BCP 47 tags with region, including the user's `preferred` ones. */
export function spokenLanguages(preferred: readonly string[]): readonly string[] {
  return [...new Set([...preferred.filter((tag) => tag.includes('-')), ...wellKnown.split(' ')])].toSorted();
}

const defaultRegions: Readonly<Record<string, string>> = { en: 'en-US', zh: 'zh-CN' };

/** PURE: the chosen language, by default the language of the screen with the region that the browser prefers. */
export function spokenLanguage(
  chosen: string | undefined,
  ofScreen: string,
  preferred: readonly string[],
): string {
  const isOfScreen = (tag: string) => tag.toLowerCase().startsWith(`${ofScreen}-`);
  return chosen || (preferred.find(isOfScreen) ?? defaultRegions[ofScreen] ?? ofScreen);
}

const names = new Map<string, Intl.DisplayNames>();

export function spokenName(tag: string, ofScreen: string): string {
  let known = names.get(ofScreen);
  if (!known) names.set(ofScreen, (known = new Intl.DisplayNames([ofScreen], { type: 'language' })));
  try {
    return known.of(tag) ?? tag;
  } catch {
    // The setting may come from another device and not be a valid tag.
    return tag;
  }
}
