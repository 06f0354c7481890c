/**
 * Follows brackets and strings character by character, to know where a value that is still being written ends.
 *
 * It looks neither back nor ahead: a quote may have ended a string is a state, settled by what comes next.
 */

export interface BracketScanner {
  /** Takes the next character. True when it closed the outermost bracket. */
  take(code: number): boolean;
  /** Whether the next character, if it is this one, stands outside of strings. */
  isOutside(code: number): boolean;
  /** Brackets open now; the value has begun once there was one. */
  readonly depth: number;
}

const code = (character: string) => character.charCodeAt(0);
const [quote, apostrophe, leftQuote, rightQuote, backslash] = ['"', "'", '“', '”', '\\'].map(code);
const opening = new Set(['{', '[', '('].map(code));
const closing = new Set(['}', ']', ')'].map(code));
/** What may stand before a string: an apostrophe after a letter is one. */
const beforeString = new Set(['{', '[', '(', ',', ':', '：', '=', '>', '\\'].map(code));
/** What may stand after a string: any other character means that the quote was inside of it. */
const afterString = new Set([',', '}', ']', ')', ':', '：', '=', ';', '<', '`'].map(code));
const blank = new Set([' ', '\n', '\t', '\r'].map(code));

export function createBracketScanner(): BracketScanner {
  let depth = 0;
  /** The quote that would end the string we are in. */
  let until = 0;
  let isEscaped = false;
  /** Its quotes are written with a backslash, as if all of it stood in a string. */
  let hasEscapedQuotes = false;
  /** A quote has come that may have been the last: then the blanks behind it are counted. */
  let blanksAfterQuote = -1;
  /** The last character that was not blank, outside of strings. */
  let previous = 0;

  const isQuote = (character: number) => character === quote || character === apostrophe;
  /** Settles whether the quote before was the end, now that it is followed by `character`. */
  const hasEnded = (character: number) =>
    blanksAfterQuote >= 0 &&
    (afterString.has(character) || (blanksAfterQuote > 0 && (isQuote(character) || character === leftQuote)));

  return {
    get depth() {
      return depth;
    },
    isOutside: (character) => until === 0 || hasEnded(character),
    take(character) {
      if (until !== 0) {
        if (isEscaped) {
          isEscaped = false;
          if (hasEscapedQuotes && character === until) until = 0;
          return false;
        }
        if (blanksAfterQuote >= 0 && blank.has(character)) {
          blanksAfterQuote++;
          return false;
        }
        if (hasEnded(character)) {
          until = 0;
          previous = quote ?? 0;
        } else {
          blanksAfterQuote = -1;
          if (character === backslash) isEscaped = true;
          else if (character === until) blanksAfterQuote = 0;
          return false;
        }
      }
      blanksAfterQuote = -1;
      if (blank.has(character)) return false;
      const before = previous;
      previous = character;
      if ((isQuote(character) || character === leftQuote) && depth > 0) {
        if (beforeString.has(before) || isQuote(before)) {
          until = character === leftQuote ? (rightQuote ?? 0) : character;
          hasEscapedQuotes = before === backslash;
        }
      } else if (opening.has(character)) {
        depth++;
      } else if (closing.has(character) && depth > 0) {
        depth--;
        return depth === 0;
      }
      return false;
    },
  };
}
