/** Knows while an input method is open in a box: its Enter chooses a word and must not send what is written. */
import { on } from 'svelte/events';

export class WordChoice {
  #isOpen = false;

  /** For the box. */
  readonly attach = (box: HTMLElement): (() => void) => {
    const stop = on(box, 'compositionend', () => {
      this.#isOpen = true;
      // Safari closes the choice before it tells of the key that made it, and says of that key only `Enter`.
      setTimeout(() => (this.#isOpen = false));
    });
    return stop;
  };

  isOpen(event: KeyboardEvent): boolean {
    return event.isComposing || this.#isOpen;
  }
}
