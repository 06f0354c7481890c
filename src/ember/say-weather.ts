/** The weather as a person is told it, from the lines of its tool: the place, how it is now, then a line a day, today first. */
import type { ReplyLanguage } from '../text/language';

/** Its licence wants it named. */
const source = 'Open-Meteo';

interface Told {
  place: string;
  /** Undefined where the tool does not say. */
  now: string | undefined;
  days: readonly { weekday: string; text: string }[];
}

function read(text: string): Told | undefined {
  const [place = '', ...lines] = text.split('\n');
  const now = lines.map((line) => /^(?:Now|现在): (.+)$/.exec(line)?.[1]).find((said) => said !== undefined);
  const days = lines.flatMap((line) => {
    const [, weekday, said] = /^\d{4}-\d\d-\d\d (\S+): (.+)$/.exec(line) ?? [];
    return weekday === undefined || said === undefined ? [] : [{ weekday, text: said }];
  });
  return place !== '' && days.length > 0 ? { place, now, days } : undefined;
}

/** Words for one day, which day that is, and what it is called. */
const lone: readonly (readonly [RegExp, number, string, string])[] = [
  [/day after tomorrow|(?<!大)后天/i, 2, 'The day after tomorrow', '后天'],
  [/tomorrow|明[天日早晚]|明儿/i, 1, 'Tomorrow', '明天'],
];

/** The whole answer; `asked` may be for one day to come: then only that is told. Undefined for another text. */
export function sayWeather(text: string, asked: string, language: ReplyLanguage): string | undefined {
  const told = read(text);
  if (!told) return undefined;
  const { place, now, days } = told;
  const isChinese = language === 'zh';
  const [, at = 0, english = '', chinese = ''] = lone.find(([words]) => words.test(asked)) ?? [];
  const day = at > 0 ? days[at] : undefined;
  if (day) {
    return isChinese
      ? `${place}，${chinese}（${day.weekday}）：${day.text}（${source}）。`
      : `${place}. ${english}, ${day.weekday}: ${day.text} (${source}).`;
  }
  const colon = isChinese ? '：' : ': ';
  const named = days.map((one, index) => {
    const name = index > 0 ? one.weekday : isChinese ? '今天' : 'Today';
    return `- ${name}${colon}${days.length > 1 ? shorten(one.text) : one.text}`;
  });
  const here = now === undefined ? [] : [`- ${isChinese ? '现在' : 'Now'}${colon}${now}`];
  const from = isChinese ? `（${source}）` : ` (${source})`;
  return [`**${place}**${from}`, '', ...here, ...named].join('\n');
}

/** Of several days the wind and what is hardly likely are left out: the tool's card has all of it. */
function shorten(text: string): string {
  return text
    .split(/(?<=, |，)/)
    .filter((part) => !/^(?:wind|风速) /.test(part) && !/(?:^|\D)1?\d%/.test(part))
    .join('')
    .replace(/[,，] ?$/, '');
}

/** In one line, beside other answers. */
export function sayWeatherShortly(text: string, language: ReplyLanguage): string | undefined {
  const told = read(text);
  return told && `${told.place}${language === 'zh' ? '：' : ': '}${told.now ?? told.days[0]?.text ?? ''}`;
}
