import type { PartMarks } from '../../state/claims/turn-claims';
import { joinTexts } from './find/drawn-text';

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
  const drawn = joinTexts(element, () => '');
  return marks.flatMap((mark) => {
    const at = indexOfNth(drawn.text, mark.text, countBefore(text, mark.text, mark.start));
    return at < 0 ? [] : (drawn.rangeOf([at, at + mark.text.length]) ?? []);
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
