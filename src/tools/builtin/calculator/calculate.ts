import type { ReadResult } from '../../../contracts/schema';
import { findUnit, splitConversion } from '../../../text/units';
import { convertUnits, toSingular } from './convert-units';
import { ExpressionError } from './expression';
import {
  createBinary,
  type CalculatorFunction,
  calculatorConstants,
  calculatorFunctions,
  isExact,
  multiply,
  negate,
  operators,
  readNumber,
  rootFunctions,
  suffixFunctions,
  toReal,
  createUnary,
  type Value,
} from './numbers';
import type Fraction from 'fraction.js';

export function calculate(expression: string): ReadResult<string> {
  try {
    const conversion = splitConversion(expression);
    if (!conversion) return { ok: true, value: writeResult(evaluateText(expression)) };
    const { value, unit, before } = convertUnits(conversion, evaluateText);
    const written = writeResult(value, unit);
    if (before === undefined) return { ok: true, value: written };
    // The exact fraction would be that of the smaller part alone.
    return { ok: true, value: `${before} ${written.replace(/\(exactly .*\)$/, '(rounded)')}` };
  } catch (error) {
    if (error instanceof ExpressionError) return { ok: false, reason: error.describe() };
    throw error;
  }
}

function evaluateText(expression: string): Value {
  return evaluate(new Parser(readTokens(expression)).parse());
}

interface Term {
  /** Index in the expression, for error messages. */
  at: number;
  run: CalculatorFunction['run'];
  inputs: readonly Term[];
  isPercentage?: boolean | undefined;
}

function evaluate({ at, run, inputs }: Term): Value {
  const values = inputs.map(evaluate);
  try {
    return run(values);
  } catch (error) {
    if (error instanceof ExpressionError) error.position ??= at;
    throw error;
  }
}

function createOperation(sign: keyof typeof operators, at: number, left: Term, right: Term): Term {
  const isSum = sign === '+' || sign === '-';
  // A percentage after + or - refers to the left side: 80 + 10% is 88.
  const isOfLeft = isSum && right.isPercentage && !left.isPercentage;
  const { run } = createBinary((first, second) =>
    operators[sign](first, isOfLeft ? multiply(first, second) : second),
  );
  return { at, run, inputs: [left, right], isPercentage: isSum && left.isPercentage && right.isPercentage };
}

const toNumberTerm = (at: number, digits: string): Term => ({
  at,
  run: () => readNumber(digits),
  inputs: [],
});

const maxNestingDepth = 100;
const unitHint = 'leave units out, or write only a conversion, such as 5 km in mi';
const superscriptDigits = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Accepts a name or parenthesis without `*` before it. Throws an `ExpressionError` with the position and the expected token. */
class Parser {
  readonly #tokens: readonly Token[];
  #index = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Term {
    if (this.#tokens.length === 1) throw new ExpressionError('The expression is empty');
    const step = this.#readSum();
    const token = this.#peek();
    if (token.type === 'end') return step;
    if (token.value === ',') {
      throw new ExpressionError('Unexpected ,', token.at, 'write decimals as 1.5 and thousands as 1,234');
    }
    if (token.value === ')') throw new ExpressionError('Unexpected )', token.at, 'no ( stands before it');
    throw new ExpressionError(`Expected an operator before ${token.text}`, token.at);
  }

  #readSum(): Term {
    let left = this.#readProduct();
    for (let sign = this.#take('+', '-'); sign; sign = this.#take('+', '-')) {
      left = createOperation(sign.value, sign.at, left, this.#readProduct());
    }
    return left;
  }

  #readProduct(): Term {
    let left = this.#readSigned();
    for (;;) {
      const sign = this.#take('*', '/', '//', '%', 'mod');
      if (!sign && !this.#isOperand(this.#peek())) return left;
      const { value, at } = sign ?? { value: '*', at: this.#peek().at };
      left = createOperation(value === '%' ? 'mod' : value, at, left, this.#readSigned());
    }
  }

  #readSigned(): Term {
    const sign = this.#take('+', '-');
    if (!sign) return this.#readPower();
    const of = this.#readSigned();
    return sign.value === '-' ? { at: sign.at, run: createUnary(negate).run, inputs: [of] } : of;
  }

  #readPower(): Term {
    const left = this.#readSuffixed();
    const sign = this.#take('^', '**');
    return sign ? createOperation('^', sign.at, left, this.#readSigned()) : left;
  }

  #readSuffixed(): Term {
    let of = this.#readPrimary();
    for (;;) {
      const { value, text, at } = this.#peek();
      const suffix = suffixFunctions.get(value);
      if (value !== '' && superscriptDigits.includes(value.charAt(0))) {
        this.#index++;
        const digits = text.replace(/./g, (digit) => String(superscriptDigits.indexOf(digit)));
        of = createOperation('^', at, of, toNumberTerm(at, digits));
      } else if (suffix && !this.#isModulo()) {
        if (value === '!' && this.#tokens[this.#index - 1]?.value === '!') {
          throw new ExpressionError('Unexpected !', at, 'write (3!)! for the factorial of a factorial');
        }
        this.#index++;
        of = { at, run: createUnary(suffix).run, inputs: [of], isPercentage: value === '%' };
      } else return of;
    }
  }

