/** Which rows of a long list are drawn: those on the screen, and some above and below them. */

/** Up to so many are all drawn. */
const fewRows = 120;
/** Drawn above and below what is on the screen: what a quick scroll passes in a frame or two. */
const spareRows = 30;
/** The window moves in such steps, so that it is not drawn anew with every pixel. */
const stepRows = 10;

export class RowWindow {
  /** Pixels; until one was measured, what it is on a desktop. */
  #rowHeight = $state(38);
  #top = $state(0);
  #bottom = $state(fewRows);

  /** The rows of `count` that are drawn, from and up to but without; and the pixels that stand for the others. */
  of(count: number): { from: number; to: number; above: number; below: number } {
    if (count <= fewRows) return { from: 0, to: count, above: 0, below: 0 };
    const to = Math.min(count, this.#bottom);
    const from = Math.min(this.#top, Math.max(0, to - stepRows));
    return { from, to, above: from * this.#rowHeight, below: (count - to) * this.#rowHeight };
  }

  /** For the list itself, within what scrolls. */
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
