/** Reads pieces of text aloud, one after the other, with a voice of the browser. */

export class Speaker {
  state = $state<'silent' | 'speaking' | 'held'>('silent');
  readonly #synthesis: SpeechSynthesis;
  /** Grows with each beginning: what an earlier one still says of itself is over. */
  #turn = 0;

  constructor(synthesis: SpeechSynthesis) {
    this.#synthesis = synthesis;
  }

  /** From the first piece on; what was being said is over. */
  speak(pieces: readonly string[], voice: SpeechSynthesisVoice): void {
    this.end();
    this.state = 'speaking';
    this.#say(pieces, voice, 0, ++this.#turn);
  }

  hold(): void {
    this.#synthesis.pause();
    this.state = 'held';
  }

  goOn(): void {
    this.#synthesis.resume();
    this.state = 'speaking';
  }

  end(): void {
    this.#turn++;
    this.state = 'silent';
    this.#synthesis.cancel();
    // Held, some browsers stay so for what is said next.
    this.#synthesis.resume();
  }

  #say(pieces: readonly string[], voice: SpeechSynthesisVoice, at: number, turn: number): void {
    const piece = pieces[at];
    if (turn !== this.#turn) return;
    if (piece === undefined) {
      this.state = 'silent';
      return;
    }
    const utterance = new SpeechSynthesisUtterance(piece);
    utterance.voice = voice;
    utterance.lang = voice.lang;
    utterance.onend = () => this.#say(pieces, voice, at + 1, turn);
    utterance.onerror = () => {
      if (turn === this.#turn) this.end();
    };
    this.#synthesis.speak(utterance);
  }
}
