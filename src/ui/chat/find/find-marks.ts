/** Marks matches on the screen with the CSS Custom Highlight API, without touching any node. */
import './find.css';
import { drawnText, findPlaces, saidIn } from './drawn-text';

const highlightNames = { all: 'found', now: 'found-now' } as const;

export function createFindMarks(list: Element) {
  let query = '';
  let frame = 0;
  const draw = () => {
    frame = 0;
    const said = query === '' ? [] : saidIn(list);
    const ranges = said.flatMap((element) => {
      const { text, rangeOf } = drawnText(element);
      return findPlaces(text, query).flatMap((place) => rangeOf(place) ?? []);
    });
    setHighlight(highlightNames.all, ranges);
  };
  const observer = new MutationObserver(() => {
    frame ||= requestAnimationFrame(draw);
  });
  observer.observe(list, { childList: true, subtree: true, characterData: true });
  return {
    /** Marks all matches in the drawn turns; '' marks none. */
    mark(letters: string): void {
      query = letters;
      draw();
    },
    /** Marks the current match. A browser without highlights selects it. */
    markNow(range: Range | undefined): void {
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

/** Marks ranges on a screen without turns; [] marks none. */
export const markRanges = (ranges: readonly Range[]) => setHighlight(highlightNames.all, ranges);

function setHighlight(name: string, ranges: readonly Range[]): void {
  if (!('highlights' in CSS)) return;
  if (ranges.length === 0) {
    CSS.highlights.delete(name);
    return;
  }
  const highlight = new Highlight(...ranges);
  // The current match shows above all others, in whatever order they are set.
  if (name === highlightNames.now) highlight.priority = 1;
  CSS.highlights.set(name, highlight);
}
