/** Tracks whether an input method is open in a text box. Its Enter key chooses a word and must not send the message. */
import { on } from 'svelte/events';

export class InputMethod {
  #isOpen = false;

  readonly attach = (box: HTMLElement): (() => void) =>
    on(box, 'compositionend', () => {
      this.#isOpen = true;
      // Safari fires `compositionend` before the keydown of the Enter that caused it, and reports that key as a plain Enter.
      setTimeout(() => (this.#isOpen = false));
    });

  isOpen(event: KeyboardEvent): boolean {
    return event.isComposing || this.#isOpen;
  }
}
