/** The clock's first line, `2026-11-21 15:58 Saturday`, as a person says it. */
import type { ReplyLanguage } from '../text/language';

const weekdays = {
  en: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  zh: ['星期日', '星期一', '星期二', '星期三', '星期四', '星期五', '星期六'],
} as const;
const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
/** Words for another day, and how far it is. */
const otherDays: readonly (readonly [RegExp, number, string, string])[] = [
  [/day after tomorrow|后天/i, 2, 'The day after tomorrow is', '后天是'],
  [/day before yesterday|前天/i, -2, 'The day before yesterday was', '前天是'],
  [/tomorrow|明天/i, 1, 'Tomorrow is', '明天是'],
  [/yesterday|昨天/i, -1, 'Yesterday was', '昨天是'],
];

interface Day {
  year: number;
  month: number;
  day: number;
  weekday: number;
}

function read(line: string): (Day & { time: string }) | undefined {
  const [, year = '', month = '', day = '', time = '', weekday = ''] =
    /^(\d{4})-(\d\d)-(\d\d) (\d\d:\d\d) (\w+)$/.exec(line) ?? [];
  const index = weekdays.en.findIndex((name) => name === weekday);
  if (time === '' || index === -1) return undefined;
  return { year: Number(year), month: Number(month), day: Number(day), weekday: index, time };
}

/** `15:58 on Saturday, 21 November 2026`; undefined for another line. */
export function sayTime(line: string, language: ReplyLanguage): string | undefined {
  const now = read(line);
  if (!now) return undefined;
  return language === 'zh'
    ? `${now.time}，${sayDay(now, language)}`
    : `${now.time} on ${sayDay(now, language)}`;
}

/** The whole answer to a question for one time. `asked` may be for another day: then that is named first. */
export function answerTime(
  line: string,
  place: string,
  asked: string,
  language: ReplyLanguage,
): string | undefined {
  const now = read(line);
  const time = sayTime(line, language);
  if (!now || time === undefined) return undefined;
  const other = otherDays.find(([words]) => words.test(asked));
  const isChinese = language === 'zh';
  const here = isChinese
    ? `${place}现在是 ${time}。`
    : `${place === '' ? 'It' : `In ${place} it`} is ${time}.`;
  if (!other) return here;
  const [, days, english, chinese] = other;
  const day = sayDay(shift(now, days), language);
  return isChinese ? `${chinese}${day}。${here}` : `${english} ${day}. ${here}`;
}

function sayDay({ year, month, day, weekday }: Day, language: ReplyLanguage): string {
  return language === 'zh'
    ? `${year}年${month}月${day}日${weekdays.zh[weekday] ?? ''}`
    : `${weekdays.en[weekday] ?? ''}, ${day} ${months[month - 1] ?? ''} ${year}`;
}

/** At most a month away. */
function shift({ year, month, day, weekday }: Day, days: number): Day {
  const moved = { year, month, day: day + days, weekday: (weekday + days + 7) % 7 };
  if (moved.day < 1) {
    moved.month = month === 1 ? 12 : month - 1;
    moved.year = month === 1 ? year - 1 : year;
    moved.day += lengthOf(moved.year, moved.month);
  } else if (moved.day > lengthOf(year, month)) {
    moved.day -= lengthOf(year, month);
    moved.month = month === 12 ? 1 : month + 1;
    moved.year = month === 12 ? year + 1 : year;
  }
  return moved;
}

function lengthOf(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (month === 2) return isLeap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
