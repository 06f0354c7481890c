import {
  type DateReading,
  datesIn,
  type FoundTime,
  fromDays,
  pairsIn,
  timesIn,
  weekdaysIn,
} from './dates-in';
import { numbersIn } from './numbers-in';
import { apartOf, matchesWith, narrow } from './spans';
import { type Unit, unitAt } from './units';

/** PURE: what an answer may rest on, and what has been done for it. */

export interface DoneCall {
  /** Of the tool. */
  name: string;
  /** It was carried out, as far as its result says. */
  isDone: boolean;
  /** The tool says that it changes nothing. Missing where it does not say so. */
  isReading?: boolean;
}

export interface Sources {
  /** What was asked in this turn. */
  question: string;
  /** Of this turn: its question, arguments and results. Small steps of arithmetic go from these. */
  near: readonly SourceIndex[];
  /** Of the question alone, which is among those that are near. */
  asked: SourceIndex;
  /** Everything else that was said before. */
  far: readonly SourceIndex[];
  /** Of this turn. */
  calls: readonly DoneCall[];
  /** Of the turns before. */
  earlierCalls: readonly DoneCall[];
}

export interface Mark {
  type: 'number' | 'date' | 'deed';
  /** As it stands in the answer. */
  text: string;
  start: number;
  end: number;
}

/** Of a chat that told the time: the last word on it. */
export function todayOf({ near, far }: Sources): DateReading | undefined {
  return [...near, ...far].findLast(({ today }) => today !== undefined)?.today;
}

/** PURE: an answer while it is read, with all that its numbers and dates may rest on. */

/** The answer while it is read: its numbers that hold are what the next may follow from. */
export interface Reader {
  /** As `narrow` makes it. */
  text: string;
  sources: Sources;
  all: readonly SourceIndex[];
  /** Of the answer, so far. */
  held: Operand[];
  /** Minutes and days that lie between two times or two dates. */
  spans: {
    minutes: readonly number[];
    days: readonly number[];
    years: readonly number[];
    /** Minutes by which the sources may move a time: `48 min`. */
    moves: readonly number[];
  };
  /** What may be reckoned from: each number once, of this turn and of those before, and what stands together. */
  reckoned: {
    near: readonly Operand[];
    far: readonly Operand[];
    /** How many numbers the texts of this turn tell. */
    count: number;
    lists: readonly (readonly Operand[])[];
  };
  /** Entries of the answer's own lists. */
  ownCounts: ReadonlySet<number>;
}

/** PURE: what of numbers, dates and times stands in a text that answers may rest on. Made once for each text. */

/** A number that something may be worked out from. */
export interface Operand {
  value: number;
  unit?: Unit | undefined;
  /** What stands together, for sums and averages: the same key of JSON, the same place in the lines of a list. */
  group: string;
  /** The line that it stands in, of a text of several. */
  row?: string;
}

export interface SourceIndex {
  /** In small letters. */
  text: string;
  /** Sizes of all numbers, rising. */
  values: Float64Array;
  /** The first of them, as they stand. */
  operands: readonly Operand[];
  codes: ReadonlySet<string>;
  shapes: ReadonlySet<string>;
  dates: readonly DateReading[];
  /** Minutes since midnight. */
  times: ReadonlySet<number>;
  /** The times between which a stretch may be reckoned: of those that leave open which half of the day, one where others tell it. */
  points: readonly number[];
  /** Minutes of what is told in hours and minutes: `4 h 11 min`. */
  stretches: readonly number[];
  weekdays: ReadonlySet<number>;
  /** How many there are of something: lines, entries of lists. */
  counts: ReadonlySet<number>;
  /** It says somewhere that numbers count thousands or millions. */
  isScaled: boolean;
  /** It tells what the date is: the result of a clock, as far as a text shows it. */
  today?: DateReading | undefined;
}

/** Nobody adds up more numbers than these in a sentence. */
const mostOperands = 400;
/** Of JSON whose lists are counted; of a longer one the numbers are enough. Characters. */
const longestJson = 200_000;

