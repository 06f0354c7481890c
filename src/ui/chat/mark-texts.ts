/** Underlines places of a reply that is drawn already, by the browser's own highlights: no node is touched. */
import type { PartMarks } from '../../state/claims/turn-claims';

/** As in `markdown.css`. */
const name = 'unfounded';

/** Until the function that is given back is called. In a browser without highlights, nothing. */
export function markTexts(article: Element, parts: readonly PartMarks[]): () => void {
  if (!('highlights' in CSS)) return () => undefined;
  const all = CSS.highlights.get(name) ?? new Highlight();
  CSS.highlights.set(name, all);
  let own: Range[] = [];
  const clear = () => own.forEach((range) => all.delete(range));
  const draw = () => {
    clear();
    const texts = article.querySelectorAll(':scope > .markdown');
    own = parts.flatMap((part) => rangesIn(texts[part.place], part));
    own.forEach((range) => all.add(range));
  };
  draw();
  // The reply may be drawn once more: when its renderer has come, when a host is put behind a link.
  const observer = new MutationObserver(draw);
  observer.observe(article, { childList: true, subtree: true, characterData: true });
  return () => {
    observer.disconnect();
    clear();
  };
}

function rangesIn(element: Element | undefined, { text, marks }: PartMarks): Range[] {
  if (!element) return [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: { node: Text; start: number }[] = [];
  let drawn = '';
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    nodes.push({ node, start: drawn.length });
    drawn += node.data;
  }
  const placeOf = (at: number) => {
    const found = nodes.findLast(({ start }) => start <= at);
    return found && ([found.node, at - found.start] as const);
  };
  return marks.flatMap((mark) => {
    const at = sameIn(drawn, mark.text, countBefore(text, mark.text, mark.start));
    const from = at < 0 ? undefined : placeOf(at);
    const to = at < 0 ? undefined : placeOf(at + mark.text.length - 1);
    if (!from || !to) return [];
    const range = document.createRange();
    range.setStart(...from);
    range.setEnd(to[0], to[1] + 1);
    return [range];
  });
}

function countBefore(text: string, part: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0 && at < end; at = text.indexOf(part, at + 1)) count += 1;
  return count;
}

/** Where a part stands for the so-manieth time, or for the last time that it does. */
function sameIn(text: string, part: string, count: number): number {
  let at = text.indexOf(part);
  for (let seen = 0; seen < count && at >= 0; seen++) {
    const next = text.indexOf(part, at + 1);
    if (next < 0) break;
    at = next;
  }
  return at;
}