  #readPrimary(): Term {
    const token = this.#peek();
    const { at, value } = token;
    const root = rootFunctions.get(value);
    const constant = calculatorConstants.get(value);
    const called = calculatorFunctions.get(value);
    this.#index++;
    if (token.type === 'number') return toNumberTerm(at, value);
    if (root) return { at, run: createUnary(root).run, inputs: [this.#readPrimary()] };
    if (value === '(') {
      const [inner] = this.#readParenthesis(token, false);
      if (inner) return inner;
    }
    if (constant) return { at, run: () => constant, inputs: [] };
    if (called) return { at, run: called.run, inputs: this.#readArguments(token, called) };
    if (token.type === 'name') {
      if (findUnit(token.text)) throw new ExpressionError(`${token.text} is a unit`, at, unitHint);
      const known = [...calculatorFunctions.keys(), ...calculatorConstants.keys()].join(', ');
      throw new ExpressionError(`Unknown name ${token.text}`, at, `known: ${known}`);
    }
    const before = this.#tokens[this.#index - 2];
    throw new ExpressionError(`Expected a number${before ? ` after ${before.text}` : ''}`, at);
  }

  #readArguments(name: Token, { min, max }: CalculatorFunction): Term[] {
    const open = this.#take('(');
    if (!open) throw new ExpressionError(`Expected ( after ${name.text}`, this.#peek().at);
    const values = this.#readParenthesis(open, true);
    if (values.length >= min && values.length <= max) return values;
    const wanted = max === Infinity ? `at least ${min}` : min === max ? min : `${min} or ${max}`;
    throw new ExpressionError(
      `${name.text} takes ${wanted} number${wanted === 1 ? '' : 's'} and got ${values.length}`,
      name.at,
      'a comma in a function separates its numbers',
    );
  }

  #readParenthesis(open: Token, mayHoldMany: boolean): Term[] {
    if (++this.#depth > maxNestingDepth) {
      throw new ExpressionError(`Parentheses are nested more than ${maxNestingDepth} deep`, open.at);
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

  #isOperand(token: Token | undefined): boolean {
    return token?.type === 'name' || token?.value === '(' || rootFunctions.has(token?.value ?? '');
  }

  #peek(): Token {
    const token = this.#tokens[Math.min(this.#index, this.#tokens.length - 1)];
    if (!token) throw new Error('There is always an end.');
    return token;
  }

  #take<Sign extends string>(...signs: readonly Sign[]): (Token & { value: Sign }) | undefined {
    const token = this.#peek();
    const value = token.type === 'sign' ? signs.find((sign) => sign === token.value) : undefined;
    if (value === undefined) return undefined;
    this.#index++;
    return { ...token, value };
  }
}

interface Token {
  type: 'number' | 'name' | 'sign' | 'end';
  /** Normalised `text`: a number without separators, a lowercase name, or a standard sign. */
  value: string;
  text: string;
  at: number;
}

