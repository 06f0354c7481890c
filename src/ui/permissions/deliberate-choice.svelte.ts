/**
 * Tells what a person meant to press from what was pressed by chance, by a held key, or by a script.
 *
 * Nothing counts before the question has been visible for a while. A click counts once it has stayed alone: the first
 * half of a double click was meant for something else. Presses are counted here too: not every browser counts taps.
 */

const visibleMs = 500;
const aloneMs = 300;

export class DeliberateChoice<Choice> {
  /** The question has been seen for long enough. */
  isLive = $state(false);
  /** Pressed, and waiting to have stayed alone. */
  pending = $state.raw<Choice>();
  readonly #onChoose: (choice: Choice) => void;
  #pressed: Choice | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When something was last pressed, wherever; by the clock of events. */
  #lastPress = -Infinity;
  /** The press under way follows another too soon. */
  #isSecond = false;

  constructor(onChoose: (choice: Choice) => void) {
    this.#onChoose = onChoose;
  }

  /** Starts anew whenever the page is looked at again. Returns what ends it. */
  watch(): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let frame = 0;
    const start = () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      this.isLive = false;
      if (document.visibilityState === 'hidden') return;
      // From the first frame that shows it.
      frame = requestAnimationFrame(() => {
        timer = setTimeout(() => (this.isLive = true), visibleMs);
      });
    };
    start();
    document.addEventListener('visibilitychange', start);
    addEventListener('focus', start);
    // Before the button hears of it.
    document.addEventListener('pointerdown', this.#count, { capture: true });
    return () => {
      document.removeEventListener('pointerdown', this.#count, { capture: true });
      clearTimeout(timer);
      clearTimeout(this.#timer);
      cancelAnimationFrame(frame);
      document.removeEventListener('visibilitychange', start);
      removeEventListener('focus', start);
    };
  }

  /** Only a press that begins on a live button can end as a choice. */
  press(choice: Choice): void {
    this.#pressed = this.isLive && !this.#isSecond ? choice : undefined;
  }

  click(choice: Choice, event: MouseEvent): void {
    const isPressed = this.#pressed === choice;
    this.#pressed = undefined;
    if (!event.isTrusted || !this.isLive) return;
    if (event.detail > 1 || (event.detail === 0 && this.pending !== undefined)) this.#forget();
    else if (event.detail === 0) this.#onChoose(choice);
    else if (isPressed && this.pending === undefined) {
      this.pending = choice;
      this.#timer = setTimeout(() => this.#onChoose(choice), aloneMs);
    }
  }

  readonly #count = ({ timeStamp }: Event): void => {
    this.#isSecond = this.pending !== undefined || timeStamp - this.#lastPress < aloneMs;
    this.#lastPress = timeStamp;
    if (this.#isSecond) this.#forget();
  };

  #forget(): void {
    clearTimeout(this.#timer);
    this.pending = undefined;
  }
}

/** A key that is held was pressed for something else. */
export function ignoreHeldKey(event: KeyboardEvent): void {
  if (event.repeat && event.key !== 'Tab') event.preventDefault();
}
