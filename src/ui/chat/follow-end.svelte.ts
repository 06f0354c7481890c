/** Keeps a growing text scrolled to its end until the reader scrolls up. */

const nearEnd = 24;
/** Events by which a reader scrolls. A scroll within `inputMs` milliseconds after one is the reader's, not the browser's. */
const inputEvents = ['wheel', 'touchmove', 'pointerdown', 'keydown'];
const inputMs = 1_000;
/** Maximum pixels that the browser itself scrolls up: a few lines or rows of buttons. */
const maxBrowserScroll = 100;

export class FollowEnd {
  isAtEnd = $state(true);
  /** Draws the end of the chat and resolves when it is in the document; undefined if it is drawn already. */
  drawEnd: (() => Promise<void>) | undefined;
  #scroller: HTMLElement | undefined;
  #top = 0;
  #height = 0;
  #inputAt = -inputMs;
  readonly #onInput = ({ target, timeStamp }: Event): void => {
    // Enter or Send in the message box scrolls nothing.
    if (target === document.body || this.#scroller?.contains(target as Node)) this.#inputAt = timeStamp;
  };

  /** Attachment for the element that scrolls. The growing text must be its first child. */
  readonly attach = (scroller: HTMLElement): (() => void) => {
    this.#scroller = scroller;
    this.isAtEnd = true;
    this.#top = 0;
    // The window, an on-screen keyboard or a notice can change the height too.
    const observer = new ResizeObserver(() => {
      if (this.isAtEnd) this.toEnd();
    });
    observer.observe(scroller);
    if (scroller.firstElementChild) observer.observe(scroller.firstElementChild);
    scroller.addEventListener('scroll', this.see, { passive: true });
    for (const type of inputEvents) addEventListener(type, this.#onInput, { capture: true, passive: true });
    return () => {
      observer.disconnect();
      this.isAtEnd = true;
      for (const type of inputEvents) removeEventListener(type, this.#onInput, true);
      scroller.removeEventListener('scroll', this.see);
    };
  };

  toLatest(): void {
    if (this.drawEnd) void this.drawEnd().then(() => this.toEnd());
    else this.toEnd();
  }

  toEnd(): void {
    this.isAtEnd = true;
    if (!this.#scroller) return;
    // A smooth scroll would fall behind text that keeps growing.
    this.#scroller.scrollTo({ top: this.#scroller.scrollHeight, behavior: 'instant' });
    // Don't wait for the scroll event: it may also cover a scroll by the reader that came after ours.
    this.#top = this.#scroller.scrollTop;
    this.#height = this.#scroller.scrollHeight;
  }

  /** Handles a scroll. Call this method before moving the text: the browser reports earlier scrolls with a delay. */
  readonly see = (): void => {
    if (!this.#scroller) return;
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    const left = scrollHeight - scrollTop - clientHeight;
    // The browser also scrolls up when the text is shorter for a moment. The observer corrects that right after this.
    const isByBrowser =
      scrollHeight !== this.#height &&
      this.#top - scrollTop < maxBrowserScroll &&
      performance.now() - this.#inputAt > inputMs;
    if (scrollTop < this.#top && left > 2) this.isAtEnd &&= isByBrowser;
    else if (left <= nearEnd && !this.drawEnd) this.isAtEnd = true;
    this.#top = scrollTop;
    this.#height = scrollHeight;
  };
}
