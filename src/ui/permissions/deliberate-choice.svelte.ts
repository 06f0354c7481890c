/** What makes an answer to a dialog deliberate: a press that was meant, and texts that were read to the end. */
import { untrack } from 'svelte';

/** Milliseconds that a question must be visible before an answer counts. */
const visibleMs = 500;
/** Milliseconds in which no second press may follow: the first half of a double click was meant for something else. */
const aloneMs = 300;

/** Ignores accidental presses, held keys and clicks by scripts. Counts presses itself, because not every browser counts taps. */
export class DeliberateChoice<Choice> {
  isLive = $state(false);
  pending = $state.raw<Choice>();
  readonly #onChoose: (choice: Choice) => void;
  #pressed: Choice | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastPress = -Infinity;
  #isSecond = false;

  constructor(onChoose: (choice: Choice) => void) {
    this.#onChoose = onChoose;
  }

  /** Measures how long the question is visible, from the start each time the page becomes visible. Returns a function that stops. */
  watch(): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let frame = 0;
    const start = () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      this.isLive = false;
      if (document.visibilityState === 'hidden') return;
      frame = requestAnimationFrame(() => {
        timer = setTimeout(() => (this.isLive = true), visibleMs);
      });
    };
    start();
    document.addEventListener('visibilitychange', start);
    addEventListener('focus', start);
    // Capturing, so that the press is counted before the button handles it.
    document.addEventListener('pointerdown', this.#countPress, { capture: true });
    return () => {
      document.removeEventListener('pointerdown', this.#countPress, { capture: true });
      clearTimeout(timer);
      clearTimeout(this.#timer);
      cancelAnimationFrame(frame);
      document.removeEventListener('visibilitychange', start);
      removeEventListener('focus', start);
    };
  }

  /** Call on `pointerdown`: only a press that begins on a live button can become an answer. */
  press(choice: Choice): void {
    this.#pressed = this.isLive && !this.#isSecond ? choice : undefined;
  }

  click(choice: Choice, event: MouseEvent): void {
    const isPressed = this.#pressed === choice;
    this.#pressed = undefined;
    if (!event.isTrusted || !this.isLive) return;
    if (event.detail > 1 || (event.detail === 0 && this.pending !== undefined)) this.#cancelPending();
    else if (event.detail === 0) this.#onChoose(choice);
    else if (isPressed && this.pending === undefined) {
      this.pending = choice;
      this.#timer = setTimeout(() => this.#onChoose(choice), aloneMs);
    }
  }

  readonly #countPress = ({ timeStamp }: Event): void => {
    this.#isSecond = this.pending !== undefined || timeStamp - this.#lastPress < aloneMs;
    this.#lastPress = timeStamp;
    if (this.#isSecond) this.#cancelPending();
  };

  #cancelPending(): void {
    clearTimeout(this.#timer);
    this.pending = undefined;
  }
}

/** Ignores the repeats of a held key, which was pressed before the dialog opened. */
export function ignoreHeldKey(event: KeyboardEvent): void {
  if (event.repeat && event.key !== 'Tab') event.preventDefault();
}

/** Tracks which texts of a dialog have been scrolled to their end. */
export class Reading {
  /** A text did not fit at first. Never reset, so that the hint about it keeps its place. */
  isLong = $state(false);
  #unseen = $state(0);

  get isDone(): boolean {
    return this.#unseen === 0;
  }

  /** Waits until `end`, an element behind the last letter of a text, is on the screen. Returns a function that stops waiting. */
  readonly watch = (end: Element): (() => void) => {
    let isSeen = false;
    const markSeen = () => {
      if (!isSeen) this.#unseen -= 1;
      isSeen = true;
    };
    // Untracked, because an effect calls this and must not rerun when the count changes.
    untrack(() => (this.#unseen += 1));
    const observer = new IntersectionObserver((changes) => {
      if (changes.some(({ isIntersecting }) => isIntersecting)) markSeen();
      else if (!isSeen) this.isLong = true;
    });
    observer.observe(end);
    return () => {
      observer.disconnect();
      untrack(markSeen);
    };
  };
}
