/** Keeps a growing text at its end while the reader is there, and lets go of it once they scroll up. */

/** Within it, the reader counts as being at the end. Pixels. */
const nearEnd = 24;
/** What a reader scrolls by, and for how long it may be told of after that. Milliseconds. */
const inputs = ['wheel', 'touchmove', 'pointerdown', 'keydown'];
const inputMs = 1_000;
/** What the browser moves up by itself is moved by some rows of buttons or lines at most. Pixels. */
const mostOfBrowser = 100;

export class FollowEnd {
  isAtEnd = $state(true);
  /** Draws the end of the chat, and resolves once it stands there. Missing where it is drawn. */
  drawEnd: (() => Promise<void>) | undefined;
  #scroller: HTMLElement | undefined;
  #top = 0;
  #height = 0;
  #inputAt = -inputMs;
  readonly #takeInput = ({ target, timeStamp }: Event): void => {
    // Whoever presses Enter or Send beneath it scrolls nothing.
    if (target === document.body || this.#scroller?.contains(target as Node)) this.#inputAt = timeStamp;
  };

  /** For the element that scrolls; what grows is its first child. */
  readonly attach = (scroller: HTMLElement): (() => void) => {
    this.#scroller = scroller;
    this.isAtEnd = true;
    this.#top = 0;
    // Also when the window, the keyboard on the screen or a notice takes room.
    const observer = new ResizeObserver(() => {
      if (this.isAtEnd) this.toEnd();
    });
    observer.observe(scroller);
    if (scroller.firstElementChild) observer.observe(scroller.firstElementChild);
    scroller.addEventListener('scroll', this.see, { passive: true });
    for (const type of inputs) addEventListener(type, this.#takeInput, { capture: true, passive: true });
    return () => {
      observer.disconnect();
      this.isAtEnd = true;
      for (const type of inputs) removeEventListener(type, this.#takeInput, true);
      scroller.removeEventListener('scroll', this.see);
    };
  };

  /** To the end of the chat, not only of what is drawn of it. */
  toLatest(): void {
    if (this.drawEnd) void this.drawEnd().then(() => this.toEnd());
    else this.toEnd();
  }

  toEnd(): void {
    this.isAtEnd = true;
    if (!this.#scroller) return;
    // Never smoothly: text that grows meanwhile would be left behind.
    this.#scroller.scrollTo({ top: this.#scroller.scrollHeight, behavior: 'instant' });
    // Now, not at its event: one event may tell of this move and of the reader's own, which came after it.
    this.#top = this.#scroller.scrollTop;
    this.#height = this.#scroller.scrollHeight;
  }

  /** The browser tells of a move some time after it; who is about to move what is read asks for it before. */
  readonly see = (): void => {
    if (!this.#scroller) return;
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    const left = scrollHeight - scrollTop - clientHeight;
    // The browser, too, moves up what was shorter for a moment; the observer is told of its new height right after this.
    const isOfBrowser =
      scrollHeight !== this.#height &&
      this.#top - scrollTop < mostOfBrowser &&
      performance.now() - this.#inputAt > inputMs;
    // The least move upwards is the reader's wish.
    if (scrollTop < this.#top && left > 2) this.isAtEnd &&= isOfBrowser;
    else if (left <= nearEnd && !this.drawEnd) this.isAtEnd = true;
    this.#top = scrollTop;
    this.#height = scrollHeight;
  };
}
