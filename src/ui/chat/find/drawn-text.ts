/** The words of an element as they are read, and the places of them in the document. */
import type { TextPlace } from './places-of';

export interface DrawnText {
  text: string;
  rangeOf: (place: TextPlace) => Range | undefined;
}

/** What Hearth itself has put there: the heads of code, and hosts behind links. */
const added = '.block-head, .host[data-added], button';
/** No word goes from one of these into the next. */
const blocks = 'p, li, td, th, pre, h1, h2, h3, h4, h5, h6, blockquote, div';

export function drawnText(element: Element): DrawnText {
  const nodes: { node: Text; start: number }[] = [];
  let text = '';
  let block: Element | null = null;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!(node instanceof Text) || !parent || parent.closest(added)) continue;
    const own = parent.closest(blocks);
    if (block !== null && own !== block) text += '\n';
    block = own;
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  const pointAt = (at: number) => {
    const found = nodes.findLast(({ start }) => start <= at);
    return found && ([found.node, Math.min(at - found.start, found.node.length)] as const);
  };
  return {
    text,
    rangeOf([start, end]) {
      const from = pointAt(start);
      const to = pointAt(end - 1);
      if (!from || !to) return undefined;
      const range = document.createRange();
      range.setStart(...from);
      range.setEnd(to[0], Math.min(to[1] + 1, to[0].length));
      return range;
    },
  };
}

/** The parts of a turn that are looked through, as `shownTexts` lists them. */
export function saidIn(turn: Element): Element[] {
  return [...turn.querySelectorAll('.markdown, [data-said]')];
}
