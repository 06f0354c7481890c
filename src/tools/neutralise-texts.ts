/** PURE: makes text that a stranger wrote safe to put into a prompt. */
import { neutralise, neutraliseTokens } from '../text/neutralise';

/**
 * Keys that hold prose. Other strings, such as enum values, must keep their exact spelling, so only special
 * tokens are removed from them.
 */
const sentences = new Set(['title', 'description', 'request']);

/** Returns a copy with every string neutralised. */
export function neutraliseTexts<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (key, part: unknown) => {
    if (typeof part !== 'string') return part;
    return sentences.has(key) ? neutralise(part) : neutraliseTokens(part);
  }) as Value;
}
