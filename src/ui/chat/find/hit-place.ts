/** PURE: where in a text the words of a hit stand. */
import type { FoundPiece } from '../../../contracts/search';
import { placesOf, type TextPlace } from './places-of';

/** Characters behind a word by which its place is known from others. */
const contextLength = 24;

/** `sure`: with the words behind it as in the snippet; `any`: the first place of the word. */
export function placeOfHit(
  text: string,
  snippet: readonly FoundPiece[],
  certainty: 'sure' | 'any',
): TextPlace | undefined {
  const first = snippet.findIndex(({ isMarked }) => isMarked);
  const places = placesOf(text, snippet[first]?.text ?? '');
  if (certainty === 'any') return places[0];
  const behind = (snippet[first + 1]?.text ?? '').trim().slice(0, contextLength);
  return places.find(([, end]) => startsWith(text.slice(end, end + 4 * contextLength), behind));
}

/** The snippet is on one line, and without the marks of Markdown. */
function startsWith(text: string, behind: string): boolean {
  const plain = (part: string) => part.replace(/[\s*_`]+/g, '');
  return plain(text).startsWith(plain(behind));
}
