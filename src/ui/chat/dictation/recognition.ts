/** What the Web Speech API offers, and what a browser says of where it recognises: https://webaudio.github.io/web-speech-api/. */

type PackState = 'unavailable' | 'downloadable' | 'downloading' | 'available';

interface Asked {
  langs: string[];
  processLocally: boolean;
}

export interface Recognition extends Pick<EventTarget, 'addEventListener'> {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  /** Missing where the browser does not know it. */
  processLocally?: boolean;
  start(): void;
  stop(): void;
  abort(): void;
}

export interface RecognitionKind {
  new (): Recognition;
  prototype: Recognition;
  /** Both missing in a browser that cannot tell where it recognises. */
  available?: (asked: Asked) => Promise<PackState>;
  install?: (asked: Asked) => Promise<boolean>;
}

/** Of this browser, if it has any. */
export function recognitionKind(): RecognitionKind | undefined {
  const { SpeechRecognition: kind, webkitSpeechRecognition: older } = window as {
    SpeechRecognition?: RecognitionKind;
    webkitSpeechRecognition?: RecognitionKind;
  };
  return kind ?? older;
}

/**
 * Where a language would be recognised: on the device; there once the browser has fetched what it needs for that; perhaps elsewhere;
 * nowhere. A browser that cannot tell may send the sound away.
 */
export type Place = 'here' | 'pack' | 'elsewhere' | 'nowhere';

export async function placeOf(kind: RecognitionKind, lang: string): Promise<Place> {
  const ask = async (processLocally: boolean) =>
    // A policy of the host may forbid to ask.
    kind.available?.({ langs: [lang], processLocally }).catch(() => undefined);
  // Whoever cannot be told to stay on the device is not trusted to.
  const here = 'processLocally' in kind.prototype ? await ask(true) : undefined;
  if (here === 'available') return 'here';
  if (kind.install && (here === 'downloadable' || here === 'downloading')) return 'pack';
  return (await ask(false)) === 'unavailable' ? 'nowhere' : 'elsewhere';
}

/** Who gets the sound where it leaves the device: whoever made the browser, as far as it says so. */
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
