import { drawnText, findPlaces } from '../chat/find/drawn-text';
import { markRanges } from '../chat/find/find-marks';

/** Hides the sections that lack a word of the query, and highlights the words in the other sections. Returns how many sections match. */
export function findSettings(sections: readonly HTMLElement[], query: string): number {
  const words = query.split(/\s+/).filter((word) => word !== '');
  const shown = sections.filter((section) => {
    const { textContent, dataset } = section;
    const searched = `${dataset['also'] ?? ''}\n${textContent}`;
    section.hidden = !words.every((word) => findPlaces(searched, word).length > 0);
    return !section.hidden;
  });
  const marked = words.length === 0 ? [] : shown.map(drawnText);
  markRanges(
    marked.flatMap(({ text, rangeOf }) =>
      words.flatMap((word) => findPlaces(text, word)).flatMap((place) => rangeOf(place) ?? []),
    ),
  );
  return shown.length;
}
