/**
 * A fake of the Web Speech API's recognition, which test browsers lack because it needs a microphone and a speaker. Follows the draft
 * (https://webaudio.github.io/web-speech-api/), and Chromium where the draft is silent.
 */
import { onTestFinished, vi } from 'vitest';

type State = 'unavailable' | 'downloadable' | 'downloading' | 'available';

interface Stage {
  /** States on the device by language. Missing languages are unavailable there. If undefined, the browser has no recognition on the device. */
  packs?: Record<string, State>;
  /** The error with which the recognition fails to start. */
  error?: SpeechRecognitionErrorCode;
  /** Whether the browser can download a language pack. */
  canFetch?: boolean;
  /** Languages that are not recognised at all. */
  unknown?: readonly string[];
}

interface Listening {
  lang: string;
  isHere: boolean;
  continuous: boolean;
  /** Recognises words that may still change. */
  hear: (interim: string) => void;
  /** Makes the words heard last final. */
  say: (final: string) => void;
  fail: (error: SpeechRecognitionErrorCode) => void;
  /** Ends the recognition, as the browser may. */
  end: () => void;
}

export function stageRecognition({ packs, error, canFetch = true, unknown = [] }: Stage = {}) {
  const begun: Listening[] = [];
  const calls: string[] = [];

  class Recognition extends EventTarget {
    lang = '';
    continuous = false;
    interimResults = false;
    #state: 'new' | 'on' | 'stopping' | 'over' = 'new';
    #results: { isFinal: boolean; transcript: string }[] = [];

    start() {
      if (this.#state === 'on') throw new DOMException('It is on.', 'InvalidStateError');
      this.#state = 'on';
      const isHere = (this as { processLocally?: boolean }).processLocally === true;
      calls.push(`start ${this.lang} ${isHere ? 'here' : 'elsewhere'}`);
      const refused = isHere && packs?.[this.lang] !== 'available' ? 'service-not-allowed' : error;
      queueMicrotask(() => {
        if (refused) this.#fail(refused);
        else if (this.#state === 'on') this.dispatchEvent(new Event('start'));
      });
      begun.push({
        lang: this.lang,
        isHere,
        continuous: this.continuous,
        hear: (transcript) => this.#tell(transcript, false),
        say: (transcript) => this.#tell(transcript, true),
        fail: (code) => this.#fail(code),
        end: () => this.#over(),
      });
    }

    stop() {
      calls.push('stop');
      if (this.#state !== 'on') return;
      this.#state = 'stopping';
      queueMicrotask(() => {
        const last = this.#results.at(-1);
        if (last && !last.isFinal) this.#tell(last.transcript, true);
        this.#over();
      });
    }

    abort() {
      calls.push('abort');
      if (this.#state === 'on' || this.#state === 'stopping') queueMicrotask(() => this.#fail('aborted'));
    }

    #tell(transcript: string, isFinal: boolean) {
      if (!isFinal && !this.interimResults) return;
      if (this.#results.at(-1)?.isFinal === false) this.#results.pop();
      this.#results.push({ isFinal, transcript });
      const results = this.#results.map((one) =>
        Object.assign([{ transcript: one.transcript, confidence: one.isFinal ? 0.9 : 0 }], {
          isFinal: one.isFinal,
        }),
      );
      this.dispatchEvent(
        Object.assign(new Event('result'), { results, resultIndex: this.#results.length - 1 }),
      );
      if (isFinal && !this.continuous) this.#over();
    }

    #fail(code: SpeechRecognitionErrorCode) {
      this.dispatchEvent(new SpeechRecognitionErrorEvent('error', { error: code }));
      this.#over();
    }

    #over() {
      if (this.#state === 'over') return;
      this.#state = 'over';
      this.dispatchEvent(new Event('end'));
    }
  }

  if (packs) {
    Object.defineProperty(Recognition.prototype, 'processLocally', { value: false, writable: true });
    Object.assign(Recognition, {
      available: ({ langs, processLocally }: { langs: string[]; processLocally: boolean }) => {
        const [lang = ''] = langs;
        if (!processLocally) return Promise.resolve(unknown.includes(lang) ? 'unavailable' : 'available');
        return Promise.resolve(packs[lang] ?? 'unavailable');
      },
      install: ({ langs }: { langs: string[] }) => {
        const [lang = ''] = langs;
        calls.push(`install ${lang}`);
        if (canFetch) packs[lang] = 'available';
        return Promise.resolve(canFetch);
      },
    });
  }
  vi.stubGlobal('SpeechRecognition', Recognition);
  vi.stubGlobal('webkitSpeechRecognition', undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
  return { calls, last: () => begun.at(-1) ?? raise() };
}

function raise(): never {
  throw new Error('Nothing listens.');
}
