/** Finds formulas: `$…$` and `\(…\)` within a line, `$$…$$` and `\[…\]` on separate lines. Skips prices. */

export interface MathToken {
  type: 'math';
  raw: string;
  text: string;
  isDisplay: boolean;
}

const inlineDollarPattern = /^\$(?![\s$])((?:\\[^]|[^$\\]){1,1000})\$(?![\d$])/;
const displayDollarPattern = /^\$\$(?!\$)((?:\\[^]|[^$\\]){1,4000})\$\$(?!\$)/;
const inlineParenthesisPattern = /^\\\(((?:\\[^)]|[^\\]){1,1000})\\\)/;
const displayBracketPattern = /^\\\[((?:\\[^\]]|[^\\]){1,4000})\\\]/;

export function readInlineFormula(text: string): MathToken | undefined {
  if (text.startsWith('$')) return readDollarFormula(text);
  if (text.startsWith('\\('))
    return toMathToken(inlineParenthesisPattern.exec(text), false, isMathInParentheses);
  if (text.startsWith('\\[')) return toMathToken(displayBracketPattern.exec(text), true, isMathInBrackets);
  return undefined;
}

function readDollarFormula(text: string): MathToken | undefined {
  const display = toMathToken(displayDollarPattern.exec(text), true);
  if (display) return display;
  const token = toMathToken(
    inlineDollarPattern.exec(text),
    false,
    (tex) => !/\s$/.test(tex) && !isPrice(tex),
  );
  if (!token) return undefined;
  // `$n$th` is a formula, but `$HOME/bin:$PATH` and `${a}-${b}` are not.
  const rest = text.slice(token.raw.length, token.raw.length + 4);
  return /^(?:\w|\{)/.test(rest) && !/^(?:th|st|nd|rd|s)\b/.test(rest) ? undefined : token;
}

function toMathToken(
  match: RegExpExecArray | null,
  isDisplay: boolean,
  isMath: (tex: string) => boolean = () => true,
): MathToken | undefined {
  const [raw, tex = ''] = match ?? [];
  if (raw === undefined || tex.trim() === '' || !isMath(tex)) return undefined;
  return { type: 'math', raw, text: tex.trim(), isDisplay };
}

/** True if `tex` starts with an amount and contains a word, as in `$5 million to 6$`. */
function isPrice(tex: string): boolean {
  return /^[\d.,]+/.test(tex) && /(?:^|\s)\p{L}{2,}/u.test(tex.replace(/\\[a-z]+(?:\{[^}]*\})?/gi, ''));
}

/** False for plain words in escaped parentheses, such as `\(see below\)`. */
function isMathInParentheses(tex: string): boolean {
  return !/^\s*(?=.*\p{L}{2})\p{L}+(?:[\s,]+\p{L}+)+[.!?]?\s*$/u.test(tex);
}

/** False for plain words or a number in escaped brackets, such as `\[note\]` or `\[1\]`. */
function isMathInBrackets(tex: string): boolean {
  return isMathInParentheses(tex) && !/^\s*(?:\d+|\p{L}{2,})\s*$/u.test(tex);
}

/** True if a `$` after this character may begin a formula. False after a letter or digit, as in `US$5`. */
export function mayPrecedeFormula(before: string | undefined): boolean {
  return before === undefined || !/[\w$\\]/.test(before);
}

const blockOpenerPattern = /^ {0,3}(\$\$|\\\[)/;
/** A formula block ends before a blank line, a fence or a heading. */
const formulaBreakPattern = /\n(?=[ \t]*\n| {0,3}(?:`{3}|~{3}|#{1,6} ))/;
const closedFormulaPattern =
  /^ {0,3}(?:\$\$((?:\\[^]|[^$\\])+)\$\$|\\\[((?:\\[^\]]|[^\\])+)\\\])([.,;:]?)[ \t]*(?:\n|$)/;
/** Maximum length of a formula block: `$$…$$` or `\[…\]` on separate lines. */
const maxFormulaCharacters = 8192;
/** We look for a formula block only in this many characters from the start of a paragraph. */
const maxSearchCharacters = 4096;

/** Reads a formula at the start of `source`. Type `open` means that the formula may continue in later text. */
export function readMathBlock(source: string): MathToken | { type: 'open'; raw: string } | undefined {
  const mark = blockOpenerPattern.exec(source)?.[1];
  if (mark === undefined) return undefined;
  const block = cutToPossibleFormula(source);
  const match = closedFormulaPattern.exec(block);
  const tex = match?.[1] ?? match?.[2];
  if (match && tex !== undefined) {
    if (tex.trim() === '' || (mark === '\\[' && !isMathInBrackets(tex))) return undefined;
    return { type: 'math', raw: match[0], text: `${tex.trim()}${match[3] ?? ''}`, isDisplay: true };
  }
  // If text follows a closed formula on its line, the formula is not a block.
  const end = block.indexOf(mark === '$$' ? '$$' : '\\]', block.indexOf(mark) + 2);
  return end === -1 ? { type: 'open', raw: block } : undefined;
}

function cutToPossibleFormula(source: string): string {
  const near = source.slice(0, maxFormulaCharacters);
  const end = formulaBreakPattern.exec(near)?.index;
  if (end !== undefined) return near.slice(0, end + 1);
  return near.length === source.length ? near : near.slice(0, near.lastIndexOf('\n') + 1) || near;
}

/** Returns the index of the line break before a formula that interrupts the first paragraph of `source`. */
export function findNextMathBlock(source: string): number | undefined {
  const near = source.slice(0, maxSearchCharacters);
  const end = /\n[ \t]*\n/.exec(near)?.index ?? near.length;
  for (const { index } of near.slice(0, end).matchAll(/\n {0,3}(?:\$\$|\\\[)/g)) {
    if (readMathBlock(source.slice(index + 1))) return index;
  }
  return undefined;
}

/**
 * Replaces formulas with letters, so marked does not read their `*` and `_` as emphasis. `masked` is `source` in which
 * marked has already replaced the links.
 */
export function maskMath(source: string, masked: string): string {
  let result = '';
  let at = 0;
  for (let next = 0; next < source.length; next++) {
    const character = source[next];
    if (character === '`') {
      const run = /^`+/.exec(source.slice(next))?.[0] ?? '`';
      const end = source.indexOf(run, next + run.length);
      next = end === -1 ? next + run.length - 1 : end + run.length - 1;
      continue;
    }
    const isMark = character === '\\' || (character === '$' && mayPrecedeFormula(source[next - 1]));
    const token = isMark ? readInlineFormula(source.slice(next)) : undefined;
    if (token) {
      result += masked.slice(at, next) + 'a'.repeat(token.raw.length);
      at = next + token.raw.length;
      next = at - 1;
    } else if (character === '\\') next++;
  }
  return result + masked.slice(at);
}
