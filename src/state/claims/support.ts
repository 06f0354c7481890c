/** Decides whether the sources support a number, code, date, time or weekday in an answer. */
import { type Rounding, findRounding } from './cues';
import {
  type DateReading,
  type FoundDate,
  type FoundTime,
  type FoundWeekday,
  fromDays,
  findPossibleDates,
  toDays,
  weekdayOf,
} from './dates-in';
import type { FoundCode, FoundNumber, Reading } from './numbers-in';
import { isComputable, type Answer } from './reckon';
import { hasNumber, type Operand, type SourceIndex, todayOf } from './sources';
import { convert, isConvertible, type Unit, unitsOf } from './units';

export type Claim = FoundNumber | FoundCode | FoundDate | FoundTime | FoundWeekday;

export function isSupported(claim: Claim, answer: Answer, calendar: Calendar): boolean {
  switch (claim.type) {
    case 'number':
      return needsNoSource(answer.text, claim) || isSupportedNumber(claim, answer);
    case 'code':
      return isKnownCode(claim, answer.all);
    case 'date':
      return isKnownDate(claim, calendar);
    case 'time':
      return isKnownTime(claim, answer);
    case 'weekday':
      return isKnownWeekday(claim, answer, calendar);
  }
}

const knownConstantPattern =
  /^(?:twelve months|sixty (?:minutes|seconds)|twenty-four hours|24[ -]?(?:hours?|h\b|小时|个小时)|24\/7|60[ -]?(?:minutes?|mins?|seconds?|secs?|分钟|秒)|36[56][ -]?(?:days?|天)|12[ -]?(?:months?|个月)|52[ -]?(?:weeks?|周)|(?:90|180|360)(?:°(?! ?[CF])|[ -]?degrees?(?! [CF])|度)|50\/50|100[ -]?(?:%|percent|per cent)|1000[ -]?(?:m|g|ml|meters|metres|grams|米|克)\b|100[ -]?(?:cm|cents))/i;

/** True if a number needs no source, because it is part of a phrase or very common. */
function needsNoSource(text: string, { start, end, readings, unit, isDigits }: FoundNumber): boolean {
  const [reading] = readings;
  if (!reading) return true;
  const size = Math.abs(reading.value);
  const written = text.slice(start, end);
  const before = text.slice(Math.max(0, start - 8), start);
  const behind = text.slice(end, end + 12);
  // Round Chinese numbers such as `一百` often only mean "many".
  const isRound = !/[十百零〇一二三四五六七八九]{2}/.test(written) && size % 100 === 0;
  const isPower = Math.log10(size) % 1 === 0 && /\b(?:per|out of|every)\s$|每$/i.test(before);
  const isNumerator = /^(?:[\d.]+\s*)?[/]\d/.test(behind.slice(0, 3)) && size <= 10;
  const isDenominator = /\d\/$/.test(before) && size <= 100 && unit === undefined;
  const isAssumed = unit?.kind === 'speed' && /(?:^|[.!?\n] ?)At $|按|假设|以$/.test(before.slice(-4));
  const isFactor = /[×x*·/÷]\s*$/.test(before.slice(-2)) && commonFactors.includes(size);
  if (
    size === 0 ||
    (size === 100 && unit?.kind === 'share') ||
    (!isDigits && (size <= 10 || isRound)) ||
    knownConstantPattern.test(text.slice(start, start + 20)) ||
    /^[1-9]\d?K$/.test(written) ||
    /^'?s\b|^(?:st|nd|rd|th)? centur|^\s?(?:世纪|年代)/i.test(behind) ||
    [isPower, isNumerator, isDenominator, isAssumed, isFactor].includes(true)
  )
    return true;
  if (Number.isInteger(reading.value) && size <= 10) return unit === undefined || unit.kind === 'time';
  return (size === 32 || size === 1.8) && /°|celsius|fahrenheit|摄氏|华氏/i.test(text);
}

const commonFactors = [7, 12, 24, 52, 60, 100, 365, 1000, 3600];

const hasMatchingCode = (all: readonly SourceIndex[], isSame: (code: string) => boolean) =>
  all.some(({ codes }) => [...codes].some(isSame));

