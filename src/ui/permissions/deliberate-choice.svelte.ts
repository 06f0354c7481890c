/** Ensures that an answer to a dialog is deliberate: the user meant the press, and has scrolled long texts to their end. */
import { untrack } from 'svelte';

/** A question must be visible for this time before an answer counts. */
const minVisibleMs = 500;
/** A second press within this time cancels the first press, because a double click is not an answer to the dialog. */
const doublePressMs = 300;

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

  /** Measures how long the question has been visible, starting over whenever the page becomes visible. Returns a function that stops measuring. */
  watch(): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let frame = 0;
    const start = () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      this.isLive = false;
      if (document.visibilityState === 'hidden') return;
      frame = requestAnimationFrame(() => {
        timer = setTimeout(() => (this.isLive = true), minVisibleMs);
      });
    };
    start();
    const listeners = new AbortController();
    const { signal } = listeners;
    document.addEventListener('visibilitychange', start, { signal });
    addEventListener('focus', start, { signal });
    // In the capture phase, we count the press before the button handles it.
    document.addEventListener('pointerdown', this.#countPress, { capture: true, signal });
    return () => {
      listeners.abort();
      clearTimeout(timer);
      clearTimeout(this.#timer);
      cancelAnimationFrame(frame);
    };
  }

  /** Call on `pointerdown`. A press counts as an answer only if `isLive` was true when the press began. */
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
      this.#timer = setTimeout(() => this.#onChoose(choice), doublePressMs);
    }
  }

  readonly #countPress = ({ timeStamp }: Event): void => {
    this.#isSecond = this.pending !== undefined || timeStamp - this.#lastPress < doublePressMs;
    this.#lastPress = timeStamp;
    if (this.#isSecond) this.#cancelPending();
  };

  #cancelPending(): void {
    clearTimeout(this.#timer);
    this.pending = undefined;
  }
}

export function focusButton(button: HTMLElement): void {
  button.autofocus = true;
}

/** Ignores the repeats of a held key, which was pressed before the dialog opened. */
export function ignoreHeldKey(event: KeyboardEvent): void {
  if (event.repeat && event.key !== 'Tab') event.preventDefault();
}

/** Tracks which texts of a dialog have been scrolled to their end. */
export class Reading {
  /** True once a text did not fit its box. Never reset, so the hint to scroll stays visible. */
  isLong = $state(false);
  #unseen = $state(0);

  get isDone(): boolean {
    return this.#unseen === 0;
  }

  /** Waits until `end`, an element after the last character of a text, is on the screen. Returns a function that stops waiting. */
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
