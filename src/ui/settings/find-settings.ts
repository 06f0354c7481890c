import { drawnText, placesOf } from '../chat/find/drawn-text';
import { markAll } from '../chat/find/find-marks';

/** Hides each section that lacks a word of the query, highlights the words in the others, and returns the number of those. */
export function findSettings(sections: readonly HTMLElement[], query: string): number {
  const words = query.split(/\s+/).filter((word) => word !== '');
  const shown = sections.filter((section) => {
    const { textContent, dataset } = section;
    const searched = `${dataset['also'] ?? ''}\n${textContent}`;
    section.hidden = !words.every((word) => placesOf(searched, word).length > 0);
    return !section.hidden;
  });
  const marked = words.length === 0 ? [] : shown.map(drawnText);
  markAll(
    marked.flatMap(({ text, rangeOf }) =>
      words.flatMap((word) => placesOf(text, word)).flatMap((place) => rangeOf(place) ?? []),
    ),
  );
  return shown.length;
}
