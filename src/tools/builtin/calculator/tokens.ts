/** Cuts an expression into numbers, names and signs. The many ways to write a sign become one. */
import { ExpressionError } from './expression';
import { constants, functions } from './functions';

export interface Token {
  type: 'number' | 'name' | 'sign' | 'end';
  /** A number without separators, a name in small letters, or a sign as the grammar knows it. */
  value: string;
  /** As it stands in the expression, and where. */
  text: string;
  at: number;
}

const spaces = /\s*/y;
const number = /(\d+\.?\d*|\.\d+)(e[+-]?\d+)?/iy;
const groupedNumber = /[1-9]\d{0,2}(,\d{3})+(?![\d,])(\.\d*)?/y;
const word = /log(10|2)(?=\s*\()|[a-z]+|π|圆周率|乘以|除以|[加减乘的]/iy;
const sign = /\*\*|\/\/|[-+*/^()!%°,√∛万亿]|根号|[⁰¹²³⁴⁵⁶⁷⁸⁹]+/y;

/** One character for one, so that positions stay. */
const otherSigns = each({
  '*': ['×', '·', '∙', '⋅', '•', '✕', '✖'],
  '/': ['÷', '∕', '⁄'],
  '-': ['−', '–', '—'],
  '(': ['[', '{', '【'],
  ')': [']', '}', '】'],
});
/** Only after a number, where no name can stand. */
const wordSigns = each({
  '*': ['x', 'times', 'of', '乘', '乘以', '的'],
  '/': ['除以'],
  '+': ['plus', '加'],
  '-': ['minus', '减'],
  mod: ['mod'],
});
const otherNames = each({
  pi: ['π', '圆周率'],
  log10: ['lg'],
  ceil: ['ceiling'],
  avg: ['average', 'mean'],
  comb: ['ncr'],
  perm: ['npr'],
  asin: ['arcsin'],
  acos: ['arccos'],
  atan: ['arctan'],
});

/** Ends with one `end`. Throws an `ExpressionError` at what is none of the three. */
export function readTokens(expression: string): Token[] {
  // `17*23=?` asks for what 17*23 asks for.
  const text = toPlain(expression).replace(/[=?\s]+$/, '');
  const tokens: Token[] = [];
  /** Of each open parenthesis, whether it holds what a function is given: there a comma parts numbers. */
  const open: boolean[] = [];

  let at = skip(text, 0);
  while (at < text.length) {
    const token = readToken(text, at, tokens.at(-1), open.at(-1) ?? false);
    if (token.value === '(') open.push(isFunction(tokens.at(-1)));
    if (token.value === ')') open.pop();
    token.text = expression.slice(at, at + token.text.length);
    tokens.push(token);
    at = skip(text, at + token.text.length);
  }
  return [...tokens, { type: 'end', value: '', text: 'the end', at }];
}

function readToken(text: string, at: number, last: Token | undefined, isInFunction: boolean): Token {
  const digits = (isInFunction ? undefined : match(groupedNumber, text, at)) ?? match(number, text, at);
  if (digits) return { type: 'number', value: digits.replaceAll(',', ''), text: digits, at };

  const name = match(word, text, at);
  if (name) {
    const value = name.toLowerCase();
    const meant = endsNumber(last) ? wordSigns.get(value) : undefined;
    if (meant) return { type: 'sign', value: meant, text: name, at };
    return { type: 'name', value: otherNames.get(value) ?? value, text: name, at };
  }

  const mark = match(sign, text, at);
  if (mark) return { type: 'sign', value: mark, text: mark, at };
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  throw new ExpressionError(`Unexpected ${character}`, at, 'only numbers, operators and functions, no units');
}

/** Whether a number may end with this token, so that what follows is an operator. */
function endsNumber(token: Token | undefined): boolean {
  switch (token?.type) {
    case 'number':
      return true;
    case 'name':
      return constants.has(token.value);
    case 'sign':
      return /^[)!%°万亿⁰¹²³⁴⁵⁶⁷⁸⁹]/.test(token.value);
    case 'end':
    case undefined:
      return false;
  }
}

function isFunction(token: Token | undefined): boolean {
  return token?.type === 'name' && functions.has(token.value);
}

/** Full-width characters become narrow, other signs ours. */
function toPlain(expression: string): string {
  return expression
    .replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[^\w\s]/g, (character) => otherSigns.get(character) ?? character);
}

function skip(text: string, at: number): number {
  return at + (match(spaces, text, at)?.length ?? 0);
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** From each of the words to what it means. */
function each(meanings: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(meanings).flatMap(([meaning, words]) => words.map((text) => [text, meaning] as const)),
  );
}
