/** Indexes the numbers, dates and times in the texts that an answer can rely on. */
import { parseJson } from '../../contracts/schema';
import {
  type DateReading,
  findDates,
  fromDays,
  findPossibleDates,
  findTimes,
  findWeekdays,
} from './dates-in';
import { findNumbers } from './numbers-in';
import { mergeSpans, matchAfterPretest, toPlainCharacters } from './spans';
import { type Unit, findUnitAt } from './units';

export interface DoneCall {
  name: string;
  isDone: boolean;
  isReading?: boolean;
}

export interface Sources {
  question: string;
  near: readonly SourceIndex[];
  /** The question alone, which `near` also contains. */
  asked: SourceIndex;
  far: readonly SourceIndex[];
  calls: readonly DoneCall[];
  earlierCalls: readonly DoneCall[];
}

export interface Mark {
  type: 'number' | 'date' | 'deed';
  text: string;
  start: number;
  end: number;
}

/** Returns the latest date in this chat from a clock tool. */
export function todayOf({ near, far }: Sources): DateReading | undefined {
  return [...near, ...far].findLast(({ today }) => today !== undefined)?.today;
}

export interface Operand {
  value: number;
  unit?: Unit | undefined;
  /** Numbers of one group may be summed. They have the same JSON key or are in the same column. */
  group: string;
  row?: string;
}

export type SourceIndex = ReturnType<typeof indexText>;

const maxOperands = 400;
/** Maximum length in characters of JSON that we parse to count its arrays. */
const maxJsonCharacters = 200_000;

