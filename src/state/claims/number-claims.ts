/** PURE: whether a number of an answer stands in what it may rest on, or follows from it. */
import { type Rounding, roundingAt } from './cues';
import { hasValue, type Operand, type SourceIndex } from './index-text';
import type { FoundCode, FoundNumber } from './numbers-in';
import type { Reading } from './read-digits';
import type { Reader } from './reader';
import { isReckoned } from './reckon';
import { convert, isConvertible, type Unit, unitsOf } from './units';

/** Numbers that say how long an hour is, and the like. */
const constants =
  /^(?:twelve months|sixty (?:minutes|seconds)|twenty-four hours|24[ -]?(?:hours?|h\b|小时|个小时)|24\/7|60[ -]?(?:minutes?|mins?|seconds?|secs?|分钟|秒)|36[56][ -]?(?:days?|天)|12[ -]?(?:months?|个月)|52[ -]?(?:weeks?|周)|(?:90|180|360)(?:°(?! ?[CF])|[ -]?degrees?(?! [CF])|度)|50\/50|100[ -]?(?:%|percent|per cent)|1000[ -]?(?:m|g|ml|meters|metres|grams|米|克)\b|100[ -]?(?:cm|cents))/i;

/** As people write them without meaning that many: none of these is looked up. */
export function isProse(text: string, { start, end, readings, unit, isDigits }: FoundNumber): boolean {
  const [reading] = readings;
  if (!reading) return true;
  const size = Math.abs(reading.value);
  if (size === 0 || constants.test(text.slice(start, start + 20))) return true;
  // `一百`, `三千`: as often as not only many.
  if (
    !isDigits &&
    (size <= 10 || (!/[十百零〇一二三四五六七八九]{2}/.test(text.slice(start, end)) && size % 100 === 0))
  )
    return true;
  if (size === 100 && unit?.kind === 'share') return true;
  const behind = text.slice(end, end + 12);
  // `4K`, `per 100,000`, `the 1930s`, `20th century`: names and ways to say it.
  if (/^[1-9]\d?K$/.test(text.slice(start, end))) return true;
  if (
    Math.log10(size) % 1 === 0 &&
    /\b(?:per|out of|every)\s$|每$/i.test(text.slice(Math.max(0, start - 8), start))
  )
    return true;
  if (/^'?s\b|^(?:st|nd|rd|th)? centur|^\s?(?:世纪|年代)/i.test(behind)) return true;
  if (/^(?:[\d.]+\s*)?[/]\d/.test(text.slice(end, end + 3)) && size <= 10) return true;
  if (/\d\/$/.test(text.slice(Math.max(0, start - 2), start)) && size <= 100 && unit === undefined)
    return true;
  // `At 4 km/h it takes`: an assumption, told as one.
  if (
    unit?.kind === 'speed' &&
    /(?:^|[.!?\n] ?)At $|按|假设|以$/.test(text.slice(Math.max(0, start - 4), start))
  )
    return true;
  // `× 12 / 52`: how long a year is, within a reckoning.
  const isWithin = /[×x*·/÷]\s*$/.test(text.slice(Math.max(0, start - 2), start));
  if (isWithin && [7, 12, 24, 52, 60, 100, 365, 1000, 3600].includes(size)) return true;
  if (Number.isInteger(reading.value) && size <= 10) return unit === undefined || unit.kind === 'time';
  // `华氏 = 摄氏 × 1.8 + 32`.
  return (size === 32 || size === 1.8) && /°|celsius|fahrenheit|摄氏|华氏/i.test(text);
}

export function holdsCode(code: FoundCode, all: readonly SourceIndex[]): boolean {
  if (all.some(({ codes }) => codes.has(code.key))) return true;
  // A version or a telephone number is of the world; a name with digits is a word, unless others of its kind are there.
  const isPlain = /^[0.]+$/.test(code.shape);
  const digits = code.key.replace(/\D/g, '');
  if (isPlain && /^(?:127\.0\.0\.1|0\.0\.0\.0)$/.test(code.key)) return true;
  if (
    code.value !== undefined &&
    isPlain &&
    all.some((index) => hasValue(index, code.value ?? 0, code.value ?? 0))
  )
    return true;
  const isNear = all.some(({ shapes }) => shapes.has(code.shape));
  if (!isNear && !(isPlain && digits.length >= 3)) return true;
  // A telephone number with the code of its country, or without.
  const tail = digits.slice(-7);
  if (
    isPlain &&
    tail.length === 7 &&
    all.some(({ codes }) => [...codes].some((known) => known.endsWith(tail)))
  )
    return true;
  // `24.11` of `24.11.1`: as much of it as is told.
  return all.some(({ codes }) => [...codes].some((known) => known.startsWith(`${code.key}.`)));
}

export function holdsNumber(number: FoundNumber, reader: Reader): boolean {
  const { text, all } = reader;
  const rounding = roundingAt(text, number.start, number.end);
  const isRounded = rounding.isAbout || rounding.isOver || rounding.isUnder;
  const { unit } = number;
  const written = text.slice(number.start, number.end);
  const { bare } = number;
  if (bare && all.some(({ isScaled }) => isScaled)) {
    const { low, high } = rangeOf(bare, rounding);
    if (all.some((index) => hasValue(index, low, high))) return true;
  }
  if (all.some(({ codes }) => [...codes].some((code) => code.startsWith(`${written}.`)))) return true;
  if (number.parts?.every((part) => part <= 10 || all.some((index) => hasValue(index, part, part))))
    return true;
  return number.readings.some((reading) => {
    const { low, high } = rangeOf(reading, rounding);
    const fits = (size: number) => Math.abs(size) >= low && Math.abs(size) <= high;
    if (all.some((index) => hasValue(index, low, high))) return true;
    if (unit?.kind === 'share' && all.some((index) => hasValue(index, low / 100, high / 100))) return true;
    if (low < 1 && all.some((index) => hasValue(index, low * 100, high * 100))) return true;
    // Cents, as services count them; milliseconds.
    if (
      unit?.kind === 'money' &&
      reading.step === 0.01 &&
      all.some((index) => holdsCents(index, reading.value))
    )
      return true;
    if (
      unit?.factor === 1 &&
      unit.kind === 'time' &&
      all.some((index) => hasValue(index, low * 1000, high * 1000))
    )
      return true;
    if (isYear(reading) && all.some(({ dates }) => dates.some(({ year }) => year === reading.value)))
      return true;
    if (isCounted(reading, reader)) return true;
    if (isConverted(fits, reading.value < 0, number.unit, reader)) return true;
    const whole = wholeBefore(text, number) * 60;
    return (
      isBetween((size) => fits(Math.abs(size) - whole), unit, reader) ||
      isReckoned({ low: low + whole, high: high + whole, unit, isRounded }, number, reader)
    );
  });
}

/** `2 h 12 min` is one stretch of 132: what stands before the minutes, or before the seconds. */
function wholeBefore(text: string, { start, unit }: FoundNumber): number {
  if (unit?.kind !== 'time' || unit.factor > 60) return 0;
  const before = text.slice(Math.max(0, start - 16), start);
  const hours = /(\d{1,3}) ?(?:h|hrs?|hours?|个?小时|个?钟头),? (?:and )?$|(\d{1,3}) ?个?(?:小时|钟头)零?$/i;
  const minutes = /(\d{1,3}) ?(?:m|mins?|minutes?),? (?:and )?$|(\d{1,3}) ?分钟?零?$/i;
  const [, apart, together] = (unit.factor === 60 ? hours : minutes).exec(before) ?? [];
  return Number(apart ?? together ?? 0);
}

const holdsCents = (index: SourceIndex, value: number) => {
  const cents = Math.round(Math.abs(value) * 100);
  return hasValue(index, cents, cents);
};

const isYear = ({ value, step }: Reading) => step === 1 && value >= 1000 && value <= 2999;

/** Relative; for the last bit of a double. */
const tiny = 1e-9;

/** What size a number may stand for: rounded or cut at its last digit, and more freely where it says so. */
function rangeOf({ value, step }: Reading, { isAbout, isOver, isUnder }: Rounding) {
  const size = Math.abs(value);
  const isCut = step !== 1 || !Number.isInteger(value);
  let below = step / 2;
  let above = isCut ? step * 0.999 : step / 2;
  if (isAbout || isOver || isUnder) {
    const round = roundStep(size, step);
    const isRound = size / round < 100 || size % (5 * round) === 0;
    const about = Math.max(Math.min(round / 2, size * 0.1), isRound ? size * 0.05 : 0);
    below = Math.max(below, about);
    above = Math.max(above, about);
    if (isOver) above = Math.max(above, size * 0.1, Math.min(round, size / 2) * 0.999);
    if (isUnder) below = Math.max(below, size * 0.1);
  }
  const slack = size * tiny + Number.EPSILON;
  return { low: size - below - slack, high: size + above + slack };
}

/** What the last digit that is no zero is worth: of `12500`, a hundred. */
function roundStep(size: number, step: number): number {
  let round = step;
  while (size >= round * 10 && Math.abs(size / (round * 10) - Math.round(size / (round * 10))) < tiny)
    round *= 10;
  return round;
}

function isCounted({ value, step }: Reading, { sources, ownCounts }: Reader): boolean {
  return step === 1 && (ownCounts.has(value) || sources.near.some(({ counts }) => counts.has(value)));
}

/** The unit of a source is known, or there are few numbers and the words name another unit of its kind. */
function isConverted(
  fits: (size: number) => boolean,
  isNegative: boolean,
  unit: Unit | undefined,
  reader: Reader,
): boolean {
  if (!unit || !isConvertible(unit)) return false;
  const { all, sources, held, text } = reader;
  const froms = unitsOf(unit.kind).filter(({ name }) => name !== unit.name);
  const isFrom = ({ value, unit: from }: Operand) => {
    const size = from && convert(value, from, unit);
    if (size === undefined || size < 0 !== isNegative) return false;
    // Nobody's oven knows half a degree.
    return (
      fits(size) || (unit.kind === 'temperature' && size > 100 && (fits(size - 0.5) || fits(size + 0.5)))
    );
  };
  if (all.some(({ operands }) => operands.some(isFrom)) || held.some(isFrom)) return true;
  const bare = sources.near.flatMap(({ operands }) =>
    operands.filter((operand) => operand.unit === undefined),
  );
  if (bare.length > 12 || unit.kind === 'time') return false;
  const asked = `${sources.question} ${text.slice(0, 2000)}`;
  if (
    unit.kind === 'temperature' &&
    !/celsius|°\s?C|摄氏|\bC\b/i.test(asked) &&
    /fahrenheit|°\s?F|华氏|\bF\b/i.test(asked)
  )
    return false;
  const isBinary =
    unit.kind === 'data' &&
    bare.some(({ value }) =>
      [1024 ** 2 / 1e6, 1024 ** 3 / 1e9].some((rest) =>
        froms.concat(unit).some(({ factor }) => fits((value * factor) / unit.factor / rest)),
      ),
    );
  if (isBinary) return true;
  return bare.some(({ value }) => froms.some((from) => isFrom({ value, unit: from, group: '' })));
}

const minutesOf: Readonly<Record<number, number>> = { 1: 1 / 60, 60: 1, 3600: 60 };
const daysOf: Readonly<Record<number, number>> = {
  86_400: 1,
  604_800: 7,
  2_629_746: 30.44,
  31_556_952: 365.25,
};

/** A stretch of time between two that are told. */
function isBetween(fits: (size: number) => boolean, unit: Unit | undefined, { spans }: Reader): boolean {
  if (unit?.kind !== 'time') return false;
  const inMinutes = minutesOf[unit.factor];
  if (inMinutes !== undefined) {
    return spans.minutes.some((span) => fits(span / inMinutes));
  }
  const inDays = daysOf[unit.factor];
  if (inDays === undefined) return false;
  if (unit.factor === 31_556_952 && spans.years.some((years) => fits(years))) return true;
  return spans.days.some((days) => {
    if (inDays === 1) return fits(days) || fits(days + 1) || fits(days - 1);
    return fits(days / inDays) || fits(Math.floor(days / inDays)) || fits(Math.round(days / inDays));
  });
}
