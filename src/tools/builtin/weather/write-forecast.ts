/** A forecast in words: the place, how it is now, then a line a day, today first. */
import type { Day, Forecast, Town } from './open-meteo';

export type WeatherLanguage = 'en' | 'zh';

/** Codes of the World Meteorological Organization that Open-Meteo gives: English, Chinese. */
const skies: Readonly<Record<number, readonly [string, string]>> = {
  0: ['clear', '晴'],
  1: ['mostly clear', '大致晴朗'],
  2: ['partly cloudy', '多云'],
  3: ['overcast', '阴'],
  45: ['fog', '雾'],
  48: ['freezing fog', '冻雾'],
  51: ['light drizzle', '小毛毛雨'],
  53: ['drizzle', '毛毛雨'],
  55: ['dense drizzle', '大毛毛雨'],
  56: ['light freezing drizzle', '小冻毛毛雨'],
  57: ['freezing drizzle', '冻毛毛雨'],
  61: ['light rain', '小雨'],
  63: ['rain', '中雨'],
  65: ['heavy rain', '大雨'],
  66: ['light freezing rain', '小冻雨'],
  67: ['freezing rain', '冻雨'],
  71: ['light snow', '小雪'],
  73: ['snow', '中雪'],
  75: ['heavy snow', '大雪'],
  77: ['snow grains', '米雪'],
  80: ['light showers', '小阵雨'],
  81: ['showers', '阵雨'],
  82: ['violent showers', '强阵雨'],
  85: ['light snow showers', '小阵雪'],
  86: ['heavy snow showers', '大阵雪'],
  95: ['thunderstorm', '雷阵雨'],
  96: ['thunderstorm with light hail', '雷阵雨伴小冰雹'],
  99: ['thunderstorm with heavy hail', '雷阵雨伴大冰雹'],
};
const weekdays = {
  en: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  zh: ['星期日', '星期一', '星期二', '星期三', '星期四', '星期五', '星期六'],
} as const;

export function writeForecast(town: Town, { units, now, days }: Forecast, language: WeatherLanguage): string {
  const isChinese = language === 'zh';
  const joint = isChinese ? '，' : ', ';
  const wind = (speed: number) =>
    isChinese ? `风速 ${Math.round(speed)} ${units.speed}` : `wind ${Math.round(speed)} ${units.speed}`;
  const here = [
    ...skyOf(now.code, language),
    ...(now.temperature === null ? [] : [`${Math.round(now.temperature)} ${units.temperature}`]),
    ...(now.wind === null ? [] : [wind(now.wind)]),
  ];
  const lineOf = ({ date, code, low, high, amount, chance, wind: strongest }: Day) => {
    const parts = [
      ...skyOf(code, language),
      ...(low === null || high === null
        ? []
        : [`${Math.round(low)} ${isChinese ? '到' : 'to'} ${Math.round(high)} ${units.temperature}`]),
      ...rainOf(chance, amount, units.amount, isChinese),
      ...(strongest === null ? [] : [wind(strongest)]),
    ];
    return `${date} ${weekdays[language][new Date(`${date}T00:00Z`).getUTCDay()] ?? ''}: ${parts.join(joint)}`;
  };
  return [
    nameOf(town, joint),
    ...(here.length === 0 ? [] : [`${isChinese ? '现在' : 'Now'}: ${here.join(joint)}`]),
    ...days.map(lineOf),
  ].join('\n');
}

function skyOf(code: number | null, language: WeatherLanguage): string[] {
  const sky = code === null ? undefined : skies[code];
  return sky ? [sky[language === 'zh' ? 1 : 0]] : [];
}

function rainOf(chance: number | null, amount: number | null, unit: string, isChinese: boolean): string[] {
  const likely =
    chance === null ? undefined : isChinese ? `降水概率 ${chance}%` : `${chance}% chance of rain`;
  const much = amount === null || amount === 0 ? undefined : `${amount} ${unit}`;
  return [likely, much].filter((part) => part !== undefined);
}

/** `Paris, Île-de-France, France`: which of those of the name it is. */
function nameOf({ name, admin1, country }: Town, joint: string): string {
  return [...new Set([name, admin1, country])]
    .filter((part) => part !== undefined && part !== '')
    .join(joint);
}
