/** Highlights matches on the screen with the CSS Custom Highlight API, without changing any node. */
import { readDrawnText, findMatches, searchableElementsIn } from './drawn-text';

const highlightNames = { all: 'found', now: 'found-now' } as const;

export function createMatchHighlighter(list: Element) {
  let query = '';
  let frame = 0;
  const draw = () => {
    frame = 0;
    const said = query === '' ? [] : searchableElementsIn(list);
    const ranges = said.flatMap((element) => {
      const { text, rangeOf } = readDrawnText(element);
      return findMatches(text, query).flatMap((place) => rangeOf(place) ?? []);
    });
    setHighlight(highlightNames.all, ranges);
  };
  const observer = new MutationObserver(() => {
    frame ||= requestAnimationFrame(draw);
  });
  observer.observe(list, { childList: true, subtree: true, characterData: true });
  return {
    highlightAll(letters: string): void {
      query = letters;
      draw();
    },
    /** In a browser without the Custom Highlight API, this selects the match instead. */
    highlightCurrent(range: Range | undefined): void {
      setHighlight(highlightNames.now, range ? [range] : []);
      if (!range || 'highlights' in CSS) return;
      const { startContainer, startOffset, endContainer, endOffset } = range;
      getSelection()?.setBaseAndExtent(startContainer, startOffset, endContainer, endOffset);
    },
    clear(): void {
      observer.disconnect();
      cancelAnimationFrame(frame);
      for (const name of Object.values(highlightNames)) setHighlight(name, []);
    },
  };
}

/** Highlights ranges on a screen without turns. [] removes the highlights. */
export const highlightRanges = (ranges: readonly Range[]) => setHighlight(highlightNames.all, ranges);

function setHighlight(name: string, ranges: readonly Range[]): void {
  if (!('highlights' in CSS)) return;
  if (ranges.length === 0) return void CSS.highlights.delete(name);
  const highlight = new Highlight(...ranges);
  // The current match must be visible above the other matches.
  if (name === highlightNames.now) highlight.priority = 1;
  CSS.highlights.set(name, highlight);
}
