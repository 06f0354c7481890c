/** Worker side: opens one text and returns the parts that match a query. Comlink does not check arguments. */
import { z } from '../../contracts/schema';
import { findRelevantParts, type RelevantParts } from '../../text/relevant-part';

const SearchOptions = z.object({ query: z.string(), given: z.array(z.tuple([z.number(), z.number()])) });

export function serveParts() {
  let parts: RelevantParts | undefined;
  return {
    /** Call this first, and only once. Returns true if any word of the query occurs in the text. */
    open(text: unknown, options: unknown) {
      parts = findRelevantParts(z.string().parse(text), SearchOptions.parse(options));
      return parts.isFound;
    },
    within(maxCharacters: unknown) {
      if (!parts) throw new Error('No text is open.');
      return parts.within(z.number().parse(maxCharacters));
    },
  };
}
