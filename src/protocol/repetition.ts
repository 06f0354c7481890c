/** Finds out when a model says one thing over and over: it does not stop by itself. PURE. */
import type { ModelSpec } from '../contracts/model';

export interface Patience {
  /** Characters of the repetition, and how often the same came. */
  characters: number;
  times: number;
  /** How often one and the same letter or digit may follow itself. */
  sameLetter: number;
}

/** A very small model has nothing to say at length. */
const small: Patience = { characters: 24, times: 6, sameLetter: 24 };

/** A larger one may well write a table or a long list of zeros: half of the longest reply is none. */
export function patienceWith({
  isSmall,
  maxReplyTokens,
}: Pick<ModelSpec, 'isSmall' | 'maxReplyTokens'>): Patience {
  if (isSmall) return small;
  // A token is some four characters; of a repeated one, often a single.
  return { characters: 2 * maxReplyTokens, times: 12, sameLetter: maxReplyTokens / 2 };
}

/** Longer units than a line or two are no slip. */
const longestUnit = 160;
/** Rules of tables and headings are drawn with these. */
const drawn = /[-=_*.#~|\s─]/;

/**
 * Where the text is to end that has begun to repeat itself, one of the repeated units included; undefined while it has not. Looks at the end
 * alone: call it as the text grows.
 */
export function endBeforeLoop(text: string, { characters, times, sameLetter }: Patience): number | undefined {
  for (let unit = 1; unit <= Math.min(longestUnit, text.length / 2); unit++) {
    const repeated = lengthOfPeriod(text, unit);
    const isDrawn = Array.from(text.slice(-unit)).every((character) => drawn.test(character));
    const least = isDrawn ? 10 * characters : unit === 1 ? sameLetter : Math.max(characters, unit * times);
    if (repeated >= least) return text.length - repeated + unit;
  }
  return undefined;
}

/** How many characters at the end of the text have that period. */
function lengthOfPeriod(text: string, unit: number): number {
  let at = text.length - 1 - unit;
  while (at >= 0 && text[at] === text[at + unit]) at--;
  return text.length - 1 - at;
}