const numberPattern = /(\d+\.?\d*|\.\d+)(e[+-]?\d+)?/iy;
const groupedNumberPattern = /[1-9]\d{0,2}(,\d{3})+(?![\d,])(\.\d*)?/y;
const wordPattern = /log(10|2)(?=\s*\()|[a-z]+|π|圆周率|乘以|除以|[加减乘的]/iy;
const signPattern = /\*\*|\/\/|[-+*/^()!%°,√∛万亿]|根号|[⁰¹²³⁴⁵⁶⁷⁸⁹]+/y;

/** Other spellings of each sign. All have one character, so positions in error messages stay correct. */
const signBySpelling = invertSpellings({
  '*': ['×', '·', '∙', '⋅', '•', '✕', '✖'],
  '/': ['÷', '∕', '⁄'],
  '-': ['−', '–', '—'],
  '(': ['[', '{', '【'],
  ')': [']', '}', '】'],
});
/** Words that are operators after an operand, where no name can occur. */
const operatorByWord = invertSpellings({
  '*': ['x', 'times', 'of', '乘', '乘以', '的'],
  '/': ['除以'],
  '+': ['plus', '加'],
  '-': ['minus', '减'],
  mod: ['mod'],
});
const nameBySpelling = invertSpellings({
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

/** The last token has the type `end`. Throws an `ExpressionError` at an unknown character. */
function readTokens(expression: string): Token[] {
  const text = normaliseSigns(expression).replace(/[=?\s]+$/, '');
  const tokens: Token[] = [];
  /** For each open parenthesis: true if it contains function arguments. A comma there separates arguments, not thousands. */
  const open: boolean[] = [];
  const skipSpace = (from: number) => from + (matchAt(/\s*/y, text, from)?.length ?? 0);
  let at = skipSpace(0);
  while (at < text.length) {
    const token = readToken(text, at, tokens.at(-1), open.at(-1) ?? false);
    const last = tokens.at(-1);
    if (token.value === '(') open.push(last?.type === 'name' && calculatorFunctions.has(last.value));
    if (token.value === ')') open.pop();
    token.text = expression.slice(at, at + token.text.length);
    tokens.push(token);
    at = skipSpace(at + token.text.length);
  }
  return [...tokens, { type: 'end', value: '', text: 'the end', at }];
}

function readToken(text: string, at: number, last: Token | undefined, isInFunction: boolean): Token {
  const digits =
    (isInFunction ? undefined : matchAt(groupedNumberPattern, text, at)) ?? matchAt(numberPattern, text, at);
  if (digits) return { type: 'number', value: digits.replaceAll(',', ''), text: digits, at };

  const name = matchAt(wordPattern, text, at);
  if (name) {
    const value = name.toLowerCase();
    const meant = canEndOperand(last) ? operatorByWord.get(value) : undefined;
    if (meant) return { type: 'sign', value: meant, text: name, at };
    return { type: 'name', value: nameBySpelling.get(value) ?? value, text: name, at };
  }

  const mark = matchAt(signPattern, text, at);
  if (mark) return { type: 'sign', value: mark, text: mark, at };
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  throw new ExpressionError(
    `Unexpected ${character}`,
    at,
    'only numbers, operators, functions and conversions',
  );
}

/** True if an operand can end with this token. A word after it may then be an operator. */
function canEndOperand(token: Token | undefined): boolean {
  if (token?.type === 'name') return calculatorConstants.has(token.value);
  return token?.type === 'number' || /^[)!%°万亿⁰¹²³⁴⁵⁶⁷⁸⁹]/.test(token?.value ?? '');
}

function normaliseSigns(expression: string): string {
  return expression
    .replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[^\w\s]/g, (character) => signBySpelling.get(character) ?? character);
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function invertSpellings(meanings: Readonly<Record<string, readonly string[]>>): Map<string, string> {
  const entries = Object.entries(meanings);
  return new Map(entries.flatMap(([meaning, words]) => words.map((word) => [word, meaning] as const)));
}

const maxIntegerDigits = 1000;
/** Maximum digits of an exact decimal. We round a longer one and add the exact value in parentheses. */
const maxExactDigits = 20;
const significantDigits = 12;
const minRoundedDecimals = 4;
/** A decimal with this many zeros after the point gets an exponent. */
const maxLeadingZeros = 10;
const maxExactCharacters = 80;

/** Formats as `391`, `0.3`, `42.1648128 km`, `0.333333333333 (exactly 1/3)` or `1.41421356237 (rounded)`. Throws if the result is too long. */
function writeResult(value: Value, unit?: string): string {
  const [number, note] = writeNumber(value);
  const behind = unit === undefined ? '' : ` ${toSingular(unit, number)}`;
  return number + behind + (note === undefined ? '' : ` (${note})`);
}

/** The number, and how exact it is if it is rounded. */
function writeNumber(value: Value): [number: string, note?: string] {
  if (!isExact(value)) return [writeRounded(value), 'rounded'];
  if (value.d === 1n) return [writeInteger(value)];
  const decimal = toDecimal(value);
  if (decimal && decimal.digits.length <= maxExactDigits) return [writeSign(value) + writeDecimal(decimal)];
  const exact = decimal ? writeSign(value) + writeDecimal(decimal) : value.toFraction();
  return [writeRounded(value), exact.length <= maxExactCharacters ? `exactly ${exact}` : 'rounded'];
}

function writeInteger(value: Fraction): string {
  const digits = String(value.n);
  if (digits.length <= maxIntegerDigits) return writeSign(value) + digits;
  const rounded = writeRounded(value);
  throw new ExpressionError(`The result has more than ${maxIntegerDigits} digits; it is about ${rounded}`);
}

/** Returns the digits of a finite decimal. `places`: how many of them are after the point. Undefined if it is not finite. */
function toDecimal(value: Fraction): { digits: string; places: number } | undefined {
  let rest = value.d;
  let twos = 0;
  let fives = 0;
  for (; rest % 2n === 0n; rest /= 2n) twos++;
  for (; rest % 5n === 0n; rest /= 5n) fives++;
  if (rest !== 1n) return undefined;
  const places = Math.max(twos, fives);
  return { digits: String((value.n * 10n ** BigInt(places)) / value.d), places };
}

function writeDecimal({ digits, places }: { digits: string; places: number }): string {
  const zeros = places - digits.length;
  if (zeros >= maxLeadingZeros)
    return `${digits.charAt(0)}.${digits.slice(1)}e-${zeros + 1}`.replace('.e', 'e');
  const padded = digits.padStart(places + 1, '0');
  return `${padded.slice(0, -places)}.${padded.slice(-places)}`;
}

function writeRounded(value: Value): string {
  const real = toReal(value);
  if (real.e > 20 || real.e < -7) return real.toSignificantDigits(significantDigits).toExponential();
  if (real.e < 0) return real.toSignificantDigits(significantDigits).toFixed();
  return real.toDecimalPlaces(Math.max(significantDigits - 1 - real.e, minRoundedDecimals)).toFixed();
}

function writeSign(value: Fraction): string {
  return value.s < 0n ? '-' : '';
}