function isKnownCode({ key, shape, value }: FoundCode, all: readonly SourceIndex[]): boolean {
  if (all.some(({ codes }) => codes.has(key))) return true;
  // Always check versions and phone numbers (only digits and dots). Check a name only if the sources contain a name of the same shape.
  const isPlain = /^[0.]+$/.test(shape);
  const digits = key.replace(/\D/g, '');
  if (isPlain && /^(?:127\.0\.0\.1|0\.0\.0\.0)$/.test(key)) return true;
  if (isPlain && value !== undefined && hasNumber(all, value)) return true;
  const isNear = all.some(({ shapes }) => shapes.has(shape));
  if (!isNear && !(isPlain && digits.length >= 3)) return true;
  const tail = digits.slice(-7);
  if (isPlain && tail.length === 7 && hasMatchingCode(all, (known) => known.endsWith(tail))) return true;
  // The code may be a shortened version: `24.11` for `24.11.1`.
  return hasMatchingCode(all, (known) => known.startsWith(`${key}.`));
}

function isSupportedNumber(number: FoundNumber, answer: Answer): boolean {
  const { text, all } = answer;
  const { start, end, unit, bare, parts } = number;
  const rounding = findRounding(text, start, end);
  if (bare && all.some(({ isScaled }) => isScaled)) {
    const { low, high } = possibleRangeOf(bare, rounding);
    if (hasNumber(all, low, high)) return true;
  }
  if (hasMatchingCode(all, (code) => code.startsWith(`${text.slice(start, end)}.`))) return true;
  if (parts?.every((part) => part <= 10 || hasNumber(all, part))) return true;
  return number.readings.some((reading) => {
    const { low, high } = possibleRangeOf(reading, rounding);
    if (hasNumber(all, low, high) || isKnownYear(all, reading) || isItemCount(reading, answer)) return true;
    const cents = Math.round(Math.abs(reading.value) * 100);
    const isOther =
      (low < 1 && hasNumber(all, low * 100, high * 100)) ||
      (unit?.kind === 'share' && hasNumber(all, low / 100, high / 100)) ||
      (unit?.kind === 'money' && reading.step === 0.01 && hasNumber(all, cents)) ||
      (unit?.kind === 'time' && unit.factor === 1 && hasNumber(all, low * 1000, high * 1000));
    const fits = (size: number) => Math.abs(size) >= low && Math.abs(size) <= high;
    if (isOther || isKnownInOtherUnit(fits, reading.value < 0, unit, answer)) return true;
    const whole = findLargerDurationPart(text, number) * 60;
    const range = { low: low + whole, high: high + whole, unit, isRounded: rounding.isRounded };
    const isElapsed = isTimeGap((size) => fits(Math.abs(size) - whole), unit, answer);
    return isElapsed || isComputable(range, number, answer);
  });
}

/** Returns the larger part of a duration, or 0: 2 (hours) for the `12` in `2 h 12 min`, 3 (minutes) for the `5` in `3 min 5 s`. */
function findLargerDurationPart(text: string, { start, unit }: FoundNumber): number {
  if (unit?.kind !== 'time' || unit.factor > 60) return 0;
  const before = text.slice(Math.max(0, start - 16), start);
  const hours = /(\d{1,3}) ?(?:h|hrs?|hours?|个?小时|个?钟头),? (?:and )?$|(\d{1,3}) ?个?(?:小时|钟头)零?$/i;
  const minutes = /(\d{1,3}) ?(?:m|mins?|minutes?),? (?:and )?$|(\d{1,3}) ?分钟?零?$/i;
  const [, apart, together] = (unit.factor === 60 ? hours : minutes).exec(before) ?? [];
  return Number(apart ?? together ?? 0);
}

function isKnownYear(all: readonly SourceIndex[], { value, step }: Reading): boolean {
  const isYear = step === 1 && value >= 1000 && value <= 2999;
  return isYear && all.some(({ dates }) => dates.some(({ year }) => year === value));
}

const tolerance = 1e-9;

/** Returns the range of values that a number may stand for: rounded or truncated at its last digit, and wider if the text is vague. */
function possibleRangeOf({ value, step }: Reading, { isOver, isUnder, isRounded }: Rounding) {
  const size = Math.abs(value);
  const isCut = step !== 1 || !Number.isInteger(value);
  let below = step / 2;
  let above = isCut ? step * 0.999 : step / 2;
  if (isRounded) {
    const round = placeValueOfLastDigit(size, step);
    const isRound = size / round < 100 || size % (5 * round) === 0;
    const about = Math.max(Math.min(round / 2, size * 0.1), isRound ? size * 0.05 : 0);
    below = Math.max(below, about);
    above = Math.max(above, about);
    if (isOver) above = Math.max(above, size * 0.1, Math.min(round, size / 2) * 0.999);
    if (isUnder) below = Math.max(below, size * 0.1);
  }
  const slack = size * tolerance + Number.EPSILON;
  return { low: size - below - slack, high: size + above + slack };
}

