/** Parses an expression with the usual precedence. `*` is optional before a name or a parenthesis. */
import { ExpressionError } from './expression';
import { type CalculatorFunction, constants, functions, suffixes } from './functions';

export type Tree = { at: number } & (
  | { type: 'number'; text: string }
  | { type: 'constant'; name: string }
  | { type: 'function'; name: string; of: readonly Tree[] }
  | { type: 'suffix'; sign: string; of: Tree }
  | { type: 'negative'; of: Tree }
  | { type: 'operation'; sign: string; left: Tree; right: Tree }
);

const maxDepth = 100;
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const roots: ReadonlyMap<string, string> = new Map([
  ['√', 'sqrt'],
  ['根号', 'sqrt'],
  ['∛', 'cbrt'],
]);

/** Throws an `ExpressionError` with the position and what was expected. */
export function parse(expression: string): Tree {
  return new Parser(readTokens(expression)).read();
}

class Parser {
  readonly #tokens: readonly Token[];
  #index = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  read(): Tree {
    if (this.#tokens.length === 1) throw new ExpressionError('The expression is empty');
    const tree = this.#readSum();
    const token = this.#peek();
    if (token.type === 'end') return tree;
    if (token.value === ',') {
      throw new ExpressionError('Unexpected ,', token.at, 'write decimals as 1.5 and thousands as 1,234');
    }
    if (token.value === ')') throw new ExpressionError('Unexpected )', token.at, 'no ( stands before it');
    throw new ExpressionError(`Expected an operator before ${token.text}`, token.at);
  }

  #readSum(): Tree {
    let left = this.#readProduct();
    for (let sign = this.#take('+', '-'); sign; sign = this.#take('+', '-')) {
      left = { type: 'operation', sign: sign.value, at: sign.at, left, right: this.#readProduct() };
    }
    return left;
  }

  #readProduct(): Tree {
    let left = this.#readSigned();
    for (;;) {
      const sign = this.#take('*', '/', '//', '%', 'mod');
      if (!sign && !this.#isOperand(this.#peek())) return left;
      const { value, at } = sign ?? { value: '*', at: this.#peek().at };
      left = { type: 'operation', sign: value === '%' ? 'mod' : value, at, left, right: this.#readSigned() };
    }
  }

  #readSigned(): Tree {
    const sign = this.#take('+', '-');
    if (!sign) return this.#readPower();
    const of = this.#readSigned();
    return sign.value === '-' ? { type: 'negative', at: sign.at, of } : of;
  }

  #readPower(): Tree {
    const left = this.#readSuffixed();
    const sign = this.#take('^', '**');
    return sign ? { type: 'operation', sign: '^', at: sign.at, left, right: this.#readSigned() } : left;
  }

  #readSuffixed(): Tree {
    let of = this.#readPrimary();
    for (;;) {
      const { value, text, at } = this.#peek();
      if (value !== '' && superscripts.includes(value.charAt(0))) {
        this.#index++;
        const digits = text.replace(/./g, (digit) => String(superscripts.indexOf(digit)));
        of = { type: 'operation', sign: '^', at, left: of, right: { type: 'number', text: digits, at } };
      } else if (suffixes.has(value) && !this.#isModulo()) {
        if (value === '!' && this.#tokens[this.#index - 1]?.value === '!') {
          throw new ExpressionError('Unexpected !', at, 'write (3!)! for the factorial of a factorial');
        }
        this.#index++;
        of = { type: 'suffix', sign: value, at, of };
      } else return of;
    }
  }

