/** Finds parts of a text in this thread, for tests that do not care where it happens. */
import { type FindParts, relevantParts } from '../../src/text/relevant-part';

export const findPartsHere: FindParts = async (text, options, signal) => {
  signal.throwIfAborted();
  const { isFound, within } = relevantParts(text, options);
  return { isFound, within: async (maxCharacters) => within(maxCharacters) };
};
