/** Highlights matches on the screen with the CSS Custom Highlight API, without changing any node. */
import { createPause, findMatchesInParts, readDrawnBlocks, searchableElementsIn } from './drawn-text';

const highlightNames = { all: 'found', now: 'found-now' } as const;

/** If the drawn turns contain more matches, those after the first visible text are highlighted. */
const maxHighlights = 2_000;

export function createMatchHighlighter(list: Element) {
  let query = '';
  let frame = 0;
  let drawNumber = 0;
  let isDrawing = false;
  let changeCount = 0;

  const draw = async () => {
    frame = 0;
    const mine = ++drawNumber;
    const changesSeen = changeCount;
    isDrawing = true;
    const ranges: StaticRange[] = [];
    for await (const range of query === '' ? [] : rangesIn(fromFirstVisible(list), query)) {
      if (mine !== drawNumber) return;
      if (ranges.push(range) === maxHighlights) break;
    }
    if (mine !== drawNumber) return;
    isDrawing = false;
    setHighlight(highlightNames.all, ranges);
    if (changeCount !== changesSeen) drawSoon();
  };
  const drawSoon = () => {
    changeCount++;
    if (!isDrawing) frame ||= requestAnimationFrame(() => void draw());
  };
  const observer = new MutationObserver(drawSoon);
  observer.observe(list, { childList: true, subtree: true, characterData: true });
  return {
    highlightAll(letters: string): void {
      query = letters;
      void draw();
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
      drawNumber++;
      for (const name of Object.values(highlightNames)) setHighlight(name, []);
    },
  };
}

/** Returns the texts of the list: the first visible one and those after it, then those before it. */
function fromFirstVisible(list: Element): readonly Element[] {
  const said = searchableElementsIn(list);
  const top = list.closest('.scroll')?.getBoundingClientRect().top ?? 0;
  const first = said.findIndex((element) => element.getBoundingClientRect().bottom > top);
  return first < 0 ? said : [...said.slice(first), ...said.slice(0, first)];
}

async function* rangesIn(said: readonly Element[], query: string): AsyncGenerator<StaticRange> {
  const pause = createPause();
  for (const element of said) {
    for await (const { text, boundsOf } of readDrawnBlocks(element, pause)) {
      for await (const places of findMatchesInParts(text, query, pause)) {
        for (const place of places) {
          const bounds = boundsOf(place);
          if (bounds) yield new StaticRange(bounds);
        }
      }
    }
  }
}

/** Highlights ranges on a screen without turns. [] removes the highlights. */
export const highlightRanges = (ranges: readonly AbstractRange[]) => setHighlight(highlightNames.all, ranges);

function setHighlight(name: string, ranges: readonly AbstractRange[]): void {
  if (!('highlights' in CSS)) return;
  if (ranges.length === 0) return void CSS.highlights.delete(name);
  const highlight = new Highlight(...ranges);
  // The current match must be visible above the other matches.
  if (name === highlightNames.now) highlight.priority = 1;
  CSS.highlights.set(name, highlight);
}
