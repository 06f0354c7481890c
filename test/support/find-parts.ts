/** Parts of a text found in this thread, for tests that are about something else than where. */
import { type FindParts, relevantParts } from '../../src/text/relevant-part';

export const findPartsHere: FindParts = async (text, options, signal) => {
  signal.throwIfAborted();
  const { isFound, within } = relevantParts(text, options);
  return { isFound, within: async (maxCharacters) => within(maxCharacters) };
};