/** Returns the place value of the last digit that is not zero: 100 for `12500`. */
function placeValueOfLastDigit(size: number, step: number): number {
  let round = step;
  while (size >= round * 10 && Math.abs(size / (round * 10) - Math.round(size / (round * 10))) < tolerance)
    round *= 10;
  return round;
}

function isItemCount({ value, step }: Reading, { sources, ownCounts }: Answer): boolean {
  return step === 1 && (ownCounts.has(value) || sources.near.some(({ counts }) => counts.has(value)));
}

/** Whether a source contains the value in another unit. If few numbers in the sources lack a unit, we try all units for them. */
function isKnownInOtherUnit(
  fits: (size: number) => boolean,
  isNegative: boolean,
  unit: Unit | undefined,
  answer: Answer,
): boolean {
  if (!unit || !isConvertible(unit)) return false;
  const { all, sources, supported, text } = answer;
  const froms = unitsOf(unit.kind).filter(({ name }) => name !== unit.name);
  const isFrom = ({ value, unit: from }: Operand) => {
    const size = from && convert(value, from, unit);
    if (size === undefined || size < 0 !== isNegative) return false;
    if (fits(size)) return true;
    // Converted oven temperatures are usually rounded, so accept a difference of half a degree.
    return unit.kind === 'temperature' && size > 100 && (fits(size - 0.5) || fits(size + 0.5));
  };
  if (all.some(({ operands }) => operands.some(isFrom)) || supported.some(isFrom)) return true;
  const bare = sources.near.flatMap(({ operands }) => operands).filter((operand) => !operand.unit);
  if (bare.length > 12 || unit.kind === 'time') return false;
  const asked = `${sources.question} ${text.slice(0, 2000)}`;
  const isInFahrenheit =
    !/celsius|°\s?C|摄氏|\bC\b/i.test(asked) && /fahrenheit|°\s?F|华氏|\bF\b/i.test(asked);
  if (unit.kind === 'temperature' && isInFahrenheit) return false;
  return bare.some(({ value }) => {
    if (froms.some((from) => isFrom({ value, unit: from, group: '' }))) return true;
    const ratios = unit.kind === 'data' ? [1024 ** 2 / 1e6, 1024 ** 3 / 1e9] : [];
    return ratios.some((ratio) =>
      [...froms, unit].some(({ factor }) => fits((value * factor) / unit.factor / ratio)),
    );
  });
}

const minutesPerUnit: Record<number, number> = { 1: 1 / 60, 60: 1, 3600: 60 };
const daysPerUnit: Record<number, number> = { 86_400: 1, 604_800: 7, 2_629_746: 30.44, 31_556_952: 365.25 };

function isTimeGap(fits: (size: number) => boolean, unit: Unit | undefined, { spans }: Answer): boolean {
  if (unit?.kind !== 'time') return false;
  const inMinutes = minutesPerUnit[unit.factor];
  if (inMinutes !== undefined) return spans.minutes.some((span) => fits(span / inMinutes));
  const inDays = daysPerUnit[unit.factor];
  if (inDays === undefined) return false;
  if (unit.factor === 31_556_952 && spans.years.some((years) => fits(years))) return true;
  return spans.days.some((days) => {
    if (inDays === 1) return fits(days) || fits(days + 1) || fits(days - 1);
    return fits(days / inDays) || fits(Math.floor(days / inDays)) || fits(Math.round(days / inDays));
  });
}

function isConsistentDate(date: DateReading, known: DateReading, years: ReadonlySet<number>): boolean {
  if (date.day !== undefined && date.day !== known.day) return false;
  if (date.month !== undefined && date.month !== known.month) return false;
  if (date.year === undefined || date.year === known.year) return true;
  return known.year === undefined && years.has(date.year);
}

