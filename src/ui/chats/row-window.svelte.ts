/** We draw shorter lists as a whole. */
const maxFullyDrawnRows = 120;
/** Rows to draw above the screen, and as many below. A quick scroll passes them in a frame or two. */
const extraRowsPerSide = 30;
/** The window moves by this many rows. A smaller step would redraw the list too often. */
const rowsPerStep = 10;

/** Decides which rows of a long list to draw: the visible rows and some around them. */
export class RowWindow {
  /** In pixels. A row on a desktop has this height, which we use until we measure a row. */
  #rowHeight = $state(38);
  #top = $state(0);
  #bottom = $state(maxFullyDrawnRows);

  /** Returns the rows to draw (`from` inclusive, `to` exclusive) and the undrawn height in pixels. */
  drawnRowsOf(count: number): { from: number; to: number; above: number; below: number } {
    if (count <= maxFullyDrawnRows) return { from: 0, to: count, above: 0, below: 0 };
    const to = Math.min(count, this.#bottom);
    const from = Math.min(this.#top, Math.max(0, to - rowsPerStep));
    return { from, to, above: from * this.#rowHeight, below: (count - to) * this.#rowHeight };
  }

  /** Svelte attachment for the list, which must be inside a scrolling element. */
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
    const inSteps = (rows: number) => Math.max(0, Math.floor(rows / rowsPerStep) * rowsPerStep);
    this.#top = inSteps(first - extraRowsPerSide);
    this.#bottom = inSteps(first + onScreen + extraRowsPerSide) + rowsPerStep;
  }
}

function scrollerOf(node: HTMLElement): HTMLElement {
  let scroller = node.parentElement;
  while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowY))
    scroller = scroller.parentElement;
  return scroller ?? document.documentElement;
}
