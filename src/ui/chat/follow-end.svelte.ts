/** Keeps a growing text scrolled to its end, until the reader scrolls up. */
import { on } from 'svelte/events';

const endTolerancePx = 24;
/** Input by which a reader scrolls. A scroll within `maxScrollDelayMs` after it counts as the reader's. */
export const scrollInputEvents = ['wheel', 'touchmove', 'pointerdown', 'keydown'];
const maxScrollDelayMs = 1_000;
/** The browser itself scrolls up by at most a few lines. If the page scrolls up by more than this, the reader did it. */
const maxBrowserScrollPx = 100;

export class AutoScroller {
  isAtEnd = $state(true);
  /** Draws the end of the chat and resolves when that is done. Undefined if the end is already drawn. */
  drawLastTurns: (() => Promise<void>) | undefined;
  #scroller: HTMLElement | undefined;
  #top = 0;
  #height = 0;
  #inputAt = -maxScrollDelayMs;
  readonly #onInput = ({ target, timeStamp }: Event): void => {
    // Ignore input outside the chat, such as keys in the message box, which scrolls nothing.
    if (target === document.body || this.#scroller?.contains(target as Node)) this.#inputAt = timeStamp;
  };

  /** Svelte attachment for the scrolling element. The growing text must be its first child. */
  readonly attach = (scroller: HTMLElement): (() => void) => {
    this.#scroller = scroller;
    this.isAtEnd = true;
    this.#top = 0;
    // The window, an on-screen keyboard or a notice can change the height too.
    const observer = new ResizeObserver(() => {
      if (this.isAtEnd) this.scrollToEnd();
    });
    observer.observe(scroller);
    if (scroller.firstElementChild) observer.observe(scroller.firstElementChild);
    const ends = [
      on(scroller, 'scroll', this.handleScroll, { passive: true }),
      ...scrollInputEvents.map((type) => on(window, type, this.#onInput, { capture: true, passive: true })),
    ];
    return () => {
      observer.disconnect();
      this.isAtEnd = true;
      for (const end of ends) end();
    };
  };

  scrollToLatest(): void {
    if (this.drawLastTurns) void this.drawLastTurns().then(() => this.scrollToEnd());
    else this.scrollToEnd();
  }

  scrollToEnd(): void {
    this.isAtEnd = true;
    if (!this.#scroller) return;
    // Smooth scrolling would fall behind text that keeps growing.
    this.#scroller.scrollTo({ top: this.#scroller.scrollHeight, behavior: 'instant' });
    // Store the position now. The scroll event comes later and may include a scroll by the reader.
    this.#top = this.#scroller.scrollTop;
    this.#height = this.#scroller.scrollHeight;
  }

  /** Call this also before you add or remove turns, because the browser may not have reported the reader's last scroll yet. */
  readonly handleScroll = (): void => {
    if (!this.#scroller) return;
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    const left = scrollHeight - scrollTop - clientHeight;
    // The browser also scrolls up when the text briefly gets shorter. The observer then scrolls down again.
    const isByBrowser =
      scrollHeight !== this.#height &&
      this.#top - scrollTop < maxBrowserScrollPx &&
      performance.now() - this.#inputAt > maxScrollDelayMs;
    if (scrollTop < this.#top && left > 2) this.isAtEnd &&= isByBrowser;
    else if (left <= endTolerancePx && !this.drawLastTurns) this.isAtEnd = true;
    this.#top = scrollTop;
    this.#height = scrollHeight;
  };
}
