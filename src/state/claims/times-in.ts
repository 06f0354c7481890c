/** PURE: the times of day of a text, by the clock of twelve or of twenty-four hours. */
import { readChinese, readEnglish } from './number-words';
import { createFree, inOrder, matchesWith, type Span } from './narrow';

export interface FoundTime extends Span {
  type: 'time';
  /** Minutes since midnight: two where nothing says which half of the day is meant. */
  minutes: readonly number[];
  /** Plainly a time: a digit before 点 may count something else. */
  isSure: boolean;
}

const half = '(?: ?([ap])\\.? ?m\\b\\.?)';
const clock = new RegExp(
  `(?<![\\d:.])(\\d{1,2})[:h](\\d{2})(?::\\d{2}(?:\\.\\d{1,6})?)?(?!\\d|:\\d)${half}?`,
  'gi',
);
const dotted = new RegExp(`(?<![\\d:.])(\\d{1,2})\\.(\\d{2})(?:${half}| ?Uhr\\b)`, 'gi');
const hours = new RegExp(`(?<![\\d:.,])(\\d{1,2})(?:${half}| ?Uhr\\b)`, 'gi');
const upTo = new RegExp(`(?<![\\d:.,])(\\d{1,2}) ?(?:[-–—]|to) ?(?=\\d{1,2}${half})`, 'gi');
const words = 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve';
const spoken = new RegExp(
  `\\b(?:(half past|quarter past|quarter to) (${words}|\\d{1,2})|(${words}|\\d{1,2}) o'clock)\\b`,
  'gi',
);
const numeral = '\\d{1,2}|[零〇一二两三四五六七八九十]{1,3}';
const chinese = new RegExp(
  `(凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|今晚|明晚|早|晚)?(${numeral})(?:点钟?|(?<!小)时(?=\\d))(?:(半|整|一刻|三刻)|(零)?(${numeral})(分)?)?`,
  'g',
);

export function timesIn(text: string): FoundTime[] {
  const found: FoundTime[] = [];
  for (const [cue, pattern, read] of readers) {
    const isFree = createFree(inOrder(found));
    for (const match of matchesWith(cue, pattern, text)) {
      const start = match.index;
      const end = start + match[0].trimEnd().length;
      const time = isFree(start, end) ? read(match) : undefined;
      if (!time || time.minutes.some((minute) => !(minute >= 0 && minute <= 1440))) continue;
      found.push({ type: 'time', start, end, ...time });
    }
  }
  return inOrder(found);
}

type Read = (match: RegExpExecArray) => Pick<FoundTime, 'minutes' | 'isSure'> | undefined;

const sure = (minutes: readonly number[]) => ({ minutes, isSure: true });

const halfOrHour = /[ap]\.? ?m|uhr/i;

/** In front of each pattern, what its matches hold. */
const readers: readonly [RegExp, RegExp, Read][] = [
  [
    /\d[:h]\d/i,
    clock,
    ({ 1: hour, 2: minute, 3: which }) =>
      Number(minute) < 60 && Number(hour) <= 24
        ? sure(halves(Number(hour), Number(minute), which))
        : undefined,
  ],
  [
    halfOrHour,
    dotted,
    ({ 1: hour, 2: minute, 3: which }) =>
      Number(minute) < 60 ? sure(halves(Number(hour), Number(minute), which)) : undefined,
  ],
  [halfOrHour, hours, ({ 1: hour, 2: which }) => sure(halves(Number(hour), 0, which))],
  [halfOrHour, upTo, ({ 1: hour }) => ({ minutes: halves(Number(hour), 0, undefined), isSure: false })],
  [
    /half past|quarter|o'clock/i,
    spoken,
    ({ 1: piece = '', 2: hour, 3: full }) => {
      const offset = { 'half past': 30, 'quarter past': 15, 'quarter to': -15 }[piece.toLowerCase()] ?? 0;
      const whole = halves(readHour(hour ?? full ?? ''), 0, undefined);
      return sure(whole.map((minutes) => (minutes + offset + 1440) % 1440));
    },
  ],
  [
    /[点时]/,
    chinese,
    ({ 0: written, 1: part, 2: hour = '', 3: piece, 4: zero, 5: minute, 6: unit }) => {
      const behind = pieces.get(piece ?? '') ?? readHan(minute ?? '0');
      // `三点五`: a number.
      if (minute !== undefined && readHan(minute) < 10 && zero === undefined && unit === undefined)
        return undefined;
      const isSure =
        part !== undefined || piece !== undefined || minute !== undefined || written.includes('钟');
      return { minutes: chineseHalves(readHan(hour), behind, part), isSure };
    },
  ],
];

const pieces = new Map([
  ['半', 30],
  ['整', 0],
  ['一刻', 15],
  ['三刻', 45],
]);

const readHan = (text: string) => (/^\d+$/.test(text) ? Number(text) : (readChinese(text) ?? Number.NaN));
const readHour = (text: string) => (/^\d+$/.test(text) ? Number(text) : (readEnglish(text) ?? Number.NaN));

/** `a` or `p` says which half of the day; without it a small hour may be of both. */
function halves(hour: number, minute: number, which: string | undefined): number[] {
  const at = (hours: number) => hours * 60 + minute;
  if (which !== undefined) return hour > 12 ? [at(hour)] : [at((hour % 12) + (/p/i.test(which) ? 12 : 0))];
  return hour > 12 || hour === 0 ? [at(hour)] : [at(hour), at((hour + 12) % 24)];
}

function chineseHalves(hour: number, minute: number, part: string | undefined): number[] {
  if (part === undefined) return halves(hour, minute, undefined);
  if (/下午|傍晚|晚/.test(part)) return [(hour < 12 ? hour + 12 : hour) * 60 + minute];
  if (/中午/.test(part)) return [(hour < 3 ? hour + 12 : hour) * 60 + minute];
  return /夜里/.test(part)
    ? halves(hour, minute, undefined)
    : [(hour === 12 && /凌晨/.test(part) ? 0 : hour) * 60 + minute];
}
