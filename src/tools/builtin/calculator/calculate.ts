/** Evaluates an arithmetic expression and formats the result for a model. */
import type { Read } from '../../../contracts/schema';
import { ExpressionError } from './expression';
import { parse, type Tree } from './parse';
import { constants, functions, suffixes } from './functions';
import {
  add,
  divide,
  floor,
  isExact,
  modulo,
  multiply,
  negate,
  power,
  readNumber,
  toReal,
  type Value,
} from './numbers';
import type Fraction from 'fraction.js';

/** Returns the formatted result, or an error sentence with the position. Meant for a worker. */
export function calculate(expression: string): Read<string> {
  try {
    return { ok: true, value: writeNumber(evaluate(parse(expression))) };
  } catch (error) {
    if (error instanceof ExpressionError) return { ok: false, reason: error.describe() };
    throw error;
  }
}

const operations: ReadonlyMap<string, (left: Value, right: Value) => Value> = new Map([
  ['+', add],
  ['-', (left, right) => add(left, negate(right))],
  ['*', multiply],
  ['/', divide],
  ['//', (left, right) => floor(divide(left, right))],
  ['mod', modulo],
  ['^', power],
]);

/** Throws an `ExpressionError` with the position of the operation that failed. */
function evaluate(tree: Tree): Value {
  try {
    return compute(tree);
  } catch (error) {
    if (error instanceof ExpressionError) error.at ??= tree.at;
    throw error;
  }
}

function compute(tree: Tree): Value {
  switch (tree.type) {
    case 'number':
      return readNumber(tree.text);
    case 'constant':
      return lookUp(constants, tree.name);
    case 'function':
      return lookUp(functions, tree.name).run(tree.of.map(evaluate));
    case 'suffix':
      return lookUp(suffixes, tree.sign)(evaluate(tree.of));
    case 'negative':
      return negate(evaluate(tree.of));
    case 'operation': {
      const left = evaluate(tree.left);
      const right = evaluate(tree.right);
      const run = lookUp(operations, tree.sign);
      // A percentage after + or - refers to the left side: 80 + 10% is 88.
      const isOfLeft = '+-'.includes(tree.sign) && isPercentage(tree.right) && !isPercentage(tree.left);
      return run(left, isOfLeft ? multiply(left, right) : right);
    }
  }
}

function isPercentage(tree: Tree): boolean {
  if (tree.type === 'suffix') return tree.sign === '%';
  const isSum = tree.type === 'operation' && '+-'.includes(tree.sign);
  return isSum && isPercentage(tree.left) && isPercentage(tree.right);
}

function lookUp<Item>(items: ReadonlyMap<string, Item>, name: string): Item {
  const item = items.get(name);
  if (item === undefined) throw new Error(`The calculator cannot compute "${name}".`);
  return item;
}

/** Maximum digits of a whole result. */
const maxDigits = 1000;
/** Maximum digits of a decimal shown on its own; a longer one is shown rounded first. */
const shortDigits = 20;
const roundedDigits = 12;
const minDecimals = 4;
/** With more zeros after the point, we use an exponent. */
const maxZeros = 10;
/** Maximum characters of the exact value in parentheses. */
const maxExactly = 80;

/** Formats as `391`, `0.3`, `0.333333333333 (exactly 1/3)` or `1.41421356237 (rounded)`; throws if it is too long. */
function writeNumber(value: Value): string {
  if (!isExact(value)) return `${writeRounded(value)} (rounded)`;
  if (value.d === 1n) return writeWhole(value);
  const decimal = toDecimal(value);
  if (decimal && decimal.digits.length <= shortDigits) return signOf(value) + place(decimal);
  const exact = decimal ? signOf(value) + place(decimal) : value.toFraction();
  return `${writeRounded(value)} (${exact.length <= maxExactly ? `exactly ${exact}` : 'rounded'})`;
}

function writeWhole(value: Fraction): string {
  const digits = String(value.n);
  if (digits.length > maxDigits) {
    throw new ExpressionError(
      `The result has more than ${maxDigits} digits; it is about ${writeRounded(value)}`,
    );
  }
  return signOf(value) + digits;
}

interface FiniteDecimal {
  digits: string;
  /** Number of digits after the point. */
  places: number;
}

function toDecimal(value: Fraction): FiniteDecimal | undefined {
  let rest = value.d;
  let twos = 0;
  let fives = 0;
  for (; rest % 2n === 0n; rest /= 2n) twos++;
  for (; rest % 5n === 0n; rest /= 5n) fives++;
  if (rest !== 1n) return undefined;
  const places = Math.max(twos, fives);
  return { digits: String((value.n * 10n ** BigInt(places)) / value.d), places };
}

function place({ digits, places }: FiniteDecimal): string {
  const zeros = places - digits.length;
  if (zeros >= maxZeros) return `${digits.charAt(0)}.${digits.slice(1)}e-${zeros + 1}`.replace('.e', 'e');
  const padded = digits.padStart(places + 1, '0');
  return `${padded.slice(0, -places)}.${padded.slice(-places)}`;
}

function writeRounded(value: Value): string {
  const real = toReal(value);
  if (real.e > 20 || real.e < -7) return real.toSignificantDigits(roundedDigits).toExponential();
  if (real.e < 0) return real.toSignificantDigits(roundedDigits).toFixed();
  return real.toDecimalPlaces(Math.max(roundedDigits - 1 - real.e, minDecimals)).toFixed();
}

function signOf(value: Fraction): string {
  return value.s < 0n ? '-' : '';
}
