/** Which of the texts that are shown whole have had their end on the screen. */
import { SvelteSet } from 'svelte/reactivity';

export class Reading {
  /** Something was not on the screen at once. Stays so: what is said of it keeps its room. */
  isLong = $state(false);
  readonly #unseen = new SvelteSet<object>();

  get isDone(): boolean {
    return this.#unseen.size === 0;
  }

  /** `end` stands behind the last letter. Returns what ends the watch. */
  readonly watch = (end: Element): (() => void) => {
    this.#unseen.add(end);
    // It is cut by whatever scrolls around it: its box, and the dialog.
    const observer = new IntersectionObserver((changes) => {
      if (changes.some(({ isIntersecting }) => isIntersecting)) this.#unseen.delete(end);
      else if (this.#unseen.has(end)) this.isLong = true;
    });
    observer.observe(end);
    return () => {
      observer.disconnect();
      this.#unseen.delete(end);
    };
  };
}
