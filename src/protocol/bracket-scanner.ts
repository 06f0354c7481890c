/** Tracks brackets and strings character by character, to find where a value ends while the model is still writing it. */

export type BracketScanner = ReturnType<typeof createBracketScanner>;

const codeOf = (character: string) => character.charCodeAt(0);
const [quote, apostrophe, leftQuote, rightQuote, backslash] = ['"', "'", '“', '”', '\\'].map(codeOf);
const openingBrackets = new Set(['{', '[', '('].map(codeOf));
const closingBrackets = new Set(['}', ']', ')'].map(codeOf));
/** Characters that may precede a string. An apostrophe after a letter does not start one. */
const charactersBeforeString = new Set(['{', '[', '(', ',', ':', '：', '=', '>', '\\'].map(codeOf));
/** Characters that may follow a string. A quote before any other character belongs to the string. */
const charactersAfterString = new Set([',', '}', ']', ')', ':', '：', '=', ';', '<', '`'].map(codeOf));
const whitespaceCodes = new Set([' ', '\n', '\t', '\r'].map(codeOf));

export function createBracketScanner() {
  let depth = 0;
  /** Character code of the quote that ends the current string. 0 outside of strings. */
  let until = 0;
  let isEscaped = false;
  /** Whether backslashes escape the string's quotes, as in JSON inside a JSON string. */
  let hasEscapedQuotes = false;
  /** Number of whitespace characters since a quote that may have ended the string. -1 if there was no such quote. */
  let blanksAfterQuote = -1;
  let previous = 0;

  const isQuote = (character: number) => character === quote || character === apostrophe;
  const opensString = (character: number) => isQuote(character) || character === leftQuote;
  const hasEnded = (character: number) =>
    blanksAfterQuote >= 0 &&
    (charactersAfterString.has(character) || (blanksAfterQuote > 0 && opensString(character)));

  return {
    get depth() {
      return depth;
    },
    /** Whether this character, if it comes next, is outside of all strings. */
    isOutside: (character: number) => until === 0 || hasEnded(character),
    /** Returns true if the character closes the outermost bracket. */
    take(character: number): boolean {
      if (until !== 0) {
        if (isEscaped) {
          isEscaped = false;
          if (hasEscapedQuotes && character === until) until = 0;
          return false;
        }
        if (blanksAfterQuote >= 0 && whitespaceCodes.has(character)) {
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
      if (whitespaceCodes.has(character)) return false;
      const before = previous;
      previous = character;
      if (opensString(character) && depth > 0) {
        if (charactersBeforeString.has(before) || isQuote(before)) {
          until = character === leftQuote ? (rightQuote ?? 0) : character;
          hasEscapedQuotes = before === backslash;
        }
      } else if (openingBrackets.has(character)) {
        depth++;
      } else if (closingBrackets.has(character) && depth > 0) {
        depth--;
        return depth === 0;
      }
      return false;
    },
  };
}
