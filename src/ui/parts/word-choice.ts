/** Tracks whether an input method is open. Its Enter key chooses a word and must not send the message. */
import { on } from 'svelte/events';

export class InputMethod {
  #isOpen = false;

  readonly attach = (box: HTMLElement): (() => void) =>
    on(box, 'compositionend', () => {
      this.#isOpen = true;
      // In Safari, the keydown of the Enter that chose a word follows `compositionend`. Stay open to ignore it.
      setTimeout(() => (this.#isOpen = false));
    });

  isOpen(event: KeyboardEvent): boolean {
    return event.isComposing || this.#isOpen;
  }
}
