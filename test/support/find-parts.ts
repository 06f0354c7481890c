/** Finds parts of a text in this thread, for tests that do not care where it happens. */
import { type FindParts, findRelevantParts } from '../../src/text/relevant-part';

export const findPartsHere: FindParts = async (text, options, signal) => {
  signal.throwIfAborted();
  const { isFound, within } = findRelevantParts(text, options);
  return { isFound, within: async (maxCharacters) => within(maxCharacters) };
};
