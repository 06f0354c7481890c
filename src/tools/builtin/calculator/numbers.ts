/** Exact arithmetic with big fractions. Only irrational values such as √2 are decimals (60 digits). Refuses results that are too long. */
import { Decimal } from 'decimal.js';
import Fraction from 'fraction.js';
import { ExpressionError } from './expression';

/** A `Fraction` is exact. A `Decimal` is rounded, and correct to `trustedDigits` digits. */
export type Value = Fraction | Decimal;

const precisionDigits = 60;
/** Ten digits less than `precision`, because rounding errors accumulate in the last digits. */
const trustedDigits = 50;
const maxDigits = 10_000;
const maxIntegerBits = maxDigits * Math.log2(10);

const RealNumber = Decimal.clone({ precision: precisionDigits, maxE: maxDigits, minE: -maxDigits });
const pi = RealNumber.acos(-1);

function toFraction(value: number | bigint): Fraction {
  return new Fraction(value, 1);
}

export function toReal(value: Value): Decimal {
  if (value instanceof Decimal) return value;
  return new RealNumber(String(value.s * value.n)).div(new RealNumber(String(value.d)));
}

/** Turns a decimal very close to a short number into that number: (√2)² becomes 2, not 1.99…98. */
function toValue(value: Decimal): Value {
  if (value.isNaN()) throw new ExpressionError('The result is not a real number');
  if (!value.isFinite()) throw createTooLongError();
  const trusted = value.toSignificantDigits(trustedDigits);
  return trusted.precision() <= trustedDigits - 20 ? readNumber(trusted.toFixed()) : value;
}

export function readNumber(text: string): Fraction {
  const [digits = '', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '', decimals = ''] = digits.split('.');
  const shift = Number(exponent) - decimals.length;
  if (Math.abs(shift) > maxDigits) throw createTooLongError();
  const power = 10n ** BigInt(Math.abs(shift));
  const value = BigInt(whole + decimals);
  return shift < 0 ? new Fraction(value, power) : toFraction(value * power);
}

function add(left: Value, right: Value): Value {
  if (isExact(left) && isExact(right)) return checkSize(left.add(right));
  const [a, b] = [toReal(left), toReal(right)];
  const sum = a.plus(b);
  const isNothing = sum.abs().lt(RealNumber.max(a.abs(), b.abs()).times(`1e-${trustedDigits}`));
  return isNothing ? toFraction(0) : toValue(sum);
}

export function negate(value: Value): Value {
  return value.neg();
}

export function multiply(left: Value, right: Value): Value {
  if (isExact(left) && isExact(right)) return checkSize(left.mul(right));
  return checkUnderflow(toValue(toReal(left).times(toReal(right))), isZero(left) || isZero(right));
}

function divide(left: Value, right: Value): Value {
  if (isZero(right)) throw new ExpressionError('Division by zero');
  if (isExact(left) && isExact(right)) return checkSize(left.div(right));
  return checkUnderflow(toValue(toReal(left).div(toReal(right))), isZero(left));
}

/** The remainder has the sign of `right`. */
function modulo(left: Value, right: Value): Value {
  return add(left, negate(multiply(right, floor(divide(left, right)))));
}

/** Exact if the result is a fraction: 8^(2/3) is 4. An odd root of a negative number is negative. */
function power(base: Value, exponent: Value): Value {
  if (isZero(exponent)) return toFraction(1);
  if (isZero(base)) {
    if (isNegative(exponent)) throw new ExpressionError('Division by zero');
    return base;
  }
  const root = isExact(base) && isExact(exponent) && exactRoot(base, exponent.d);
  if (root) return integerPower(root, exponent.s * exponent.n);
  if (isNegative(base)) {
    if (!isExact(exponent) || exponent.d % 2n === 0n) {
      throw new ExpressionError('This root or power of a negative number is not real');
    }
    const size = power(base.neg(), exponent);
    return exponent.n % 2n === 1n ? negate(size) : size;
  }
  return checkUnderflow(toValue(toReal(base).pow(toReal(exponent))), false);
}

function integerPower(base: Fraction, exponent: bigint): Value {
  if (base.n === 1n && base.d === 1n) return exponent % 2n === 0n ? toFraction(1) : base;
  const size = exponent < 0n ? -exponent : exponent;
  if (Math.max(log2(base.n), log2(base.d)) * Number(size) > maxIntegerBits) throw createTooLongError();
  return checkSize(base.pow(exponent));
}

function exactRoot(value: Fraction, degree: bigint): Fraction | undefined {
  if (degree === 1n) return value;
  if (isNegative(value) && degree % 2n === 0n) return undefined;
  const top = integerRoot(value.n, degree);
  const bottom = integerRoot(value.d, degree);
  return top === undefined || bottom === undefined ? undefined : new Fraction(value.s * top, bottom);
}

