/** PURE: words that somebody else may have written, as they may stand in a prompt: its marks are not theirs to write. */
import { neutralise, neutraliseTokens } from '../text/neutralise';

/** Of a schema or an example: sentences. What else is text there must stay what the arguments are held to. */
const sentences = new Set(['title', 'description', 'request']);

/** A copy, with every text in it harmless. */
export function neutraliseTexts<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (key, part: unknown) => {
    if (typeof part !== 'string') return part;
    return sentences.has(key) ? neutralise(part) : neutraliseTokens(part);
  }) as Value;
}
