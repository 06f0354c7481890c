/** Which of the texts that are shown whole have had their end on the screen. */
import { untrack } from 'svelte';

export class Reading {
  /** Something was not on the screen at once. Stays so: what is said of it keeps its room. */
  isLong = $state(false);
  #unseen = $state(0);

  get isDone(): boolean {
    return this.#unseen === 0;
  }

  /** `end` stands behind the last letter. Returns what ends the watch. */
  readonly watch = (end: Element): (() => void) => {
    let isSeen = false;
    const see = () => {
      if (!isSeen) this.#unseen -= 1;
      isSeen = true;
    };
    // It is called in an effect, which must not run again when the count changes.
    untrack(() => (this.#unseen += 1));
    // It is cut by whatever scrolls around it: its box, and the dialog.
    const observer = new IntersectionObserver((changes) => {
      if (changes.some(({ isIntersecting }) => isIntersecting)) see();
      else if (!isSeen) this.isLong = true;
    });
    observer.observe(end);
    return () => {
      observer.disconnect();
      untrack(see);
    };
  };
}
