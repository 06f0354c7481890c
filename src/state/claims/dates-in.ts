/** Finds dates, weekdays and times of day in text. Reads English, Chinese and some other European formats. */
import { readChinese, readEnglish } from './numbers-in';
import { createNoOverlapTest, sortSpans, matchAfterPretest, type Span, spanOf } from './spans';

export interface DateReading {
  year?: number | undefined;
  month?: number | undefined;
  day?: number | undefined;
}

export interface FoundDate extends Span {
  type: 'date';
  readings: readonly DateReading[];
}

const monthNames: readonly string[] = [
  'january|jan|januar|janvier|enero',
  'february|feb|februar|février|febrero',
  'march|mar|märz|mars|marzo',
  'april|apr|avril|abril',
  'may|mai|mayo',
  'june|jun|juni|juin|junio',
  'july|jul|juli|juillet|julio',
  'august|aug|août|agosto',
  'september|sept|sep|septembre|septiembre',
  'october|oct|oktober|okt|octobre|octubre',
  'november|nov|novembre|noviembre',
  'december|dec|dezember|dez|décembre|diciembre',
];
const months = new Map(
  monthNames.flatMap((names, index) => names.split('|').map((name) => [name, index + 1] as const)),
);
const monthPattern = [...months.keys()].sort((one, other) => other.length - one.length).join('|');
const dayPattern = '(\\d{1,2})(?:st|nd|rd|th)?';
const yearPattern = '(\\d{4})';
const chineseNumeralPattern = '[零〇一二三四五六七八九十\\d]{1,4}';

const monthOf = (name: string) => months.get(name.toLowerCase());
const toFullYear = (text: string) =>
  text.length === 2 ? Number(text) + (Number(text) < 70 ? 2000 : 1900) : Number(text);
const numberOf = (text: string) => (/^\d+$/.test(text) ? Number(text) : readChinese(text));

/** `order` has a letter for each group: `y` year, `Y` year with two or four digits, `m` month, `d` day, `-` anything else. */
function parseDate(order: string, [, ...groups]: readonly (string | undefined)[]): DateReading {
  const reading: DateReading = {};
  Array.from(order).forEach((name, index) => {
    const text = groups[index];
    if (text === undefined) return;
    if (name === 'Y') reading.year = toFullYear(text);
    if (name === 'y') reading.year = numberOf(text);
    if (name === 'm') reading.month = monthOf(text) ?? numberOf(text);
    if (name === 'd') reading.day = numberOf(text);
  });
  return reading;
}

const monthCue =
  /jan|ene|feb|f[eé]v|m[aä]r|a[pbv]r|ma[iy]|ju[nil]|a[uo][gû]|ago|sep|o[ck]t|nov|d[eé][cz]|dic/i;
const digitCue = /\d/;
const chineseCue = /[年月日号]/;

/**
 * Each entry has a cue, a pattern, and the possible orders of its groups. The cue is a short pattern that every match contains. If two
 * matches overlap, we keep that of the earlier entry.
 */
