/** Dictation: runs the browser's speech recognition and inserts the recognised words into a message. */
import { findRecognitionPlace, type Recognition, type RecognitionClass } from './recognition';

export type DictationTrouble =
  | 'denied'
  | 'no-microphone'
  | 'nothing-heard'
  | 'unreachable'
  | 'no-language'
  | 'not-allowed'
  | 'taken'
  | 'no-pack'
  | 'broken';

export type DictationPhase =
  | { type: 'off' | 'starting' | 'listening' | 'ending' }
  /** `leave` asks whether the sound may leave the device. `pack` asks whether to download a language pack. */
  | { type: 'leave' | 'pack' | 'fetching' | 'fetched' }
  | { type: 'trouble'; trouble: DictationTrouble };

const troubleByError: Readonly<Partial<Record<string, DictationTrouble>>> = {
  'not-allowed': 'denied',
  'audio-capture': 'no-microphone',
  'no-speech': 'nothing-heard',
  network: 'unreachable',
  'language-not-supported': 'no-language',
  'service-not-allowed': 'not-allowed',
  'phrases-not-supported': 'broken',
  aborted: 'taken',
};

export class Dictation {
  phase = $state.raw<DictationPhase>({ type: 'off' });
  interimText = $state('');
  isOnDevice = $state(true);
  readonly #kind: RecognitionClass;
  readonly #onWords: (said: string) => void;
  /** Chrome on Android repeats words in continuous mode, and marks interim results as final with confidence 0. */
  readonly #isAndroid = navigator.userAgent.includes('Android');
  #recognition: Recognition | undefined;
  /** A copy of `interimText`, which returns an old value while Svelte destroys the component. */
  #heard = '';
  /** Identifies the current recognition. We ignore events and promises of earlier ones. */
  #turn = 0;

  constructor(kind: RecognitionClass, onWords: (said: string) => void) {
    this.#kind = kind;
    this.#onWords = onWords;
  }

  get isOn(): boolean {
    return ['starting', 'listening', 'ending'].includes(this.phase.type);
  }

  /** Starts dictation, or sets `phase` if the user must first agree: `leave` to send speech off the device, `pack` to download a language. */
  async start(lang: string, mayLeave: boolean, isWithoutPack = false): Promise<void> {
    this.abort();
    const turn = this.#turn;
    this.phase = { type: 'starting' };
    const place = await findRecognitionPlace(this.#kind, lang);
    if (turn !== this.#turn) return;
    if (place === 'nowhere') this.#fail('no-language');
    else if (place === 'here') this.#listen(lang, true);
    else if (place === 'pack' && !isWithoutPack) this.phase = { type: 'pack' };
    else if (mayLeave) this.#listen(lang, false);
    else this.phase = { type: 'leave' };
  }

  /** Downloads a language pack, which may take minutes. Dictation does not start by itself afterwards. */
  async downloadPack(lang: string): Promise<void> {
    this.abort();
    const turn = this.#turn;
    this.phase = { type: 'fetching' };
    const fetched = this.#kind.install?.({ langs: [lang], processLocally: true });
    const isInstalled = await Promise.resolve(fetched).catch(() => false);
    if (turn !== this.#turn) return;
    if (isInstalled === true) this.phase = { type: 'fetched' };
    else this.#fail('no-pack');
  }

  /** Stops listening and waits for the final words. A second call ends the dictation at once. */
  stop(): void {
    if (this.phase.type === 'listening') {
      this.phase = { type: 'ending' };
      this.#recognition?.stop();
    } else this.abort();
  }

  abort(): void {
    const recognition = this.#recognition;
    this.#close({ type: 'off' });
    recognition?.abort();
  }

  #close(phase: DictationPhase): void {
    this.#turn++;
    this.#recognition = undefined;
    const heard = this.#heard;
    this.#heard = this.interimText = '';
    this.phase = phase;
    if (heard !== '') this.#onWords(heard);
  }

  #fail(trouble: DictationTrouble): void {
    this.#close({ type: 'trouble', trouble });
  }

  #listen(lang: string, isOnDevice: boolean): void {
    const turn = this.#turn;
    const recognition = new this.#kind();
    this.#recognition = recognition;
    this.isOnDevice = isOnDevice;
    recognition.lang = lang;
    recognition.interimResults = true;
    recognition.continuous = !this.#isAndroid;
    if (isOnDevice) recognition.processLocally = true;
    let trouble: DictationTrouble | undefined;
    const on = (type: string, hear: (event: Event) => void) =>
      recognition.addEventListener(type, (event) => {
        if (turn === this.#turn) hear(event);
      });
    on('start', () => {
      if (this.phase.type === 'starting') this.phase = { type: 'listening' };
    });
    let done = 0;
    on('result', (event) => {
      const { results } = event as SpeechRecognitionEvent;
      done = this.#readResults(results, done);
    });
    on('error', (event) => {
      const { error } = event as SpeechRecognitionErrorEvent;
      const isLanguageMissing = isOnDevice && error === 'service-not-allowed';
      trouble = isLanguageMissing ? 'no-language' : (troubleByError[error] ?? 'broken');
      // Fail now, because some browsers fire no `end` event after an error.
      if (trouble !== 'nothing-heard') this.#fail(trouble);
    });
    on('end', () => (trouble ? this.#fail(trouble) : this.#close({ type: 'off' })));
    try {
      recognition.start();
    } catch {
      this.#fail('broken');
    }
  }

  /** Passes final results, from index `from`, to `#onWords`. Returns the index of the first result that is not final. */
  #readResults(results: SpeechRecognitionResultList, from: number): number {
    let done = from;
    let interim = '';
    for (let at = from; at < results.length; at++) {
      const result = results[at];
      const [heard] = result ? [result[0]] : [];
      if (!result || !heard) continue;
      const isFinal = result.isFinal && (!this.#isAndroid || heard.confidence > 0);
      if (!isFinal || interim !== '') interim += heard.transcript;
      else {
        this.#onWords(heard.transcript);
        done = at + 1;
      }
    }
    this.#heard = this.interimText = interim;
    return done;
  }
}

/** Inserts recognised words at the caret, or after the selection. Never replaces text. */
export function insertWords(box: HTMLTextAreaElement, said: string): void {
  const { value, selectionEnd: at } = box;
  const words = addSpaces(value.slice(0, at), said, value.slice(at));
  if (words === '') return;
  box.setRangeText(words, at, at, 'end');
  box.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: words }));
}

/** Letters of scripts without spaces between words, and full-width punctuation. */
const unspacedLetters = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}、-〟！-｠]';

/** PURE: adds the spaces that `said` needs between `before` and `after`. Returns '' if `said` is blank. */
export function addSpaces(before: string, said: string, after: string): string {
  const words = said.trim();
  if (words === '') return '';
  const isOpen =
    /(?:^|[\s([{“‘«/])$/u.test(before) ||
    new RegExp(`${unspacedLetters}$`, 'u').test(before) ||
    new RegExp(`^(?:${unspacedLetters}|[,.;:!?])`, 'u').test(words);
  const isClosed = /^(?:$|[\s)\]},.;:!?”’»])/u.test(after);
  const isJoined =
    isClosed ||
    new RegExp(`${unspacedLetters}$`, 'u').test(words) ||
    new RegExp(`^${unspacedLetters}`, 'u').test(after);
  return `${isOpen ? '' : ' '}${words}${isJoined ? '' : ' '}`;
}