export function indexText(written: string): SourceIndex {
  const text = narrow(written);
  const whole = readNumbers(text);
  const { times, codes, shapes } = whole;
  // `2025-10,3200`: a comma may part two cells, or be a part of one number. Both stand there; where commas part words, cells are reckoned with.
  const rows = spreadRows(text);
  const cells = rows === undefined ? undefined : readNumbers(rows);
  const values = [...whole.values, ...(cells?.values ?? [])];
  const dates = [...whole.dates, ...(cells?.dates ?? [])];
  const operands = cells && /\p{L},(?! )|,\p{L}/u.test(text) ? cells.operands : whole.operands;
  // `7折`: 70 % of the price. `百公里`: per hundred.
  for (const [, tenths = ''] of text.matchAll(/(?<![\d.])(\d(?:\.\d|\d)?)折/g)) {
    const value = Number(tenths) * (Number(tenths) < 10 ? 10 : 1);
    operands.push({ value, unit: { kind: 'share', factor: 1, name: 'share 1' }, group: 'discount' });
  }
  if (text.includes('百公里')) operands.push({ value: 100, group: 'per' });
  // `90+3'`: a minute of a match.
  for (const [, whole, more] of text.matchAll(/(?<![\d.])(\d{1,4})\+(\d{1,3})(?![\d.])/g)) {
    values.push(Number(whole) + Number(more));
  }
  // `1957–61`: the second year has the century of the first.
  for (const [, century, year] of text.matchAll(/(?<!\d)(1\d|20)\d\d[-–/](\d\d)(?!\d|[-–.]\d)/g)) {
    values.push(Number(`${century}${year}`));
  }
  const stamps = values.flatMap(readStamp);
  return {
    text: text.toLowerCase(),
    values: Float64Array.from(values).sort(),
    operands,
    codes,
    shapes,
    dates: [
      ...[...dates, ...pairsIn(text)].flatMap(({ readings }) => readings),
      ...stamps.map(({ date }) => date),
    ],
    times: new Set([...times.flatMap(({ minutes }) => minutes), ...stamps.map(({ minutes }) => minutes)]),
    points: pointsOf(times),
    stretches: [...matchesWith(/\d ?[hm个小分]|\d:\d/i, stretch, text)].map(
      ([, hours, minutes, whole, seconds, ofClock, toMinutes, toSeconds]) =>
        60 * Number(hours ?? ofClock ?? 0) +
        Number(minutes ?? whole ?? toMinutes) +
        Number(seconds ?? toSeconds ?? 0) / 60,
    ),
    weekdays: weekdaysOf(text),
    counts: countsOf(written),
    isScaled:
      /(?<!\d[\d.,]*[ -]?)(?:\b(?:thousand|million|billion|mn|bn|mio|mrd)s?\b|百万|千万|[万亿](?=[元人吨美])|[_(（][万亿])/i.test(
        text,
      ),
    today: /^\d{4}-\d\d-\d\d \d\d:\d\d (?:\w+day|星期.)$/m.test(text) ? dates[0]?.readings[0] : undefined,
  };
}

/** The numbers of a text, and what of them stands together. */
function readNumbers(text: string) {
  const dates = datesIn(text);
  const times = timesIn(text);
  // A digit before 点 may count something: it is a number, too.
  const sure = times.filter(({ isSure }) => isSure);
  const taken = apartOf([...dates, ...sure, ...weekdaysIn(text)]);
  const values: number[] = [];
  const operands: Operand[] = [];
  const codes = new Set<string>();
  const shapes = new Set<string>();
  const place = createPlaces(text);
  for (const one of numbersIn(text, taken, true)) {
    if (one.type === 'code') {
      codes.add(one.key);
      shapes.add(one.shape);
      values.push(...(one.key.match(/\d+/g) ?? []).map(Number));
      continue;
    }
    values.push(...one.readings.map(({ value }) => Math.abs(value)), ...(one.parts ?? []));
    // `101,103,107`: a row of a table as well as one number.
    const written = text.slice(one.start, one.end);
    if (/,.*,/.test(written)) values.push(...written.split(',').map(Number));
    const key = keyBefore(text, one.start);
    const unit = one.unit ?? unitOfKey(key);
    const { column, row } = place(one.start);
    const group = key === undefined ? column : `key ${key}`;
    const [reading] = one.readings;
    if (reading && operands.length < mostOperands) operands.push({ value: reading.value, unit, group, row });
  }
  return { values, operands, codes, shapes, dates, times };
}

/** Rows of cells that only a comma parts, with a blank behind each; undefined where a text has none. */
function spreadRows(text: string): string | undefined {
  const rows = text.split('\n').filter((line) => /,(?! )/.test(line));
  const cells = rows[0]?.split(',').length;
  if (rows.length < 2 || rows.some((line) => line.includes('"') || line.split(',').length !== cells))
    return undefined;
  return text.replaceAll(/,(?! )/g, ', ');
}

const stretch =
  /(?<![\d.])(\d{1,3}) ?(?:h|hrs?|hours?|个?小时)(?:,? (?:and )?| ?)(\d{1,2}) ?(?:m|mins?|minutes?|分钟?)(?![a-z])|(?<![\d.])(\d{1,3}) ?(?:min|minutes?|分钟?) ?(\d{1,2}) ?(?:s|secs?|seconds?|秒)(?![a-z])|(?<![\d:T-]|\d )(\d{1,2}):(\d\d):(\d\d)(?![\d:])/gi;

export function pointsOf(times: readonly FoundTime[]): number[] {
  const isOfTwentyFour = times.some(({ minutes }) => (minutes[0] ?? 0) >= 780 && minutes.length === 1);
  return [...new Set(times.flatMap(({ minutes }) => (isOfTwentyFour ? minutes.slice(0, 1) : minutes)))];
}

/** A name of JSON or of a form right before a number. */
function keyBefore(text: string, at: number): string | undefined {
  return /([A-Za-z_]\w{0,40})"\s{0,3}:\s{0,3}"?$/.exec(text.slice(Math.max(0, at - 60), at))?.[1];
}

/** `temp_c`, `size_kb`, `delayMs`. */
function unitOfKey(key: string | undefined): Unit | undefined {
  const last = key?.split(/_|(?<=[a-z])(?=[A-Z])/).at(-1);
  // `price_per_night` is a price. `minutes` alone is a unit, too; `min`, `m` and `c` alone may be anything.
  if (key !== undefined && /(?:^|_)per_/i.test(key)) return undefined;
  return last === undefined || (last === key && last.length < 5) ? undefined : unitAt(last, 0)?.unit;
}

/** Where in its line a number stands, and what kind of line that is: the columns of a table, of a list, of a forecast. */
function createPlaces(text: string): (at: number) => { column: string; row: string } {
  let lineStart = 0;
  let lineEnd = 0;
  let count = 0;
  let kind = '';
  return (at) => {
    while (at >= lineEnd) {
      lineStart = lineEnd;
      const end = text.indexOf('\n', lineStart);
      lineEnd = end < 0 ? text.length + 1 : end + 1;
      count = 0;
      const first = text[lineStart] ?? '';
      kind = /\d/.test(first) ? 'digit' : /\p{L}/u.test(first) ? 'letter' : first;
    }
    count += 1;
    return { column: `${kind} ${count}`, row: `row ${lineStart}` };
  };
}

/** Seconds or milliseconds since 1970, of this century so far. */
function readStamp(value: number): { date: DateReading; minutes: number }[] {
  const seconds = value > 1e12 && value < 4.1e12 ? value / 1000 : value;
  if (!(seconds > 9.4e8 && seconds < 4.1e9)) return [];
  return [{ date: fromDays(Math.floor(seconds / 86_400)), minutes: Math.floor((seconds % 86_400) / 60) }];
}

/** Those that are named. Where some make a range or a week, all of them: `Monday to Friday`, `closed on Mondays`. */
function weekdaysOf(text: string): ReadonlySet<number> {
  const found = weekdaysIn(text);
  const isRange = found.some(({ end }, index) => {
    const next = found[index + 1];
    return (
      next !== undefined && /^\s?(?:[-–—~]|to|through|till|until|至|到)\s?$/.test(text.slice(end, next.start))
    );
  });
  return new Set(isRange ? [0, 1, 2, 3, 4, 5, 6] : found.map(({ weekday }) => weekday));
}

function countsOf(text: string): ReadonlySet<number> {
  const lines = text.split('\n').filter((line) => line.trim() !== '').length;
  const entries = text.match(/^\s{0,8}(?:[-*•]|\d{1,4}[.)])\s/gm)?.length ?? 0;
  const counts = new Set([lines, lines - 1, entries]);
  if (/^\s*[[{]/.test(text) && text.length <= longestJson) {
    try {
      addLengths(JSON.parse(text), counts, 0);
    } catch {
      // Something else that begins with a bracket.
    }
  }
  return counts;
}

function addLengths(value: unknown, counts: Set<number>, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > 20) return;
  if (Array.isArray(value)) counts.add(value.length);
  for (const inner of Object.values(value)) addLengths(inner, counts, depth + 1);
}

/** Whether a size stands in the text from `low` up to `high`, both among them. */
export function hasValue({ values }: SourceIndex, low: number, high: number): boolean {
  let from = 0;
  let to = values.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((values[middle] ?? 0) < low) from = middle + 1;
    else to = middle;
  }
  return (values[from] ?? Infinity) <= high;
}