export function indexText(written: string) {
  const text = toPlainCharacters(written);
  const whole = readNumbers(text);
  const { times, codes, shapes } = whole;
  // The comma in `2025-10,3200` may separate cells or belong to a number, so index both readings.
  const rows = separateTableCells(text);
  const cells = rows === undefined ? undefined : readNumbers(rows);
  const values = [...whole.values, ...(cells?.values ?? [])];
  const dates = [...whole.dates, ...(cells?.dates ?? [])];
  const operands = cells && /\p{L},(?! )|,\p{L}/u.test(text) ? cells.operands : whole.operands;
  // Add Chinese numbers that `readNumbers` misses: `7折` is 70 % of the price, and `百公里` is 100 km.
  for (const [, tenths = ''] of text.matchAll(/(?<![\d.])(\d(?:\.\d|\d)?)折/g)) {
    const value = Number(tenths) * (Number(tenths) < 10 ? 10 : 1);
    operands.push({ value, unit: { kind: 'share', factor: 1, name: 'share 1' }, group: 'discount' });
  }
  if (text.includes('百公里')) operands.push({ value: 100, group: 'per' });
  for (const [, whole, more] of text.matchAll(/(?<![\d.])(\d{1,4})\+(\d{1,3})(?![\d.])/g)) {
    values.push(Number(whole) + Number(more));
  }
  // Index `1957–61` as 1961 too, because the second year is in the same century.
  for (const [, century, year] of text.matchAll(/(?<!\d)(1\d|20)\d\d[-–/](\d\d)(?!\d|[-–.]\d)/g)) {
    values.push(Number(`${century}${year}`));
  }
  const stamps = values.flatMap(readTimestamp);
  return {
    text: text.toLowerCase(),
    /** Absolute values of all numbers, in ascending order. */
    values: Float64Array.from(values).sort(),
    operands,
    codes,
    shapes,
    dates: [
      ...[...dates, ...findPossibleDates(text)].flatMap(({ readings }) => readings),
      ...stamps.map(({ date }) => date),
    ],
    times: new Set([...times.flatMap(({ minutes }) => minutes), ...stamps.map(({ minutes }) => minutes)]),
    /** Times in minutes since midnight, for computing durations. Contains both am and pm if the text does not say which. */
    points: minutesOf(times),
    /** Durations in minutes: 251 for `4 h 11 min`. */
    stretches: [...matchAfterPretest(/\d ?[hm个小分]|\d:\d/i, durationPattern, text)].map(
      ([, hours, minutes, whole, seconds, ofClock, toMinutes, toSeconds]) =>
        60 * Number(hours ?? ofClock ?? 0) +
        Number(minutes ?? whole ?? toMinutes) +
        Number(seconds ?? toSeconds ?? 0) / 60,
    ),
    weekdays: weekdaysOf(text),
    counts: countItems(written),
    /** Whether the text says that its numbers are in thousands or millions. */
    isScaled:
      /(?<!\d[\d.,]*[ -]?)(?:\b(?:thousand|million|billion|mn|bn|mio|mrd)s?\b|百万|千万|[万亿](?=[元人吨美])|[_(（][万亿])/i.test(
        text,
      ),
    today: /^\d{4}-\d\d-\d\d \d\d:\d\d (?:\w+day|星期.)$/m.test(text) ? dates[0]?.readings[0] : undefined,
  };
}

function readNumbers(text: string) {
  const dates = findDates(text);
  const times = findTimes(text);
  const sure = times.filter(({ isSure }) => isSure);
  const taken = mergeSpans([...dates, ...sure, ...findWeekdays(text)]);
  const values: number[] = [];
  const operands: Operand[] = [];
  const codes = new Set<string>();
  const shapes = new Set<string>();
  const place = createCellFinder(text);
  for (const one of findNumbers(text, taken, true)) {
    if (one.type === 'code') {
      codes.add(one.key);
      shapes.add(one.shape);
      values.push(...(one.key.match(/\d+/g) ?? []).map(Number));
      continue;
    }
    values.push(...one.readings.map(({ value }) => Math.abs(value)), ...(one.parts ?? []));
    // `101,103,107` may be one number or several cells, so index both readings.
    const written = text.slice(one.start, one.end);
    if (/,.*,/.test(written)) values.push(...written.split(',').map(Number));
    const key = findKeyBefore(text, one.start);
    const unit = one.unit ?? unitOfKey(key);
    const { column, row } = place(one.start);
    const group = key === undefined ? column : `key ${key}`;
    const [reading] = one.readings;
    if (reading && operands.length < maxOperands) operands.push({ value: reading.value, unit, group, row });
  }
  return { values, operands, codes, shapes, dates, times };
}

/** Adds a space after each comma of CSV text, to separate its cells. Undefined if the text is not CSV. */
function separateTableCells(text: string): string | undefined {
  const rows = text.split('\n').filter((line) => /,(?! )/.test(line));
  const cells = rows[0]?.split(',').length;
  if (rows.length < 2 || rows.some((line) => line.includes('"') || line.split(',').length !== cells))
    return undefined;
  return text.replaceAll(/,(?! )/g, ', ');
}

const durationPattern =
  /(?<![\d.])(\d{1,3}) ?(?:h|hrs?|hours?|个?小时)(?:,? (?:and )?| ?)(\d{1,2}) ?(?:m|mins?|minutes?|分钟?)(?![a-z])|(?<![\d.])(\d{1,3}) ?(?:min|minutes?|分钟?) ?(\d{1,2}) ?(?:s|secs?|seconds?|秒)(?![a-z])|(?<![\d:T-]|\d )(\d{1,2}):(\d\d):(\d\d)(?![\d:])/gi;

export function minutesOf(times: readonly { minutes: readonly number[] }[]): number[] {
  const isOfTwentyFour = times.some(({ minutes }) => (minutes[0] ?? 0) >= 780 && minutes.length === 1);
  return [...new Set(times.flatMap(({ minutes }) => (isOfTwentyFour ? minutes.slice(0, 1) : minutes)))];
}

function findKeyBefore(text: string, at: number): string | undefined {
  return /([A-Za-z_]\w{0,40})"\s{0,3}:\s{0,3}"?$/.exec(text.slice(Math.max(0, at - 60), at))?.[1];
}

/** Reads the unit at the end of a key: `temp_c`, `size_kb`, `delayMs`. */
function unitOfKey(key: string | undefined): Unit | undefined {
  const last = key?.split(/_|(?<=[a-z])(?=[A-Z])/).at(-1);
  // `price_per_night` is a price, not a time. A short key alone, such as `min` or `m`, may mean anything.
  if (key !== undefined && /(?:^|_)per_/i.test(key)) return undefined;
  return last === undefined || (last === key && last.length < 5) ? undefined : findUnitAt(last, 0)?.unit;
}

/** Returns a function that finds the row and column of a number. Call that function once per number, in text order. */
function createCellFinder(text: string): (at: number) => { column: string; row: string } {
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

/** Reads a Unix timestamp of this century, in seconds or milliseconds. */
function readTimestamp(value: number): { date: DateReading; minutes: number }[] {
  const seconds = value > 1e12 && value < 4.1e12 ? value / 1000 : value;
  if (!(seconds > 9.4e8 && seconds < 4.1e9)) return [];
  return [{ date: fromDays(Math.floor(seconds / 86_400)), minutes: Math.floor((seconds % 86_400) / 60) }];
}

/** Returns the weekdays in a text, Sunday as 0. A range such as `Monday to Friday` counts as all seven. */
function weekdaysOf(text: string): ReadonlySet<number> {
  const found = findWeekdays(text);
  const isRange = found.some(({ end }, index) => {
    const next = found[index + 1];
    return next && /^\s?(?:[-–—~]|to|through|till|until|至|到)\s?$/.test(text.slice(end, next.start));
  });
  return new Set(isRange ? [0, 1, 2, 3, 4, 5, 6] : found.map(({ weekday }) => weekday));
}

function countItems(text: string): ReadonlySet<number> {
  const lines = text.split('\n').filter((line) => line.trim() !== '').length;
  const entries = text.match(/^\s{0,8}(?:[-*•]|\d{1,4}[.)])\s/gm)?.length ?? 0;
  const counts = new Set([lines, lines - 1, entries]);
  if (/^\s*[[{]/.test(text) && text.length <= maxJsonCharacters) addListLengths(parseJson(text), counts, 0);
  return counts;
}

function addListLengths(value: unknown, counts: Set<number>, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > 20) return;
  if (Array.isArray(value)) counts.add(value.length);
  for (const inner of Object.values(value)) addListLengths(inner, counts, depth + 1);
}

export function hasNumber(all: readonly SourceIndex[], low: number, high = low): boolean {
  return all.some(({ values }) => {
    let from = 0;
    let to = values.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((values[middle] ?? 0) < low) from = middle + 1;
      else to = middle;
    }
    return (values[from] ?? Infinity) <= high;
  });
}