/** Newton's method from above. Returns undefined unless the root is an integer. */
function integerRoot(value: bigint, degree: bigint): bigint | undefined {
  if (value < 2n) return value;
  const length = Math.floor(log2(value)) + 1;
  if (degree > length) return undefined;
  let root = 1n << BigInt(Math.ceil(length / Number(degree)));
  for (;;) {
    const next = ((degree - 1n) * root + value / root ** (degree - 1n)) / degree;
    if (next >= root) break;
    root = next;
  }
  return root ** degree === value ? root : undefined;
}

function floor(value: Value): Value {
  return isExact(value) ? value.floor() : readNumber(checkTrustedDigits(value.floor(), 0).toFixed());
}

/** Rounds to `places` decimals, halves away from zero. */
function roundTo(value: Value, places: number): Value {
  if (isExact(value)) return value.abs().round(places).mul(value.s);
  const rounded = value.toDecimalPlaces(places, Decimal.ROUND_HALF_UP);
  return readNumber(checkTrustedDigits(rounded, places).toFixed());
}

/** Throws if rounding keeps digits beyond the trusted ones. */
function checkTrustedDigits(value: Decimal, places: number): Decimal {
  if (value.e + places >= trustedDigits) {
    throw new ExpressionError(`The number is known to ${trustedDigits} digits only`);
  }
  return value;
}

function compare(left: Value, right: Value): number {
  return isExact(left) && isExact(right) ? left.compare(right) : toReal(left).comparedTo(toReal(right));
}

export function isExact(value: Value): value is Fraction {
  return value instanceof Fraction;
}

function isInteger(value: Value): value is Fraction {
  return isExact(value) && value.d === 1n;
}

function isZero(value: Value): boolean {
  return isExact(value) ? value.n === 0n : value.isZero();
}

export function isNegative(value: Value): boolean {
  return isExact(value) ? value.s < 0n && value.n > 0n : value.isNegative();
}

function createTooLongError(): ExpressionError {
  return new ExpressionError(`The result of this step has more than ${maxDigits} digits`);
}

function checkSize(value: Fraction): Fraction {
  if (Math.max(log2(value.n), log2(value.d)) > maxIntegerBits) throw createTooLongError();
  return value;
}

function checkUnderflow(value: Value, mayBeZero: boolean): Value {
  if (!isZero(value) || mayBeZero) return value;
  throw new ExpressionError(`The result of this step is closer to 0 than 1e-${maxDigits}`);
}

function log2(value: bigint): number {
  const digits = value.toString(16);
  const first = digits.slice(0, 12);
  return Math.log2(parseInt(first, 16)) + 4 * (digits.length - first.length);
}

export interface CalculatorFunction {
  min: number;
  max: number;
  run: (values: readonly Value[]) => Value;
}

const zero = toFraction(0);
export const createUnary = (run: (value: Value) => Value): CalculatorFunction => ({
  min: 1,
  max: 1,
  run: ([value = zero]) => run(value),
});
export const createBinary = (run: (left: Value, right: Value) => Value): CalculatorFunction => ({
  min: 2,
  max: 2,
  run: ([left = zero, right = zero]) => run(left, right),
});
const createVariadic = (run: (left: Value, right: Value) => Value, least = 1): CalculatorFunction => ({
  min: least,
  max: Infinity,
  run: (values) => values.reduce(run),
});
const createUnaryReal = (run: (value: Decimal) => Decimal) =>
  createUnary((value) => toValue(run(toReal(value))));

const sumFunction = createVariadic(add);
const radiansPerDegree = divide(toValue(pi), toFraction(180));

/** For inexact angles of 1 or more, rounds the result to the trusted digits. π is rounded, so sin(π) would otherwise be 10^-60. */
const createAngleFunction = (run: (angle: Decimal) => Decimal) => (value: Value) => {
  const angle = toReal(value);
  if (angle.abs().gt(1e15)) throw new ExpressionError('The angle is too large');
  const isPrecise = isExact(value) || angle.abs().lt(1);
  return toValue(isPrecise ? run(angle) : run(angle).toDecimalPlaces(trustedDigits));
};
const sine = createAngleFunction((angle) => angle.sin());
const cosine = createAngleFunction((angle) => angle.cos());

