import type { PartMarks } from '../../state/claims/turn-claims';

/** The `::highlight` in `markdown.css`. */
const highlightName = 'unfounded';

/** Underlines places of a drawn reply with the CSS Custom Highlight API, if the browser has it. Returns a cleanup. */
export function markTexts(article: Element, parts: readonly PartMarks[]): () => void {
  if (!('highlights' in CSS)) return () => undefined;
  const all = CSS.highlights.get(highlightName) ?? new Highlight();
  CSS.highlights.set(highlightName, all);
  let own: Range[] = [];
  const clear = () => own.forEach((range) => all.delete(range));
  const draw = () => {
    clear();
    const texts = article.querySelectorAll(':scope > .markdown');
    own = parts.flatMap((part) => rangesIn(texts[part.place], part));
    own.forEach((range) => all.add(range));
  };
  draw();
  // The nodes change when the Markdown renderer loads and when hosts are added to links.
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
  const pointAt = (at: number) => {
    const found = nodes.findLast(({ start }) => start <= at);
    return found && ([found.node, at - found.start] as const);
  };
  return marks.flatMap((mark) => {
    const at = indexOfNth(drawn, mark.text, countBefore(text, mark.text, mark.start));
    const from = at < 0 ? undefined : pointAt(at);
    const to = at < 0 ? undefined : pointAt(at + mark.text.length - 1);
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

/** The index of occurrence `nth` (from 0) of `part`, or of the last one if there are fewer; -1 if there is none. */
function indexOfNth(text: string, part: string, nth: number): number {
  let at = text.indexOf(part);
  for (let seen = 0; seen < nth && at >= 0; seen++) {
    const next = text.indexOf(part, at + 1);
    if (next < 0) break;
    at = next;
  }
  return at;
}
