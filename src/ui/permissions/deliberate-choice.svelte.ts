/** Ensures that the user answers a dialog deliberately, and only after scrolling long texts to the end. */
import { untrack } from 'svelte';

/** In milliseconds. An answer counts only after the question has been visible for this time. */
const minVisibleMs = 500;
/** In milliseconds. A second press within this time cancels the first, because a double click may be an accident. */
const maxDoublePressMs = 300;

/** Ignores accidental presses, held keys and clicks by scripts. Counts taps itself, as some browsers do not. */
export class DeliberateChoice<Choice> {
  canAnswer = $state(false);
  pendingChoice = $state.raw<Choice>();
  readonly #onChoose: (choice: Choice) => void;
  #pressed: Choice | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastPress = -Infinity;
  #isSecond = false;

  constructor(onChoose: (choice: Choice) => void) {
    this.#onChoose = onChoose;
  }

  /** Measures how long the question is visible. Starts over when the page reappears. Returns a cleanup function. */
  watchVisibility(): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let frame = 0;
    const start = () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      this.canAnswer = false;
      if (document.visibilityState === 'hidden') return;
      frame = requestAnimationFrame(() => {
        timer = setTimeout(() => (this.canAnswer = true), minVisibleMs);
      });
    };
    start();
    const listeners = new AbortController();
    const { signal } = listeners;
    document.addEventListener('visibilitychange', start, { signal });
    addEventListener('focus', start, { signal });
    // Count the press in the capture phase, before the button handles it.
    document.addEventListener('pointerdown', this.#countPress, { capture: true, signal });
    return () => {
      listeners.abort();
      clearTimeout(timer);
      clearTimeout(this.#timer);
      cancelAnimationFrame(frame);
    };
  }

  /** Call this on `pointerdown`. A press counts as an answer only if `canAnswer` was true when it began. */
  press(choice: Choice): void {
    this.#pressed = this.canAnswer && !this.#isSecond ? choice : undefined;
  }

  click(choice: Choice, event: MouseEvent): void {
    const isPressed = this.#pressed === choice;
    this.#pressed = undefined;
    if (!event.isTrusted || !this.canAnswer) return;
    if (event.detail > 1 || (event.detail === 0 && this.pendingChoice !== undefined)) this.#cancelPending();
    else if (event.detail === 0) this.#onChoose(choice);
    else if (isPressed && this.pendingChoice === undefined) {
      this.pendingChoice = choice;
      this.#timer = setTimeout(() => this.#onChoose(choice), maxDoublePressMs);
    }
  }

  readonly #countPress = ({ timeStamp }: Event): void => {
    this.#isSecond = this.pendingChoice !== undefined || timeStamp - this.#lastPress < maxDoublePressMs;
    this.#lastPress = timeStamp;
    if (this.#isSecond) this.#cancelPending();
  };

  #cancelPending(): void {
    clearTimeout(this.#timer);
    this.pendingChoice = undefined;
  }
}

export function focusButton(button: HTMLElement): void {
  button.autofocus = true;
}

/** Ignores repeats of a key that was pressed before the dialog opened. */
export function ignoreHeldKey(event: KeyboardEvent): void {
  if (event.repeat && event.key !== 'Tab') event.preventDefault();
}

/** Tracks whether the user has scrolled the texts of a dialog to their end. */
export class ReadingTracker {
  /** True if a text was too long for its box. Stays true after scrolling, so the hint to scroll remains visible. */
  hasLongText = $state(false);
  #unseen = $state(0);

  get isReadToEnd(): boolean {
    return this.#unseen === 0;
  }

  /** Waits until `end`, an element after the text, is on the screen. Returns a function that stops the wait. */
  readonly watchEnd = (end: Element): (() => void) => {
    let isSeen = false;
    const markSeen = () => {
      if (!isSeen) this.#unseen -= 1;
      isSeen = true;
    };
    // Untracked, because an effect calls this and must not run again when the count changes.
    untrack(() => (this.#unseen += 1));
    const observer = new IntersectionObserver((changes) => {
      if (changes.some(({ isIntersecting }) => isIntersecting)) markSeen();
      else if (!isSeen) this.hasLongText = true;
    });
    observer.observe(end);
    return () => {
      observer.disconnect();
      untrack(markSeen);
    };
  };
}