const holidays: readonly [RegExp, DateReading][] = [
  [/christmas eve|平安夜/i, { month: 12, day: 24 }],
  [/christmas|xmas|圣诞/i, { month: 12, day: 25 }],
  [/new year'?s eve|silvester|跨年|除夕/i, { month: 12, day: 31 }],
  [/new year|元旦/i, { month: 1, day: 1 }],
  [/halloween|万圣/i, { month: 10, day: 31 }],
  [/valentine|情人节/i, { month: 2, day: 14 }],
  [/independence day|fourth of july/i, { month: 7, day: 4 }],
  [/国庆/, { month: 10, day: 1 }],
  [/劳动节|labou?r day|may day/i, { month: 5, day: 1 }],
];

export type Calendar = ReturnType<typeof createCalendar>;

/** Collects the known dates: those in the sources, and those implied by words in the question or answer. */
export function createCalendar(all: readonly SourceIndex[], answer: Pick<Answer, 'text' | 'sources'>) {
  const words = `${answer.sources.question}\n${answer.text.slice(0, 4000)}`;
  const stated = all.flatMap(({ dates }) => dates);
  const named = holidays.flatMap(([pattern, date]) => (pattern.test(words) ? [date] : []));
  const today = todayOf(answer.sources);
  const base = today ?? (stated.length <= 6 ? stated.find((date) => toDays(date) !== undefined) : undefined);
  const days = base && toDays(base);
  const at = (offset: number) => (days === undefined ? [] : [fromDays(days + offset)]);
  const moved = [...findDayOffsets(words, answer.sources.question)].flatMap(at);
  const near = vagueDates.test(words) ? Array.from({ length: 14 }, (_, offset) => at(offset)).flat() : [];
  const exact = [...stated, ...named, ...moved, ...findShiftedDates(all, words)];
  const dates = [...exact, ...near];
  const numbers = all.flatMap(({ values }) =>
    [...values.subarray(0, 20_000)].filter((value) => value >= 1000 && value < 3000),
  );
  const years = new Set([...numbers, ...dates.flatMap(({ year }) => year ?? [])]);
  if (today?.year !== undefined) years.add(today.year + 1);
  return { dates, exact, years };
}

/** Maximum number of dates to which we add durations. With more dates, the sums reach almost any day. */
const maxShiftedDates = 4;

/** Adds durations in the sources to dates in the sources, as for `3 nights from the 5th` or `every two weeks`. */
function findShiftedDates(all: readonly SourceIndex[], words: string): DateReading[] {
  const bases = [...new Set(all.flatMap(({ dates }) => dates.flatMap((date) => toDays(date) ?? [])))];
  const stretches = all.flatMap(({ operands }) => operands.filter(({ unit }) => unit?.kind === 'time'));
  if (bases.length > maxShiftedDates || stretches.length > 2 * maxShiftedDates) return [];
  const times = /next|then|every|each|每|下/i.test(words) ? [-1, 1, 2, 3] : [-1, 1];
  return bases.flatMap((base) =>
    stretches.flatMap(({ value, unit }) =>
      times.map((count) => shiftDate(base, value * count, unit?.factor ?? 0)),
    ),
  );
}

function shiftDate(base: number, count: number, factor: number): DateReading {
  if (factor < 2_000_000) return fromDays(base + Math.floor((count * factor) / 86_400));
  const { year, month, day } = fromDays(base);
  const months = Math.round(year * 12 + month - 1 + count * (factor > 3_000_000 ? 12 : 1));
  return { year: Math.floor(months / 12), month: (months % 12) + 1, day };
}

const relativeDayOffsets: readonly [RegExp, readonly number[]][] = [
  [/\b(?:day after tomorrow)\b|后天/i, [1, 2]],
  [/\btomorrow\b|明[天日早晚]/i, [1]],
  [/\b(?:day before yesterday)\b|前天/i, [-1, -2]],
  [/\byesterday\b|昨[天日晚]/i, [-1]],
  [/\b(?:in (?:a|one) week|a week from|next week|week(?:'s)? time)\b|下周|下星期|一周后/i, [7]],
  [/\b(?:a week ago|last week)\b|上周|上星期|一周前/i, [-7]],
  [/\b(?:fortnight|two weeks|2 weeks)\b|两周/i, [14, -14]],
];
const vagueDates =
  /\b(?:weekend|this week|(?:next|on|this|by) (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|周末|本周|这周|下周/i;
const dayCountPattern = /(\d{1,4})[ -]?(days?|weeks?|天|日|周|个星期)/gi;

/** Returns the offsets in days that words imply. Numbers of days in the answer do not count, because they may be made up. */
function findDayOffsets(words: string, question: string): ReadonlySet<number> {
  const offsets = new Set(relativeDayOffsets.flatMap(([pattern, days]) => (pattern.test(words) ? days : [])));
  for (const [, count = '', unit = ''] of question.matchAll(dayCountPattern)) {
    const days = Number(count) * (/week|周|星期/i.test(unit) ? 7 : 1);
    for (const offset of [days, -days, days - 1]) offsets.add(offset);
  }
  return offsets;
}

/** Finds pairs such as `11/28` that are surely dates. A pair that may be a fraction is a date only if that date is known. */
export function findConfirmedDates(text: string, calendar: Calendar): FoundDate[] {
  const hasDays = calendar.dates.some(({ day }) => day !== undefined);
  return findPossibleDates(text).filter((date) => {
    const numbers = text.slice(date.start, date.end).match(/\d+/g) ?? [];
    const isLarge = numbers.length === 2 && numbers.some((part) => Number(part) > 12);
    return (hasDays && isLarge && text[date.end - 1] !== '.') || isKnownDate(date, calendar);
  });
}

export function isKnownDate({ readings }: FoundDate, { dates, years }: Calendar): boolean {
  return readings.some((date) => {
    if (date.day === undefined && date.month === undefined)
      return date.year !== undefined && years.has(date.year);
    return dates.some((known) => isConsistentDate(date, known, years));
  });
}

/** Whether a weekday is in the sources or belongs to a known date. True in doubt: if no weekday is known, or a known date has no year. */
function isKnownWeekday({ weekday }: FoundWeekday, { all }: Answer, { exact }: Calendar): boolean {
  const days = exact.flatMap((date) => toDays(date) ?? []);
  const known = new Set([...all.flatMap(({ weekdays }) => [...weekdays]), ...days.map(weekdayOf)]);
  const isVague = exact.some((date) => date.day !== undefined && date.year === undefined);
  return known.size === 0 || isVague || known.has(weekday);
}

const timeZonePattern =
  /\b(?:utc|gmt|time ?zone|hours? (?:ahead|behind)|local time|your time|there it is|time difference)\b|时差|时区|当地时间|差(?:几|\d+)个?(?:小时|钟头)/i;

const pacePattern = /^ ?(?:min)?(?: ?\/ ?| per | an? | each )(?:km|mi\b|mile|kilomet|100 ?m)/i;

function isKnownTime({ start, end, minutes }: FoundTime, { text, all, sources, spans }: Answer): boolean {
  if (pacePattern.test(text.slice(end, end + 16))) return true;
  const { isRounded } = findRounding(text, start, end);
  const words = `${sources.question}\n${text.slice(0, 4000)}`;
  const quarters = /quarter of an hour|一刻钟/i.test(words) ? [0, 15] : [0];
  const shifts = spans.moves.flatMap((move) => quarters.map((quarter) => move + quarter));
  const moves = new Set([...findTimeShifts(words), ...shifts]);
  return minutes.some((minute) => {
    if (/midnight|午夜/i.test(words) && minute % 1440 === 0) return true;
    if (/\bnoon\b|正午/i.test(words) && minute === 720) return true;
    return all.some(({ times, operands }) => {
      if (times.has(minute) || (minute === 0 && times.has(1440))) return true;
      const hour = minute / 60;
      if (Number.isInteger(hour) && operands.some(({ value }) => value === hour)) return true;
      return [...times].some((known) => {
        const apart = Math.min(Math.abs(known - minute), 1440 - Math.abs(known - minute));
        if (isRounded && apart <= 7) return true;
        if (timeZonePattern.test(words) && known % 30 === minute % 30) return true;
        return moves.has(apart);
      });
    });
  });
}

const durationPattern =
  /(\d{1,3})[ -]?(min(?:ute)?s?|h(?:ou)?rs?|hours?|h(?![a-z])|分钟|小时|个小时)|(half an hour|半小时|半个小时)|(an hour|one hour)/gi;

/** Returns the minutes by which words such as `half an hour` shift a time. */
function findTimeShifts(words: string): ReadonlySet<number> {
  const single = [...words.matchAll(durationPattern)].map(([, count, unit = '', half]) => {
    if (count === undefined) return half === undefined ? 60 : 30;
    return Number(count) * (/^h|时/i.test(unit) ? 60 : 1);
  });
  return new Set([...single, ...single.slice(1).map((one, index) => one + (single[index] ?? 0))]);
}
