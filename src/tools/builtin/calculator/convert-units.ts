/** Converts between units of one kind, with the exact arithmetic of the calculator. */
import {
  type Conversion,
  findUnit,
  findUnitAtEnd,
  listUnits,
  readQuantities,
  type Unit,
} from '../../../text/units';
import { ExpressionError } from './expression';
import { isNegative, operators, readNumber, type Value } from './numbers';

/** `unit`: the label to write behind the value, in Chinese if the conversion names the unit in Chinese. */
export function convertUnits(
  { from, at, to }: Conversion,
  evaluate: (expression: string) => Value,
): { value: Value; unit: string } {
  const target = findUnit(to);
  const quantities = readQuantities(from);
  const [first] = quantities ?? [];
  if (!target || !quantities || !first) throw createUnitError(from, at, to);
  const other = quantities.find(({ unit }) => unit.kind !== target.kind);
  if (other) {
    const kinds = `${other.name} is a unit of ${other.unit.kind} and ${to} of ${target.kind}`;
    throw new ExpressionError(kinds, undefined, 'convert to a unit of the same kind');
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
  const value = operators['-'](operators['/'](total, readFactor(target)), readNumber(target.offset));
  return { value, unit: labelOf(target, to) };
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
