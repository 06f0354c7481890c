import type { Decimal } from 'decimal.js';
import { ExpressionError } from './expression';
import {
  add,
  bounded,
  compare,
  divide,
  floor,
  fromReal,
  isExact,
  isNegative,
  isWhole,
  isZero,
  modulo,
  multiply,
  negate,
  pi,
  power,
  product,
  Real,
  round,
  toReal,
  trustedDigits,
  type Value,
  whole,
} from './numbers';

export interface CalculatorFunction {
  /** Minimum and maximum number of arguments. */
  least: number;
  most: number;
  run: (values: readonly Value[]) => Value;
}

const unary = (run: (value: Value) => Value): CalculatorFunction => ({
  least: 1,
  most: 1,
  run: ([value = whole(0)]) => run(value),
});
const binary = (run: (left: Value, right: Value) => Value): CalculatorFunction => ({
  least: 2,
  most: 2,
  run: ([left = whole(0), right = whole(0)]) => run(left, right),
});
const variadic = (run: (left: Value, right: Value) => Value, least = 1): CalculatorFunction => ({
  least,
  most: Infinity,
  run: (values) => values.reduce(run),
});
const unaryReal = (run: (value: Decimal) => Decimal) => unary((value) => fromReal(run(toReal(value))));

const sum = variadic(add);
const oneHalf = divide(whole(1), whole(2));
const oneDegree = divide(fromReal(pi), whole(180));

/** Rounds results for large angles to the known digits. π is rounded, so sin(π) would otherwise be 10^-60. */
const angleFunction = (run: (angle: Decimal) => Decimal) => (value: Value) => {
  const angle = toAngle(value);
  const isPrecise = isExact(value) || angle.abs().lt(1);
  return fromReal(isPrecise ? run(angle) : run(angle).toDecimalPlaces(trustedDigits));
};
const sine = angleFunction((angle) => angle.sin());
const cosine = angleFunction((angle) => angle.cos());

export const functions: ReadonlyMap<string, CalculatorFunction> = new Map<string, CalculatorFunction>([
  ['abs', unary((value) => value.abs())],
  ['sqrt', unary((value) => power(value, oneHalf))],
  ['cbrt', unary((value) => power(value, divide(whole(1), whole(3))))],
  ['root', binary((value, index) => power(value, divide(whole(1), index)))],
  ['pow', binary(power)],
  [
    'round',
    { least: 1, most: 2, run: ([value = whole(0), places = whole(0)]) => round(value, decimalsOf(places)) },
  ],
  ['floor', unary(floor)],
  ['ceil', unary((value) => negate(floor(negate(value))))],
  ['min', variadic((left, right) => (compare(left, right) <= 0 ? left : right))],
  ['max', variadic((left, right) => (compare(left, right) >= 0 ? left : right))],
  ['sum', sum],
  ['avg', { ...sum, run: (values) => divide(sum.run(values), whole(values.length)) }],
  ['mod', binary(modulo)],
  ['gcd', variadic((left, right) => toWhole(left, 'gcd').gcd(toWhole(right, 'gcd')), 2)],
  ['lcm', variadic((left, right) => bounded(toWhole(left, 'lcm').lcm(toWhole(right, 'lcm'))), 2)],
  ['factorial', unary(factorial)],
  ['comb', binary(combinations)],
  ['perm', binary(arrangements)],
  ['exp', unary((value) => power(fromReal(Real.exp(1)), value))],
  ['ln', unary((value) => logarithm(value))],
  ['log', { least: 1, most: 2, run: ([value = whole(0), base = whole(10)]) => logarithm(value, base) }],
  ['log10', unary((value) => logarithm(value, whole(10)))],
  ['log2', unary((value) => logarithm(value, whole(2)))],
  ['sin', unary(sine)],
  ['cos', unary(cosine)],
  ['tan', unary(tangent)],
  ['asin', unaryReal((value) => value.asin())],
  ['acos', unaryReal((value) => value.acos())],
  ['atan', unaryReal((value) => value.atan())],
]);

export const constants: ReadonlyMap<string, Value> = new Map([
  ['pi', fromReal(pi)],
  ['e', fromReal(Real.exp(1))],
  ['tau', fromReal(pi.times(2))],
]);

export const suffixes: ReadonlyMap<string, (value: Value) => Value> = new Map([
  ['!', factorial],
  ['%', (value: Value) => divide(value, whole(100))],
  ['°', (value: Value) => multiply(value, oneDegree)],
  ['万', (value: Value) => multiply(value, whole(10_000))],
  ['亿', (value: Value) => multiply(value, whole(100_000_000))],
]);

function factorial(value: Value): Value {
  return arrangements(value, value, 'factorial');
}

/** Product of `count` factors: `all` · (`all` − 1) · … */
function arrangements(all: Value, count: Value, name = 'perm'): Value {
  const first = toWhole(all, name).n;
  const length = toWhole(count, name).n;
  if (isNegative(all) || isNegative(count)) throw new ExpressionError(`${name} needs numbers from 0 up`);
  return length > first ? whole(0) : product(downFrom(first, length));
}

function* downFrom(first: bigint, length: bigint): Generator<bigint> {
  for (let factor = first; factor > first - length; factor--) yield factor;
}

function combinations(all: Value, chosen: Value): Value {
  const left = add(all, negate(chosen));
  // Choosing k or leaving out k has the same result; compute with the smaller k.
  const fewer = isNegative(left) || compare(chosen, left) <= 0 ? chosen : left;
  return divide(arrangements(all, fewer, 'comb'), factorial(fewer));
}

function logarithm(value: Value, base?: Value): Value {
  for (const number of [value, base]) {
    if (number && (isNegative(number) || isZero(number))) {
      throw new ExpressionError('A logarithm needs a number above 0');
    }
  }
  if (!base) return fromReal(toReal(value).ln());
  if (compare(base, whole(1)) === 0) throw new ExpressionError('The base of a logarithm cannot be 1');
  return fromReal(toReal(value).log(toReal(base)));
}

function tangent(angle: Value): Value {
  const cos = cosine(angle);
  if (isZero(cos)) throw new ExpressionError('tan has no value here');
  return divide(sine(angle), cos);
}

function toAngle(value: Value): Decimal {
  const angle = toReal(value);
  if (angle.abs().gt(1e15)) throw new ExpressionError('The angle is too large');
  return angle;
}

function decimalsOf(value: Value): number {
  const places = isWhole(value) ? Number(value.s * value.n) : NaN;
  if (places >= 0 && places <= trustedDigits) return places;
  throw new ExpressionError(`round needs a whole number of decimals from 0 to ${trustedDigits}`);
}

function toWhole(value: Value, name: string) {
  if (isWhole(value)) return value;
  throw new ExpressionError(`${name} needs whole numbers`);
}
