/** Worker side: opens one text and returns the parts that match a query. */
import { z } from '../../contracts/schema';
import { relevantParts, type RelevantParts } from '../../text/relevant-part';
import type { PartsWorkerApi } from './remote-parts';

const SearchOptions = z.object({
  query: z.string(),
  given: z.array(z.tuple([z.number(), z.number()])),
});

export function serveParts(): PartsWorkerApi {
  let parts: RelevantParts | undefined;
  return {
    open(text, options) {
      parts = relevantParts(z.string().parse(text), SearchOptions.parse(options));
      return parts.isFound;
    },
    within(maxCharacters) {
      if (!parts) throw new Error('No text is open.');
      return parts.within(z.number().parse(maxCharacters));
    },
  };
}