const datePatternTable: readonly [RegExp, string | RegExp, ...orders: string[]][] = [
  [digitCue, /(?<![\d.-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d|[-/.]\d)/, 'y-md'],
  [digitCue, /(?<![\d./-])(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?!\d|[-/.]\d)/, 'd-mY', 'm-dY'],
  [digitCue, /(?<![\d./-])(\d{4})-(0[1-9]|1[0-2])(?![\d-]|[/.]\d)/, 'ym'],
  [
    monthCue,
    `(?<!(?<!\\d)\\d{1,2}(?:st|nd|rd|th)?\\.? )\\b(${monthPattern})\\b\\.?,? (?:the )?${dayPattern}\\b(?!\\s?(?::\\d|am\\b|pm\\b|%|°)|[.,]\\d)(?:,? ${yearPattern}\\b)?`,
    'mdy',
  ],
  [
    monthCue,
    `(?<![\\d.,:])${dayPattern}\\.? ?(?:of )?(${monthPattern})\\b\\.?(?:,? ${yearPattern}\\b)?`,
    'dmy',
  ],
  [monthCue, `\\b(${monthPattern})\\b\\.?,? (?:of )?${yearPattern}\\b`, 'my'],
  [
    chineseCue,
    `(?:(${chineseNumeralPattern})年)?(${chineseNumeralPattern})月(${chineseNumeralPattern})[日号]`,
    'ymd',
  ],
  [chineseCue, `(${chineseNumeralPattern})年(${chineseNumeralPattern})月`, 'ym'],
  [chineseCue, /(?<!\d)(\d{4})年(?!代)/, 'y'],
  [chineseCue, `(?<![月第\\d])(\\d{1,2}|[一二三]?十[一二三四五六七八九]?)[日号](?![线楼院店])`, 'd'],
  [
    /\d(?:st|nd|rd|th)/i,
    /\bthe (\d{1,2})(?:st|nd|rd|th)\b(?!(?:,? (?:and )?\d{1,2}(?:st|nd|rd|th)){0,6} (?:century|place|time|floor|edition|minutes?|centuries))/,
    'd',
  ],
];
const datePatterns = datePatternTable.map(([cue, pattern, ...orders]) => ({
  cue,
  pattern: new RegExp(pattern, 'gi'),
  orders,
}));

/** Matches the first day of a range and the dash, such as `26–` in `26–28 November`. */
const rangeStartPattern = /(?<![\d.,:])(\d{1,2})(?:st|nd|rd|th)?\.? ?(?:[-–—~]|to|and|or|bis|und) ?$/i;
const rangeEndPattern = /^ ?(?:[-–—~]|to|and|or) ?(\d{1,2})(?:st|nd|rd|th)?(?![\d.:%]| ?(?:am|pm|°|%)\b)/i;

export function findDates(text: string): FoundDate[] {
  const found: FoundDate[] = [];
  for (const { cue, pattern, orders } of datePatterns) {
    const isFree = createNoOverlapTest(sortSpans(found));
    for (const match of matchAfterPretest(cue, pattern, text)) {
      const readings = orders.map((order) => parseDate(order, match));
      const date = toDate(match, readings);
      if (isFree(date.start, date.end) && date.readings.length > 0) found.push(date);
    }
  }
  const all = sortSpans(found);
  const isFree = createNoOverlapTest(all);
  const datesBeside = all.flatMap((date) => findOtherDayOfRange(text, date));
  return sortSpans([...all, ...sortSpans(datesBeside).filter(({ start, end }) => isFree(start, end))]);
}

function findOtherDayOfRange(text: string, { start, end, readings }: FoundDate): FoundDate[] {
  const [reading] = readings;
  if (reading?.month === undefined || reading.day === undefined || !/\p{L}/u.test(text.slice(start, end)))
    return [];
  const isDayFirst = /^\d/.test(text.slice(start, end));
  const from = isDayFirst ? Math.max(0, start - 12) : end;
  const match = isDayFirst
    ? rangeStartPattern.exec(text.slice(from, start))
    : rangeEndPattern.exec(text.slice(end, end + 12));
  if (!match) return [];
  const [written, day = ''] = match;
  const own = { ...reading, day: Number(day) };
  const at = from + match.index + written.search(/\d/);
  return isDate(own) ? [{ type: 'date', start: at, end: at + day.length, readings: [own] }] : [];
}

const dayMonthPattern = /(?<![\d/.])(\d{1,2})(?:\/(\d{1,2})(?![\d/]|\.\d)|\.(\d{1,2})\.(?!\d))/g;
const lineStartDatePattern = /^(0[1-9]|1[0-2])-([0-3]\d)(?=[\s,|:]|$)/gm;
const dayAfterWeekdayPattern =
  /\b(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?,? (?:the )?(\d{1,2})(?:st|nd|rd|th)?(?![\d%°]|[:.]\d| ?(?:am|pm|to\b|[-–]))/gi;

const weekdayCue = /sun|mon|tue|wed|thu|fri|sat/i;

/** Finds text such as `11/26`, `24.11.` or `Friday 5`, which may be a date or something else. */
export function findPossibleDates(text: string): FoundDate[] {
  const days = Array.from(matchAfterPretest(weekdayCue, dayAfterWeekdayPattern, text), (match) =>
    toDate(match, [parseDate('d', match)]),
  );
  const lines = Array.from(text.matchAll(lineStartDatePattern), (match) =>
    toDate(match, [parseDate('md', match)]),
  );
  const pairs = Array.from(text.matchAll(dayMonthPattern), (match) => {
    const [one, other] = [Number(match[1]), Number(match[2] ?? match[3])];
    const isDotted = match[3] !== undefined;
    return toDate(match, [{ month: other, day: one }, ...(isDotted ? [] : [{ month: one, day: other }])]);
  });
  return sortSpans([...days, ...lines, ...pairs].filter(({ readings }) => readings.length > 0));
}

function toDate(match: RegExpExecArray, readings: readonly DateReading[]): FoundDate {
  return { type: 'date', ...spanOf(match), readings: readings.filter(isDate) };
}

const monthLengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate({ year: y, month: m, day: d }: DateReading): boolean {
  if (y !== undefined && (y < 1 || y > 2999)) return false;
  if (m !== undefined && (m < 1 || m > 12)) return false;
  return d === undefined || (d >= 1 && d <= (monthLengths[(m ?? 1) - 1] ?? 31));
}

export interface FoundWeekday extends Span {
  type: 'weekday';
  weekday: number;
}

const weekdayNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const englishWeekdayPattern = new RegExp(`\\b(${weekdayNames.join('|')})s?\\b`, 'gi');
const shortWeekdayPattern = /\b(Sun|Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri|Sat)\b(?=[.,:;|/)\s–—-]|$)/g;
const chineseWeekdayPattern = /(?:星期|礼拜|周)([一二三四五六日天])/g;

export function findWeekdays(text: string): FoundWeekday[] {
  const of = (cue: RegExp, pattern: RegExp, read: (name: string) => number) =>
    [...matchAfterPretest(cue, pattern, text)].map((match) => ({
      type: 'weekday' as const,
      ...spanOf(match),
      weekday: read(match[1] ?? ''),
    }));
  return sortSpans([
    ...of(weekdayCue, englishWeekdayPattern, (name) => weekdayNames.indexOf(name.toLowerCase())),
    ...of(weekdayCue, shortWeekdayPattern, (name) =>
      weekdayNames.findIndex((full) => full.startsWith(name.toLowerCase())),
    ),
    ...of(/[期拜周]/, chineseWeekdayPattern, (name) => (name === '天' ? 0 : '日一二三四五六'.indexOf(name))),
  ]);
}

const dayMs = 86_400_000;

/** Returns the number of days since 1970-01-01. Undefined if the date is incomplete. */
export function toDays({ year: y, month: m, day: d }: DateReading): number | undefined {
  if (y === undefined || m === undefined || d === undefined) return undefined;
  return Math.round(Date.UTC(y, m - 1, d) / dayMs);
}

export function fromDays(days: number): { year: number; month: number; day: number } {
  const date = new Date(days * dayMs);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

export function weekdayOf(days: number): number {
  return (((days + 4) % 7) + 7) % 7;
}

export interface FoundTime extends Span {
  type: 'time';
  /** Minutes since midnight. Two values if the time may be am or pm. */
  minutes: readonly number[];
  isSure: boolean;
}

const amOrPm = '(?: ?([ap])\\.? ?m\\b\\.?)';
const clockPattern = new RegExp(
  `(?<![\\d:.])(\\d{1,2})[:h](\\d{2})(?::\\d{2}(?:\\.\\d{1,6})?)?(?!\\d|:\\d)${amOrPm}?`,
  'gi',
);
const dottedTimePattern = new RegExp(`(?<![\\d:.])(\\d{1,2})\\.(\\d{2})(?:${amOrPm}| ?Uhr\\b)`, 'gi');
const hourPattern = new RegExp(`(?<![\\d:.,])(\\d{1,2})(?:${amOrPm}| ?Uhr\\b)`, 'gi');
const rangeStartHourPattern = new RegExp(
  `(?<![\\d:.,])(\\d{1,2}) ?(?:[-–—]|to) ?(?=\\d{1,2}${amOrPm})`,
  'gi',
);
const hourWordPattern = 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve';
const spokenTimePattern = new RegExp(
  `\\b(?:(half past|quarter past|quarter to) (${hourWordPattern}|\\d{1,2})|(${hourWordPattern}|\\d{1,2}) o'clock)\\b`,
  'gi',
);
const chineseClockNumberPattern = '\\d{1,2}|[零〇一二两三四五六七八九十]{1,3}';
const chineseTimePattern = new RegExp(
  `(凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|今晚|明晚|早|晚)?(${chineseClockNumberPattern})(?:点钟?|(?<!小)时(?=\\d))(?:(半|整|一刻|三刻)|(零)?(${chineseClockNumberPattern})(分)?)?`,
  'g',
);

export function findTimes(text: string): FoundTime[] {
  const found: FoundTime[] = [];
  for (const [cue, pattern, read] of timeReaders) {
    const isFree = createNoOverlapTest(sortSpans(found));
    for (const match of matchAfterPretest(cue, pattern, text)) {
      const start = match.index;
      const end = start + match[0].trimEnd().length;
      const time = isFree(start, end) ? read(match) : undefined;
      if (!time || time.minutes.some((minute) => !(minute >= 0 && minute <= 1440))) continue;
      found.push({ type: 'time', start, end, ...time });
    }
  }
  return sortSpans(found);
}

type ReadTime = (match: RegExpExecArray) => Pick<FoundTime, 'minutes' | 'isSure'> | undefined;

const toCertainTime = (minutes: readonly number[]) => ({ minutes, isSure: true });

const hourCue = /[ap]\.? ?m|uhr/i;

const readClock: ReadTime = ({ 1: hour, 2: minute, 3: which }) =>
  Number(minute) < 60 ? toCertainTime(findMinutes(Number(hour), Number(minute), which)) : undefined;

const timeReaders: readonly [RegExp, RegExp, ReadTime][] = [
  [/\d[:h]\d/i, clockPattern, (match) => (Number(match[1]) <= 24 ? readClock(match) : undefined)],
  [hourCue, dottedTimePattern, readClock],
  [hourCue, hourPattern, ({ 1: hour, 2: which }) => toCertainTime(findMinutes(Number(hour), 0, which))],
  [
    hourCue,
    rangeStartHourPattern,
    ({ 1: hour }) => ({ minutes: findMinutes(Number(hour), 0, undefined), isSure: false }),
  ],
  [
    /half past|quarter|o'clock/i,
    spokenTimePattern,
    ({ 1: piece = '', 2: hour, 3: full }) => {
      const offset = { 'half past': 30, 'quarter past': 15, 'quarter to': -15 }[piece.toLowerCase()] ?? 0;
      const whole = findMinutes(readHour(hour ?? full ?? ''), 0, undefined);
      return toCertainTime(whole.map((minutes) => (minutes + offset + 1440) % 1440));
    },
  ],
  [
    /[点时]/,
    chineseTimePattern,
    ({ 0: written, 1: part, 2: hour = '', 3: piece, 4: zero, 5: minute, 6: unit }) => {
      const behind = minutesByWord.get(piece ?? '') ?? readChineseNumber(minute ?? '0');
      if (minute !== undefined && readChineseNumber(minute) < 10 && (zero ?? unit) === undefined)
        return undefined;
      const isSure = (part ?? piece ?? minute) !== undefined || written.includes('钟');
      return { minutes: findChineseMinutes(readChineseNumber(hour), behind, part), isSure };
    },
  ],
];

const minutesByWord = new Map(Object.entries({ 半: 30, 整: 0, 一刻: 15, 三刻: 45 }));

const readChineseNumber = (text: string) => numberOf(text) ?? Number.NaN;
const readHour = (text: string) => (/^\d+$/.test(text) ? Number(text) : (readEnglish(text) ?? Number.NaN));

/** Returns the possible minutes since midnight. `which`: am or pm. Without `which`, both are possible. */
function findMinutes(hour: number, minute: number, which: string | undefined): number[] {
  const at = (hours: number) => hours * 60 + minute;
  if (which !== undefined) return hour > 12 ? [at(hour)] : [at((hour % 12) + (/p/i.test(which) ? 12 : 0))];
  return hour > 12 || hour === 0 ? [at(hour)] : [at(hour), at((hour + 12) % 24)];
}

function findChineseMinutes(hour: number, minute: number, part: string | undefined): number[] {
  const at = (hours: number) => [hours * 60 + minute];
  if (part === undefined || part === '夜里') return findMinutes(hour, minute, undefined);
  if (/下午|傍晚|晚/.test(part)) return at(hour < 12 ? hour + 12 : hour);
  if (part === '中午') return at(hour < 3 ? hour + 12 : hour);
  return at(hour === 12 && part === '凌晨' ? 0 : hour);
}