  #readPrimary(): Tree {
    const token = this.#peek();
    const { at, value } = token;
    const root = roots.get(value);
    const called = functions.get(value);
    this.#index++;
    if (token.type === 'number') return { type: 'number', at, text: value };
    if (root) return { type: 'function', at, name: root, of: [this.#readPrimary()] };
    if (value === '(') {
      const [inner] = this.#readParenthesis(token, false);
      if (inner) return inner;
    }
    if (constants.has(value)) return { type: 'constant', at, name: value };
    if (called) return { type: 'function', at, name: value, of: this.#readArguments(token, called) };
    if (token.type === 'name') {
      const known = [...functions.keys(), ...constants.keys()].join(', ');
      throw new ExpressionError(`Unknown name ${token.text}`, at, `known: ${known}`);
    }
    const before = this.#tokens[this.#index - 2];
    throw new ExpressionError(`Expected a number${before ? ` after ${before.text}` : ''}`, at);
  }

  #readArguments(name: Token, { least, most }: CalculatorFunction): Tree[] {
    const open = this.#take('(');
    if (!open) throw new ExpressionError(`Expected ( after ${name.text}`, this.#peek().at);
    const values = this.#readParenthesis(open, true);
    if (values.length >= least && values.length <= most) return values;
    const wanted = most === Infinity ? `at least ${least}` : least === most ? least : `${least} or ${most}`;
    throw new ExpressionError(
      `${name.text} takes ${wanted} number${wanted === 1 ? '' : 's'} and got ${values.length}`,
      name.at,
      'a comma in a function separates its numbers',
    );
  }

  #readParenthesis(open: Token, mayHoldMany: boolean): Tree[] {
    if (++this.#depth > maxDepth) {
      throw new ExpressionError(`Parentheses are nested more than ${maxDepth} deep`, open.at);
    }
    const values = [this.#readSum()];
    while (mayHoldMany && this.#take(',')) values.push(this.#readSum());
    const after = this.#peek();
    if (!this.#take(')')) {
      const where = `the ( at position ${open.at + 1} is not closed`;
      throw new ExpressionError(`Expected ) before ${after.text}`, after.at, where);
    }
    this.#depth--;
    return values;
  }

  /** A percent sign before a number means remainder, as in programming languages. */
  #isModulo(): boolean {
    const after = this.#tokens[this.#index + 1];
    return this.#peek().value === '%' && (after?.type === 'number' || this.#isOperand(after));
  }

  /** Tokens that may follow a number without an operator. */
  #isOperand(token: Token | undefined): boolean {
    return token?.type === 'name' || token?.value === '(' || roots.has(token?.value ?? '');
  }

  #peek(): Token {
    const token = this.#tokens[Math.min(this.#index, this.#tokens.length - 1)];
    if (!token) throw new Error('There is always an end.');
    return token;
  }

  #take(...values: readonly string[]): Token | undefined {
    const token = this.#peek();
    if (token.type !== 'sign' || !values.includes(token.value)) return undefined;
    this.#index++;
    return token;
  }
}

interface Token {
  type: 'number' | 'name' | 'sign' | 'end';
  /** A number without separators, a lowercase name, or a normalised sign. */
  value: string;
  text: string;
  at: number;
}

const spaces = /\s*/y;
const number = /(\d+\.?\d*|\.\d+)(e[+-]?\d+)?/iy;
const groupedNumber = /[1-9]\d{0,2}(,\d{3})+(?![\d,])(\.\d*)?/y;
const word = /log(10|2)(?=\s*\()|[a-z]+|π|圆周率|乘以|除以|[加减乘的]/iy;
const sign = /\*\*|\/\/|[-+*/^()!%°,√∛万亿]|根号|[⁰¹²³⁴⁵⁶⁷⁸⁹]+/y;

/** Each replacement has one character, so positions stay the same. */
const otherSigns = each({
  '*': ['×', '·', '∙', '⋅', '•', '✕', '✖'],
  '/': ['÷', '∕', '⁄'],
  '-': ['−', '–', '—'],
  '(': ['[', '{', '【'],
  ')': [']', '}', '】'],
});
/** Words read as operators after a number, because no name can occur there. */
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

/** Returns tokens that end with one of type `end`. Throws an `ExpressionError` at an unknown character. */
function readTokens(expression: string): Token[] {
  const text = toPlain(expression).replace(/[=?\s]+$/, '');
  const tokens: Token[] = [];
  /** For each open parenthesis: whether it encloses function arguments, so that a comma separates them. */
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

/** Whether an operand can end with this token, so that an operator must follow. */
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

/** Inverts the table: maps each spelling to its meaning. */
function each(meanings: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(meanings).flatMap(([meaning, words]) => words.map((text) => [text, meaning] as const)),
  );
}
