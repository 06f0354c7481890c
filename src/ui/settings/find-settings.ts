import { readDrawnText, findMatches } from '../chat/find/drawn-text';
import { highlightRanges } from '../chat/find/find-marks';

/** Hides sections that lack a word of the query, and highlights the words in the others. Returns how many match. */
export function filterSettings(sections: readonly HTMLElement[], query: string): number {
  const words = query.split(/\s+/).filter((word) => word !== '');
  const shown = sections.filter((section) => {
    const { textContent, dataset } = section;
    const searched = `${dataset['also'] ?? ''}\n${textContent}`;
    section.hidden = !words.every((word) => findMatches(searched, word).length > 0);
    return !section.hidden;
  });
  const marked = words.length === 0 ? [] : shown.map(readDrawnText);
  highlightRanges(
    marked.flatMap(({ text, rangeOf }) =>
      words.flatMap((word) => findMatches(text, word)).flatMap((place) => rangeOf(place) ?? []),
    ),
  );
  return shown.length;
}
