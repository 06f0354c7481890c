/** The weather tool. API: open-meteo.com/en/docs and open-meteo.com/en/docs/geocoding-api. */
import type { Egress } from '../../contracts/egress';
import { parseJson, read, z } from '../../contracts/schema';
import type { Tool, ToolContext } from '../../contracts/tool';
import { defineTool } from '../define-tool';
import { ToolError } from '../../contracts/tool-failure';
import { explainStatus, sendWithRetries } from '../http';

export interface WeatherOptions {
  egress: Egress;
  /** BCP 47 tag of the app's language. */
  language: () => string;
}

const maxDays = 7;

export function createWeatherTool({ egress, language }: WeatherOptions): Tool {
  return defineTool({
    name: 'weather',
    title: 'Weather',
    description: 'The weather in a place: today first, up to seven days.',
    keywords: {
      en: "rain, raining, umbrella, snow, sunny, wind, storm, temperature, degrees, hot, cold, forecast, outside, what's it like outside, coat".split(
        ', ',
      ),
      zh: ['天气', '下雨', '带伞', '下雪', '气温', '几度', '冷', '热', '预报', '外面', '刮风'],
    },
    input: z.strictObject({
      place: z
        .string()
        .check(z.trim(), z.minLength(1), z.maxLength(100), z.describe('A town; after a comma its country')),
      days: z.optional(z.int().check(z.minimum(1), z.maximum(maxDays))),
    }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
    examples: [
      { request: 'Is it raining in Oslo?', arguments: { place: 'Oslo' } },
      { request: 'Do I need an umbrella in Glasgow tomorrow?', arguments: { place: 'Glasgow', days: 2 } },
      { request: 'The weather in Rome this week', arguments: { place: 'Rome', days: 7 } },
      { request: '明天北京会下雨吗？', arguments: { place: '北京', days: 2 } },
    ],
    isCalledByPage: true,
    effects: () => ({ type: 'net-hosts', hosts: [geocodingHost, forecastHost] }),
    async run({ place, days = 1 }, context) {
      const isChinese = /\p{Script=Han}/u.test(place) || /^zh\b/i.test(language());
      // These countries use Fahrenheit, miles and inches. A plain `en` names no country, so it gets metric units.
      const isImperial = !isChinese && /-(?:US|LR|PR|GU)\b/i.test(language());
      const options = { days, isChinese, isImperial };
      const ask = createWeatherApi(egress, context);
      const town = await findTown(place, options, ask);
      const forecast = await requestForecast(town, options, ask);
      return {
        texts: [writeForecast(town, forecast, options), 'Source: Open-Meteo.com (CC BY 4.0)'],
        origins: [geocodingHost, forecastHost].map((name) => ({ door: 'page', name })),
      };
    },
  });
}

type ForecastOptions = { days: number; isChinese: boolean; isImperial: boolean };

const geocodingHost = 'geocoding-api.open-meteo.com';
const forecastHost = 'api.open-meteo.com';

const maxReplyBytes = 200_000;
const replyTimeoutMs = 10_000;
const maxTowns = 10;

const Town = z.object({
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  country: z.optional(z.string()),
  country_code: z.optional(z.string()),
  admin1: z.optional(z.string()),
});
type Town = z.infer<typeof Town>;

const TownsReply = z.object({ results: z.optional(z.array(z.unknown())) });

const Measurement = z.nullable(z.number());
type OptionalNumber = number | null | undefined;
const isKnown = (quantity: OptionalNumber): quantity is number => typeof quantity === 'number';

const Forecast = z.object({
  current: z.object({ temperature_2m: Measurement, weather_code: Measurement, wind_speed_10m: Measurement }),
  daily: z.object({
    /** Local dates of the place, such as `2026-11-25`. */
    time: z.array(z.string()),
    /** WMO codes, table 4677. */
    weather_code: z.array(Measurement),
    temperature_2m_max: z.array(Measurement),
    temperature_2m_min: z.array(Measurement),
    precipitation_sum: z.array(Measurement),
    /** In percent. */
    precipitation_probability_max: z.array(Measurement),
    wind_speed_10m_max: z.array(Measurement),
  }),
});
type Forecast = z.infer<typeof Forecast>;

type RequestWeather = ReturnType<typeof createWeatherApi>;

/** Text after a comma selects among towns of the same name: `Paris, Texas`. Rejects with a `ToolError`. */
async function findTown(place: string, { isChinese }: ForecastOptions, ask: RequestWeather): Promise<Town> {
  const [name = '', ...within] = place.split(/[,，、]/).map((part) => part.trim());
  const parameters = { name, count: maxTowns, language: isChinese ? 'zh' : 'en', format: 'json' };
  const { results = [] } = await ask(TownsReply, `${geocodingHost}/v1/search`, parameters);
  for (const result of results) {
    const town = read(Town, result);
    if (town.ok && within.every((area) => isTownIn(town.value, area))) return town.value;
  }
  throw new ToolError(
    'town',
    `There is no place "${place}". Try a larger town nearby, and its country after a comma.`,
  );
}

function isTownIn({ country = '', country_code: code = '', admin1 = '' }: Town, area: string): boolean {
  const wanted = area.toLowerCase();
  return wanted === '' || [country, code, admin1].some((name) => name.toLowerCase().startsWith(wanted));
}

function requestForecast(
  { latitude, longitude }: Town,
  { days, isImperial }: ForecastOptions,
  ask: RequestWeather,
) {
  return ask(Forecast, `${forecastHost}/v1/forecast`, {
    // Two decimals are about one kilometre. No forecast is more precise.
    latitude: latitude.toFixed(2),
    longitude: longitude.toFixed(2),
    current: 'temperature_2m,weather_code,wind_speed_10m',
    daily:
      'weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum,precipitation_probability_max,wind_speed_10m_max',
    forecast_days: days,
    timezone: 'auto',
    ...(isImperial && { temperature_unit: 'fahrenheit', wind_speed_unit: 'mph', precipitation_unit: 'inch' }),
  });
}

function createWeatherApi(egress: Egress, context: ToolContext) {
  return async <Schema extends z.ZodMiniType>(
    schema: Schema,
    address: string,
    parameters: Record<string, string | number>,
  ): Promise<z.infer<Schema>> => {
    const written = Object.entries(parameters).map(([name, value]) => [name, String(value)]);
    const response = await sendWithRetries(
      egress,
      {
        url: `https://${address}?${new URLSearchParams(written)}`,
        method: 'GET',
        headers: {},
        tool: 'weather',
        accept: ['application/json'],
        maxBytes: maxReplyBytes,
        timeoutMs: replyTimeoutMs,
        secrets: [],
        redirect: 'never',
      },
      context,
    );
    // Do not quote the server's own error text, which is untrusted.
    if (response.status >= 400)
      throw new ToolError('status', `Open-Meteo answered ${explainStatus(response.status)}.`);
    const answer = read(schema, parseJson(response.text));
    if (answer.ok) return answer.value;
    throw new ToolError('wrong-type', 'Open-Meteo answered something that is no forecast. Try again later.');
  };
}

const skyByWeatherCode: Readonly<Record<number, readonly [string, string]>> = {
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

function writeForecast(
  { name, admin1, country }: Town,
  { current, daily }: Forecast,
  { days, isChinese, isImperial }: ForecastOptions,
): string {
  const units = isImperial
    ? { temperature: '°F', speed: 'mph', amount: 'inch' }
    : { temperature: '°C', speed: 'km/h', amount: 'mm' };
  const [joint, to] = isChinese ? ['，', '到'] : [', ', 'to'];
  const skyOf = (code: OptionalNumber) => skyByWeatherCode[code ?? -1]?.[isChinese ? 1 : 0];
  const windOf = (speed: OptionalNumber) =>
    isKnown(speed) ? `${isChinese ? '风速' : 'wind'} ${Math.round(speed)} ${units.speed}` : undefined;
  const now = [
    skyOf(current.weather_code),
    isKnown(current.temperature_2m) && `${Math.round(current.temperature_2m)} ${units.temperature}`,
    windOf(current.wind_speed_10m),
  ].filter(Boolean);
  const lineOf = (date: string, at: number) => {
    const [low, high] = [daily.temperature_2m_min[at], daily.temperature_2m_max[at]];
    const chance = daily.precipitation_probability_max[at];
    const amount = daily.precipitation_sum[at];
    const parts = [
      skyOf(daily.weather_code[at]),
      isKnown(low) && isKnown(high) && `${Math.round(low)} ${to} ${Math.round(high)} ${units.temperature}`,
      isKnown(chance) && (isChinese ? `降水概率 ${chance}%` : `${chance}% chance of rain`),
      isKnown(amount) && amount !== 0 && `${amount} ${units.amount}`,
      windOf(daily.wind_speed_10m_max[at]),
    ].filter(Boolean);
    return `${date} ${weekdays[isChinese ? 'zh' : 'en'][new Date(`${date}T00:00Z`).getUTCDay()] ?? ''}: ${parts.join(joint)}`;
  };
  return [
    [...new Set([name, admin1, country])].filter(Boolean).join(joint),
    ...(now.length === 0 ? [] : [`${isChinese ? '现在' : 'Now'}: ${now.join(joint)}`]),
    ...daily.time.slice(0, days).map(lineOf),
  ].join('\n');
}
