/** Looks for words in the settings, by what stands on the screen: a part without them is not shown. */
import { drawnText, placesOf } from '../chat/find/drawn-text';
import { markAll } from '../chat/find/find-marks';

/** Hides each part that lacks one of the words, marks them in the others, and says how many those are. */
export function findSettings(parts: readonly HTMLElement[], query: string): number {
  const wanted = query.split(/\s+/).filter((word) => word !== '');
  const shown = parts.filter((part) => {
    const { textContent, dataset } = part;
    const said = `${dataset['also'] ?? ''}\n${textContent}`;
    part.hidden = !wanted.every((word) => placesOf(said, word).length > 0);
    return !part.hidden;
  });
  const marked = wanted.length === 0 ? [] : shown.map(drawnText);
  markAll(
    marked.flatMap(({ text, rangeOf }) =>
      wanted.flatMap((word) => placesOf(text, word)).flatMap((place) => rangeOf(place) ?? []),
    ),
  );
  return shown.length;
}
