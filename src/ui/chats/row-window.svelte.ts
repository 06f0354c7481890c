/** A list with at most this many rows is drawn completely. */
const maxUnwindowed = 120;
/** Rows drawn above and below the screen: a quick scroll passes them in a frame or two. */
const spareRows = 30;
/** The window moves in steps of this many rows, so that not every pixel of scrolling redraws it. */
const stepRows = 10;

/** Decides which rows of a long list are drawn: those on the screen, and some above and below them. */
export class RowWindow {
  /** Pixels. The initial value is that of a desktop, until a row is measured. */
  #rowHeight = $state(38);
  #top = $state(0);
  #bottom = $state(maxUnwindowed);

  /** The rows to draw, from `from` up to and excluding `to`, and the pixels of the undrawn rows above and below. */
  of(count: number): { from: number; to: number; above: number; below: number } {
    if (count <= maxUnwindowed) return { from: 0, to: count, above: 0, below: 0 };
    const to = Math.min(count, this.#bottom);
    const from = Math.min(this.#top, Math.max(0, to - stepRows));
    return { from, to, above: from * this.#rowHeight, below: (count - to) * this.#rowHeight };
  }

  /** Attachment for the list, which is inside the element that scrolls. */
  readonly attach = (list: HTMLElement): (() => void) => {
    const scroller = scrollerOf(list);
    const look = () => this.#look(list, scroller);
    const observer = new ResizeObserver(look);
    observer.observe(scroller);
    scroller.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      scroller.removeEventListener('scroll', look);
    };
  };

  #look(list: HTMLElement, scroller: HTMLElement): void {
    const row = list.querySelector<HTMLElement>(':scope > li:not([data-heading])');
    if (row && row.offsetHeight > 0) this.#rowHeight = row.offsetHeight;
    const hidden = scroller.getBoundingClientRect().top - list.getBoundingClientRect().top;
    const first = Math.floor(hidden / this.#rowHeight);
    const onScreen = Math.ceil(scroller.clientHeight / this.#rowHeight);
    const inSteps = (rows: number) => Math.max(0, Math.floor(rows / stepRows) * stepRows);
    this.#top = inSteps(first - spareRows);
    this.#bottom = inSteps(first + onScreen + spareRows) + stepRows;
  }
}

function scrollerOf(node: HTMLElement): HTMLElement {
  let scroller = node.parentElement;
  while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowY))
    scroller = scroller.parentElement;
  return scroller ?? document.documentElement;
}
