/** Marks what was found in what is drawn, by the browser's own highlights: no node is touched. */
import './find.css';
import { drawnText, saidIn } from './drawn-text';
import { placesOf } from './places-of';

/** Of all places, and of the one that is looked at: as in `find.css`. */
const names = { all: 'found', now: 'found-now' } as const;

export interface FindMarks {
  /** Marks all places of some letters in the turns that are drawn; '' marks none. */
  mark: (query: string) => void;
  /** Marks one above all others. In a browser without highlights it is selected. */
  markNow: (range: Range | undefined) => void;
  clear: () => void;
}

export function createFindMarks(list: Element): FindMarks {
  let query = '';
  let frame = 0;
  const draw = () => {
    frame = 0;
    const said = query === '' ? [] : saidIn(list);
    const ranges = said.flatMap((element) => {
      const { text, rangeOf } = drawnText(element);
      return placesOf(text, query).flatMap((place) => rangeOf(place) ?? []);
    });
    set(names.all, ranges);
  };
  // Earlier turns come in as one scrolls, and what is drawn already may be drawn once more.
  const observer = new MutationObserver(() => {
    frame ||= requestAnimationFrame(draw);
  });
  observer.observe(list, { childList: true, subtree: true, characterData: true });
  return {
    mark(letters) {
      query = letters;
      draw();
    },
    markNow(range) {
      set(names.now, range ? [range] : []);
      if (range && !('highlights' in CSS)) getSelection()?.setBaseAndExtent(...endsOf(range));
    },
    clear() {
      observer.disconnect();
      cancelAnimationFrame(frame);
      for (const name of Object.values(names)) set(name, []);
    },
  };
}

/** Marks some words of a screen that has no turns; [] marks none. */
export const markAll = (ranges: readonly Range[]) => set(names.all, ranges);

function set(name: string, ranges: readonly Range[]): void {
  if (!('highlights' in CSS)) return;
  if (ranges.length === 0) {
    CSS.highlights.delete(name);
    return;
  }
  const highlight = new Highlight(...ranges);
  // Whichever was set last: the one that is looked at lies above all others.
  if (name === names.now) highlight.priority = 1;
  CSS.highlights.set(name, highlight);
}

function endsOf({ startContainer, startOffset, endContainer, endOffset }: Range) {
  return [startContainer, startOffset, endContainer, endOffset] as const;
}
