/** Listens for one message: what the browser recognises, how far it is, and why it ended. */
import { placeOf, type Recognition, type RecognitionKind } from './recognition';

/** Why nothing is heard. */
export type Trouble =
  | 'denied'
  | 'no-microphone'
  | 'nothing-heard'
  | 'unreachable'
  | 'no-language'
  | 'not-allowed'
  | 'taken'
  | 'no-pack'
  | 'broken';

export type Phase =
  | { type: 'off' | 'starting' | 'listening' | 'ending' }
  /** To be decided by the person first: where the sound may go, or whether the browser fetches what it needs. */
  | { type: 'leave' | 'pack' | 'fetching' | 'fetched' }
  | { type: 'trouble'; trouble: Trouble };

/** Older browsers have other codes too. */
const troubles: Readonly<Partial<Record<string, Trouble>>> = {
  'not-allowed': 'denied',
  'audio-capture': 'no-microphone',
  'no-speech': 'nothing-heard',
  network: 'unreachable',
  'language-not-supported': 'no-language',
  'service-not-allowed': 'not-allowed',
  'phrases-not-supported': 'broken',
  aborted: 'taken',
};

interface Options {
  /** There a longer dictation says everything twice, and half-heard words come as final ones, without confidence. */
  isAndroid: boolean;
  /** What was said, for good. */
  onWords: (said: string) => void;
}

export class Dictation {
  phase = $state.raw<Phase>({ type: 'off' });
  /** Heard, and not yet for good. */
  interim = $state('');
  /** Whether the sound stays on the device. */
  isHere = $state(true);
  readonly #kind: RecognitionKind;
  readonly #options: Options;
  #recognition: Recognition | undefined;
  /** As `interim`: what was just set is not yet read back while its part of the page is taken away. */
  #heard = '';
  /** Grows with each beginning and each end: what an earlier one still says is over. */
  #turn = 0;

  constructor(kind: RecognitionKind, options: Options) {
    this.#kind = kind;
    this.#options = options;
  }

  get isOn(): boolean {
    return ['starting', 'listening', 'ending'].includes(this.phase.type);
  }

  /** Only `mayLeave` lets the sound leave the device, and only where it cannot stay, or the person wants nothing fetched for that. */
  async start(lang: string, mayLeave: boolean, isWithoutPack = false): Promise<void> {
    this.end();
    const turn = this.#turn;
    this.phase = { type: 'starting' };
    const place = await placeOf(this.#kind, lang);
    if (turn !== this.#turn) return;
    if (place === 'nowhere') this.#fail('no-language');
    else if (place === 'here') this.#listen(lang, true);
    else if (place === 'pack' && !isWithoutPack) this.phase = { type: 'pack' };
    else if (mayLeave) this.#listen(lang, false);
    else this.phase = { type: 'leave' };
  }

  /** The browser fetches what it needs to recognise a language on the device. Listening is another press: it may take minutes. */
  async fetchPack(lang: string): Promise<void> {
    this.end();
    const turn = this.#turn;
    this.phase = { type: 'fetching' };
    const fetched = this.#kind.install?.({ langs: [lang], processLocally: true });
    const isThere = await Promise.resolve(fetched).catch(() => false);
    if (turn !== this.#turn) return;
    if (isThere === true) this.phase = { type: 'fetched' };
    else this.#fail('no-pack');
  }

  /** No more is listened to; what was said comes yet. Pressed again, it does not. */
  stop(): void {
    if (this.phase.type === 'listening') {
      this.phase = { type: 'ending' };
      this.#recognition?.stop();
    } else this.end();
  }

  /** At once. What was heard stays. */
  end(): void {
    const recognition = this.#recognition;
    this.#close({ type: 'off' });
    recognition?.abort();
  }

  #close(phase: Phase): void {
    this.#turn++;
    this.#recognition = undefined;
    const heard = this.#heard;
    this.#heard = this.interim = '';
    this.phase = phase;
    if (heard !== '') this.#options.onWords(heard);
  }

  #fail(trouble: Trouble): void {
    this.#close({ type: 'trouble', trouble });
  }

  #listen(lang: string, isHere: boolean): void {
    const turn = this.#turn;
    const recognition = new this.#kind();
    this.#recognition = recognition;
    this.isHere = isHere;
    recognition.lang = lang;
    recognition.interimResults = true;
    recognition.continuous = !this.#options.isAndroid;
    if (isHere) recognition.processLocally = true;
    let trouble: Trouble | undefined;
    const on = (type: string, hear: (event: Event) => void) =>
      recognition.addEventListener(type, (event) => {
        if (turn === this.#turn) hear(event);
      });
    on('start', () => {
      if (this.phase.type === 'starting') this.phase = { type: 'listening' };
    });
    let taken = 0;
    on('result', (event) => {
      const { results } = event as SpeechRecognitionEvent;
      taken = this.#take(results, taken);
    });
    on('error', (event) => {
      const { error } = event as SpeechRecognitionErrorEvent;
      const isOfPlace = isHere && error === 'service-not-allowed';
      trouble = isOfPlace ? 'no-language' : (troubles[error] ?? 'broken');
      // Not each browser says afterwards that it ended.
      if (trouble !== 'nothing-heard') this.#fail(trouble);
    });
    on('end', () => (trouble ? this.#fail(trouble) : this.#close({ type: 'off' })));
    try {
      recognition.start();
    } catch {
      this.#fail('broken');
    }
  }

  /** Hands on what is final; how many results are done with. */
  #take(results: SpeechRecognitionResultList, taken: number): number {
    const { isAndroid, onWords } = this.#options;
    let done = taken;
    let interim = '';
    for (let at = taken; at < results.length; at++) {
      const result = results[at];
      const [heard] = result ? [result[0]] : [];
      if (!result || !heard) continue;
      const isFinal = result.isFinal && (!isAndroid || heard.confidence > 0);
      if (!isFinal || interim !== '') interim += heard.transcript;
      else {
        onWords(heard.transcript);
        done = at + 1;
      }
    }
    this.#heard = this.interim = interim;
    return done;
  }
}
