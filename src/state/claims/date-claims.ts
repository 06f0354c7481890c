/** PURE: whether a date, a time or a weekday of an answer stands in what it may rest on, or follows from it. */
import {
  type DateReading,
  type FoundDate,
  type FoundWeekday,
  fromDays,
  pairsIn,
  toDays,
  weekdayOf,
} from './dates-in';
import { roundingAt } from './cues';
import type { SourceIndex } from './index-text';
import type { Reader } from './reader';
import { todayOf } from './sources';
import type { FoundTime } from './times-in';

/** Whether one says no other day than the other, and nothing that the other does not say. */
function isToldBy(date: DateReading, known: DateReading, years: ReadonlySet<number>): boolean {
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

export interface Calendar {
  /** All dates that are known, those that words stand for too. */
  dates: readonly DateReading[];
  /** Those of them that are one day each: no `at the weekend`. */
  exact: readonly DateReading[];
  years: ReadonlySet<number>;
}

/** Of all that the answer may rest on, with what follows from the words of question and answer. */
export function calendarOf(all: readonly SourceIndex[], reader: Pick<Reader, 'text' | 'sources'>): Calendar {
  const words = `${reader.sources.question}\n${reader.text.slice(0, 4000)}`;
  const told = all.flatMap(({ dates }) => dates);
  const named = holidays.flatMap(([pattern, date]) => (pattern.test(words) ? [date] : []));
  const today = todayOf(reader.sources);
  const base = today ?? (told.length <= 6 ? told.find((date) => toDays(date) !== undefined) : undefined);
  const days = base && toDays(base);
  const moved =
    days === undefined
      ? []
      : [...offsetsIn(words, reader.sources.question)].map((offset) => fromDays(days + offset));
  const near =
    days !== undefined && vague.test(words) ? range(0, 13).map((offset) => fromDays(days + offset)) : [];
  const exact = [...told, ...named, ...moved, ...movedDates(all, words)];
  const dates = [...exact, ...near];
  const numbers = all.flatMap(({ values }) =>
    [...values.subarray(0, 20_000)].filter((value) => value >= 1000 && value < 3000),
  );
  const years = new Set([...numbers, ...dates.flatMap(({ year }) => year ?? [])]);
  if (today?.year !== undefined) years.add(today.year + 1);
  return { dates, exact, years };
}

/** Of more days or more stretches nearly any day is reached. */
const mostMoved = 4;

/** `3 nights from the 5th`, `24 months from the day of the bill`, `every two weeks`. */
function movedDates(all: readonly SourceIndex[], words: string): DateReading[] {
  const bases = [...new Set(all.flatMap(({ dates }) => dates.flatMap((date) => toDays(date) ?? [])))];
  const stretches = all.flatMap(({ operands }) => operands.filter(({ unit }) => unit?.kind === 'time'));
  if (bases.length > mostMoved || stretches.length > 2 * mostMoved) return [];
  const times = /next|then|every|each|每|下/i.test(words) ? [-1, 1, 2, 3] : [-1, 1];
  return bases.flatMap((base) =>
    stretches.flatMap(({ value, unit }) =>
      times.map((count) => moveBy(base, value * count, unit?.factor ?? 0)),
    ),
  );
}

/** `factor`: seconds of the unit. */
function moveBy(base: number, count: number, factor: number): DateReading {
  if (factor < 2_000_000) return fromDays(base + Math.floor((count * factor) / 86_400));
  const { year, month, day } = fromDays(base);
  const months = Math.round(year * 12 + month - 1 + count * (factor > 3_000_000 ? 12 : 1));
  return { year: Math.floor(months / 12), month: (months % 12) + 1, day };
}

const shifts: readonly [RegExp, readonly number[]][] = [
  [/\b(?:day after tomorrow)\b|后天/i, [1, 2]],
  [/\btomorrow\b|明[天日早晚]/i, [1]],
  [/\b(?:day before yesterday)\b|前天/i, [-1, -2]],
  [/\byesterday\b|昨[天日晚]/i, [-1]],
  [/\b(?:in (?:a|one) week|a week from|next week|week(?:'s)? time)\b|下周|下星期|一周后/i, [7]],
  [/\b(?:a week ago|last week)\b|上周|上星期|一周前/i, [-7]],
  [/\b(?:fortnight|two weeks|2 weeks)\b|两周/i, [14, -14]],
];
const vague =
  /\b(?:weekend|this week|(?:next|on|this|by) (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|周末|本周|这周|下周/i;
const counted = /(\d{1,4})[ -]?(days?|weeks?|天|日|周|个星期)/gi;

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** By how many days the words move a date. Numbers count only as they were asked: an answer may make up its own. */
function offsetsIn(words: string, question: string): ReadonlySet<number> {
  const offsets = new Set(shifts.flatMap(([pattern, days]) => (pattern.test(words) ? days : [])));
  for (const [, count = '', unit = ''] of question.matchAll(counted)) {
    const days = Number(count) * (/week|周|星期/i.test(unit) ? 7 : 1);
    for (const offset of [days, -days, days - 1]) offsets.add(offset);
  }
  return offsets;
}

/** `11/28` of an answer: a date if one is known that it can be, or if it is too large for a share and days are spoken of. */
export function pairDatesIn(text: string, calendar: Calendar): FoundDate[] {
  const hasDays = calendar.dates.some(({ day }) => day !== undefined);
  return pairsIn(text).filter((date) => {
    const numbers = text.slice(date.start, date.end).match(/\d+/g) ?? [];
    const isLarge =
      hasDays &&
      text[date.end - 1] !== '.' &&
      numbers.length === 2 &&
      numbers.some((part) => Number(part) > 12);
    return isLarge || holdsDate(date, calendar);
  });
}

export function holdsDate({ readings }: FoundDate, { dates, years }: Calendar): boolean {
  return readings.some((date) => {
    if (date.day === undefined && date.month === undefined)
      return date.year !== undefined && years.has(date.year);
    return dates.some((known) => isToldBy(date, known, years));
  });
}

/** One that stands in the sources, or is that of a date there. Where nothing tells of days, none is looked up. */
export function holdsWeekday(
  { weekday }: FoundWeekday,
  all: readonly SourceIndex[],
  { exact }: Calendar,
): boolean {
  const known = new Set(all.flatMap(({ weekdays }) => [...weekdays]));
  for (const date of exact) {
    const days = toDays(date);
    if (days !== undefined) known.add(weekdayOf(days));
  }
  const isVague = exact.some((date) => date.day !== undefined && date.year === undefined);
  return known.size === 0 || isVague || known.has(weekday);
}

const toZone =
  /\b(?:utc|gmt|time ?zone|hours? (?:ahead|behind)|local time|your time|there it is|time difference)\b|时差|时区|当地时间|差(?:几|\d+)个?(?:小时|钟头)/i;

const isPace = /^ ?(?:min)?(?: ?\/ ?| per | an? | each )(?:km|mi\b|mile|kilomet|100 ?m)/i;

export function holdsTime(
  { start, end, minutes }: FoundTime,
  { text, all, sources, spans }: Reader,
): boolean {
  // Minutes and seconds, reckoned in steps that are not gone after.
  if (isPace.test(text.slice(end, end + 16))) return true;
  const { isAbout, isOver, isUnder } = roundingAt(text, start, end);
  const isRounded = isAbout || isOver || isUnder;
  const words = `${sources.question}\n${text.slice(0, 4000)}`;
  const moves = new Set([...movesIn(words), ...withQuarters(spans.moves, words)]);
  return minutes.some((minute) => {
    if (/midnight|午夜/i.test(words) && minute % 1440 === 0) return true;
    if (/\bnoon\b|正午/i.test(words) && minute === 720) return true;
    return all.some(({ times, operands }) => {
      if (times.has(minute) || (minute === 0 && times.has(1440))) return true;
      // `from 4 to 11`: hours without a word.
      const hour = minute / 60;
      if (Number.isInteger(hour) && operands.some(({ value }) => value === hour)) return true;
      return [...times].some((known) => {
        const apart = Math.min(Math.abs(known - minute), 1440 - Math.abs(known - minute));
        if (isRounded && apart <= 7) return true;
        if (toZone.test(words) && known % 30 === minute % 30) return true;
        return moves.has(apart);
      });
    });
  });
}

function withQuarters(moves: readonly number[], words: string): number[] {
  const more = /quarter of an hour|一刻钟/i.test(words) ? [0, 15] : [0];
  return moves.flatMap((move) => more.map((minutes) => move + minutes));
}

const stretch =
  /(\d{1,3})[ -]?(min(?:ute)?s?|h(?:ou)?rs?|hours?|h(?![a-z])|分钟|小时|个小时)|(half an hour|半小时|半个小时)|(an hour|one hour)/gi;

/** By how many minutes the words move a time. */
function movesIn(words: string): ReadonlySet<number> {
  const single = [...words.matchAll(stretch)].map(([, count, unit = '', half]) => {
    if (count === undefined) return half === undefined ? 60 : 30;
    return Number(count) * (/^h|时/i.test(unit) ? 60 : 1);
  });
  return new Set([
    ...single,
    ...single.flatMap((one, index) =>
      single[index + 1] === undefined ? [] : [one + (single[index + 1] ?? 0)],
    ),
  ]);
}