export const calculatorFunctions: ReadonlyMap<string, CalculatorFunction> = new Map([
  ['abs', createUnary((value) => value.abs())],
  ['sqrt', createUnary(squareRoot)],
  ['cbrt', createUnary(cubeRoot)],
  ['root', createBinary(root)],
  ['pow', createBinary(power)],
  [
    'round',
    { min: 1, max: 2, run: ([value = zero, places = zero]) => roundTo(value, readDecimalPlaces(places)) },
  ],
  ['floor', createUnary(floor)],
  ['ceil', createUnary((value) => negate(floor(negate(value))))],
  ['min', createVariadic((left, right) => (compare(left, right) <= 0 ? left : right))],
  ['max', createVariadic((left, right) => (compare(left, right) >= 0 ? left : right))],
  ['sum', sumFunction],
  ['avg', { ...sumFunction, run: (values) => divide(sumFunction.run(values), toFraction(values.length)) }],
  ['mod', createBinary(modulo)],
  ['gcd', createVariadic((left, right) => toInteger(left, 'gcd').gcd(toInteger(right, 'gcd')), 2)],
  ['lcm', createVariadic((left, right) => checkSize(toInteger(left, 'lcm').lcm(toInteger(right, 'lcm'))), 2)],
  ['factorial', createUnary(factorial)],
  ['comb', createBinary(countCombinations)],
  ['perm', createBinary(countArrangements)],
  ['exp', createUnary((value) => power(toValue(RealNumber.exp(1)), value))],
  ['ln', createUnary((value) => logarithm(value))],
  ['log', { min: 1, max: 2, run: ([value = zero, base = toFraction(10)]) => logarithm(value, base) }],
  ['log10', createUnary((value) => logarithm(value, toFraction(10)))],
  ['log2', createUnary((value) => logarithm(value, toFraction(2)))],
  ['sin', createUnary(sine)],
  ['cos', createUnary(cosine)],
  ['tan', createUnary(tangent)],
  ['asin', createUnaryReal((value) => value.asin())],
  ['acos', createUnaryReal((value) => value.acos())],
  ['atan', createUnaryReal((value) => value.atan())],
]);

export const operators = {
  '+': add,
  '-': (left: Value, right: Value) => add(left, negate(right)),
  '*': multiply,
  '/': divide,
  '//': (left: Value, right: Value) => floor(divide(left, right)),
  mod: modulo,
  '^': power,
};

export const rootFunctions = new Map([
  ['√', squareRoot],
  ['根号', squareRoot],
  ['∛', cubeRoot],
]);

export const calculatorConstants: ReadonlyMap<string, Value> = new Map([
  ['pi', toValue(pi)],
  ['e', toValue(RealNumber.exp(1))],
  ['tau', toValue(pi.times(2))],
]);

export const suffixFunctions: ReadonlyMap<string, (value: Value) => Value> = new Map([
  ['!', factorial],
  ['%', (value: Value) => divide(value, toFraction(100))],
  ['°', (value: Value) => multiply(value, radiansPerDegree)],
  ['万', (value: Value) => multiply(value, toFraction(10_000))],
  ['亿', (value: Value) => multiply(value, toFraction(100_000_000))],
]);

function root(value: Value, index: Value): Value {
  return power(value, divide(toFraction(1), index));
}

function squareRoot(value: Value): Value {
  return root(value, toFraction(2));
}

function cubeRoot(value: Value): Value {
  return root(value, toFraction(3));
}

function factorial(value: Value): Value {
  return countArrangements(value, value, 'factorial');
}

/** Returns the number of ways to choose and order `count` of `total` items: 5 · 4 · 3 for 3 of 5. */
function countArrangements(total: Value, count: Value, name = 'perm'): Value {
  const first = toInteger(total, name).n;
  const length = toInteger(count, name).n;
  if (isNegative(total) || isNegative(count)) throw new ExpressionError(`${name} needs numbers from 0 up`);
  if (length > first) return zero;
  let product = 1n;
  let bits = 0;
  for (let factor = first; factor > first - length; factor--) {
    bits += log2(factor);
    if (bits > maxIntegerBits) throw createTooLongError();
    product *= factor;
  }
  return toFraction(product);
}

function countCombinations(total: Value, chosen: Value): Value {
  const left = add(total, negate(chosen));
  // Choosing k items gives the same result as omitting k. Compute with the smaller number.
  const fewer = isNegative(left) || compare(chosen, left) <= 0 ? chosen : left;
  return divide(countArrangements(total, fewer, 'comb'), factorial(fewer));
}

function logarithm(value: Value, base?: Value): Value {
  for (const number of [value, base]) {
    if (number && (isNegative(number) || isZero(number))) {
      throw new ExpressionError('A logarithm needs a number above 0');
    }
  }
  if (!base) return toValue(toReal(value).ln());
  if (compare(base, toFraction(1)) === 0) throw new ExpressionError('The base of a logarithm cannot be 1');
  return toValue(toReal(value).log(toReal(base)));
}

function tangent(angle: Value): Value {
  const cos = cosine(angle);
  if (isZero(cos)) throw new ExpressionError('tan has no value here');
  return divide(sine(angle), cos);
}

function readDecimalPlaces(value: Value): number {
  const places = isInteger(value) ? Number(value.s * value.n) : NaN;
  if (places >= 0 && places <= trustedDigits) return places;
  throw new ExpressionError(`round needs a whole number of decimals from 0 to ${trustedDigits}`);
}

function toInteger(value: Value, name: string) {
  if (isInteger(value)) return value;
  throw new ExpressionError(`${name} needs whole numbers`);
}
