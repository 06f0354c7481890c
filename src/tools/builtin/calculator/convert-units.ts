/** Converts between units of one kind, with the exact arithmetic of the calculator. */
import {
  type Conversion,
  findTargets,
  findUnitAtEnd,
  listUnits,
  readQuantities,
  type Unit,
} from '../../../text/units';
import { ExpressionError } from './expression';
import { isNegative, negate, operators, readNumber, toReal, type Value } from './numbers';

interface Converted {
  value: Value;
  /** The label to write behind the value, in Chinese if the conversion names the unit in Chinese. */
  unit: string;
  /** The larger part of a result in two units: `5 ft`. */
  before?: string;
}

/** Throws an `ExpressionError` that says what to write instead. */
export function convertUnits(
  { from, at, to }: Conversion,
  evaluate: (expression: string) => Value,
): Converted {
  const [target, part] = findTargets(to) ?? [];
  const quantities = readQuantities(from);
  const [first] = quantities ?? [];
  if (!target || !quantities || !first) throw createUnitError(from, at, to);
  const other = quantities.find(({ unit }) => unit.kind !== target.kind);
  if (other) {
    const kinds = `${other.name} is a unit of ${other.unit.kind} and ${to} of ${target.kind}`;
    throw new ExpressionError(kinds, undefined, 'convert to a unit of the same kind');
  }
  if (target.kind === 'temperature' && quantities.length > 1) {
    throw new ExpressionError('Two temperatures have no sum', undefined, 'convert one at a time');
  }
  const values = quantities.map(({ value, at: start, name }) => {
    if (value === '') throw new ExpressionError(`Expected a number before ${name}`, at + start);
    try {
      return evaluate(value);
    } catch (error) {
      if (error instanceof ExpressionError && error.position !== undefined) error.position += at + start;
      throw error;
    }
  });
  // The sign of the first number is that of the whole: -5 ft 10 in is -70 in.
  const isBelowZero = values[0] !== undefined && isNegative(values[0]);
  const total = quantities.reduce<Value>((sum, { unit }, index) => {
    const size = toBase(values[index] ?? sum, unit);
    return operators[isBelowZero && index > 0 ? '-' : '+'](sum, size);
  }, readNumber('0'));
  if (part) return splitValue(total, target, part);
  const value = operators['-'](operators['/'](total, readFactor(target)), readNumber(target.offset));
  return { value, unit: labelOf(target, to) };
}

function splitValue(total: Value, large: Unit, small: Unit): Converted {
  const size = isNegative(total) ? negate(total) : total;
  const count = operators['//'](size, readFactor(large));
  const rest = operators['-'](size, operators['*'](count, readFactor(large)));
  const sign = isNegative(total) ? '-' : '';
  const written = toReal(count).toFixed();
  return {
    before: `${sign}${written} ${toSingular(large.label, written)}`,
    value: operators['/'](rest, readFactor(small)),
    unit: small.label,
  };
}

/** `1 day`, but `1 m/s` and `1 ms`. */
export function toSingular(label: string, number: string): string {
  return number === '1' ? label.replace(/(?<=\w{2}[a-z])s$/, '') : label;
}

function toBase(value: Value, unit: Unit): Value {
  return operators['*'](operators['+'](value, readNumber(unit.offset)), readFactor(unit));
}

function readFactor({ factor }: Unit): Value {
  const [above = '1', below = '1'] = factor.split('/');
  return operators['/'](readNumber(above), readNumber(below));
}

/** Countries have different gallons, pints and cups, so the label says which one it is. */
function labelOf({ label }: Unit, written: string): string {
  if (!/^\p{Script=Han}+$/u.test(written)) return label;
  if (label.startsWith('US ') && !written.startsWith('美制')) return `美制${written}`;
  return written;
}

const moneyPattern =
  /(?:[$€£¥₹]|\b(?:usd|eur|gbp|jpy|cny|rmb|dollars?|euros?|yen|yuan|rupees?|francs?|pence|cents?)|[美欧日]元|人民币|英镑|港币|元|块钱?)\s*$/iu;
const unfixedPattern = /(?:\b(?:months?|years?)|个?月|年)\s*$/iu;

function createUnitError(from: string, at: number, to: string): ExpressionError {
  const isSourceKnown = findUnitAtEnd(from) !== undefined;
  const name = isSourceKnown ? to : (/[^\d\s).,%]+\s*$/u.exec(from)?.[0].trim() ?? '');
  if (moneyPattern.test(from) || moneyPattern.test(to) || /^[$€£¥₹]/u.test(from)) {
    return new ExpressionError('Money is not a unit', undefined, 'look up the exchange rate and multiply');
  }
  if (unfixedPattern.test(from) || unfixedPattern.test(to)) {
    return new ExpressionError('Months and years differ in length', undefined, 'write days');
  }
  if (/[\d+*()-]/.test(to) || /^\(/.test(name)) {
    const whole = 'A conversion must be the whole expression';
    return new ExpressionError(whole, undefined, 'such as (3+4) km in mi; calculate further in another call');
  }
  if (name === '') return new ExpressionError('Expected a unit', at + from.length, 'such as 5 km in mi');
  return new ExpressionError(`Unknown unit ${name}`, undefined, `known: ${listUnits()}`);
}
