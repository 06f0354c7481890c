/** PURE: makes text by strangers safe for a prompt. */
import { neutralise, neutraliseTokens } from '../text/neutralise';

/** Fields that contain prose. Other strings, for example enum values, must keep their spelling, so they lose only special tokens. */
const proseFields = new Set(['title', 'description', 'request']);

export function neutraliseTexts<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (key, part: unknown) => {
    if (typeof part !== 'string') return part;
    return proseFields.has(key) ? neutralise(part) : neutraliseTokens(part);
  }) as Value;
}
