/**
 * What Open-Meteo is asked and answers, after its documentation: open-meteo.com/en/docs and open-meteo.com/en/docs/geocoding-api.
 */
import type { Egress, EgressResponse } from '../../../contracts/egress';
import { read, z } from '../../../contracts/schema';
import type { ToolContext } from '../../../contracts/tool';
import { ToolError } from '../../../contracts/tool-failure';
import { readStatus } from '../../read-status';
import { sendPatiently } from '../../send-patiently';

export const geocodingHost = 'geocoding-api.open-meteo.com';
export const forecastHost = 'api.open-meteo.com';

const maxBytes = 200_000;
const timeoutMs = 10_000;
/** Of one place: several share a name. */
const mostTowns = 10;

const Town = z.object({
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  country: z.optional(z.string()),
  country_code: z.optional(z.string()),
  /** Of the largest areas of a country: a state, a province. */
  admin1: z.optional(z.string()),
});
export type Town = z.infer<typeof Town>;

/** Missing where nothing has the name. */
const Towns = z.object({ results: z.optional(z.array(z.unknown())) });

const quantity = z.nullable(z.number());
const Answer = z.object({
  current: z.object({ temperature_2m: quantity, weather_code: quantity, wind_speed_10m: quantity }),
  daily: z.object({
    /** `2026-11-25`, in the time zone of the place. */
    time: z.array(z.string()),
    weather_code: z.array(quantity),
    temperature_2m_max: z.array(quantity),
    temperature_2m_min: z.array(quantity),
    precipitation_sum: z.array(quantity),
    precipitation_probability_max: z.array(quantity),
    wind_speed_10m_max: z.array(quantity),
  }),
});

/** Where a number is missing, it is `null`. */
export interface Forecast {
  /** `°C` or `°F`, `km/h` or `mph`, `mm` or `inch`. */
  units: { temperature: string; speed: string; amount: string };
  now: { temperature: number | null; code: number | null; wind: number | null };
  days: readonly Day[];
}

export interface Day {
  /** `2026-11-25` */
  date: string;
  /** Of the World Meteorological Organization, table 4677. */
  code: number | null;
  low: number | null;
  high: number | null;
  /** Rain or melted snow, in all. */
  amount: number | null;
  /** Percent. */
  chance: number | null;
  wind: number | null;
}

type Patience = Pick<ToolContext, 'signal' | 'onProgress'>;

/** `Paris, Texas`: what stands behind the comma tells those of one name apart. Throws a `ToolError` where there is none. */
export async function findTown(
  place: string,
  language: string,
  egress: Egress,
  context: Patience,
): Promise<Town> {
  const [name = '', ...within] = place.split(/[,，、]/).map((part) => part.trim());
  const found = read(
    Towns,
    await ask(
      geocodingHost,
      '/v1/search',
      { name, count: mostTowns, language, format: 'json' },
      egress,
      context,
    ),
  );
  if (!found.ok) throw unreadable();
  const towns = (found.value.results ?? []).flatMap((result) => {
    const town = read(Town, result);
    return town.ok ? [town.value] : [];
  });
  const town = towns.find((one) => within.every((area) => isIn(one, area)));
  if (!town) {
    throw new ToolError(
      'town',
      `There is no place "${place}". Try a larger town nearby, and its country after a comma.`,
    );
  }
  return town;
}

function isIn({ country = '', country_code: code = '', admin1 = '' }: Town, area: string): boolean {
  const wanted = area.toLowerCase();
  return wanted === '' || [country, code, admin1].some((name) => name.toLowerCase().startsWith(wanted));
}

export async function readForecast(
  { latitude, longitude }: Town,
  { days, isImperial }: { days: number; isImperial: boolean },
  egress: Egress,
  context: Patience,
): Promise<Forecast> {
  const given = {
    // To a kilometre: no forecast is finer.
    latitude: latitude.toFixed(2),
    longitude: longitude.toFixed(2),
    current: 'temperature_2m,weather_code,wind_speed_10m',
    daily:
      'weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum,precipitation_probability_max,wind_speed_10m_max',
    forecast_days: days,
    timezone: 'auto',
    ...(isImperial && {
      temperature_unit: 'fahrenheit',
      wind_speed_unit: 'mph',
      precipitation_unit: 'inch',
    }),
  };
  const answer = read(Answer, await ask(forecastHost, '/v1/forecast', given, egress, context));
  if (!answer.ok) throw unreadable();
  const { current, daily } = answer.value;
  return {
    units: isImperial
      ? { temperature: '°F', speed: 'mph', amount: 'inch' }
      : { temperature: '°C', speed: 'km/h', amount: 'mm' },
    now: { temperature: current.temperature_2m, code: current.weather_code, wind: current.wind_speed_10m },
    days: daily.time.slice(0, days).map((date, at) => ({
      date,
      code: daily.weather_code[at] ?? null,
      low: daily.temperature_2m_min[at] ?? null,
      high: daily.temperature_2m_max[at] ?? null,
      amount: daily.precipitation_sum[at] ?? null,
      chance: daily.precipitation_probability_max[at] ?? null,
      wind: daily.wind_speed_10m_max[at] ?? null,
    })),
  };
}

async function ask(
  host: string,
  path: string,
  given: Record<string, string | number>,
  egress: Egress,
  { signal, onProgress }: Patience,
): Promise<unknown> {
  const query = new URLSearchParams(Object.entries(given).map(([name, value]) => [name, String(value)]));
  const response = await sendPatiently(
    egress,
    {
      ...{ url: `https://${host}${path}?${query}`, method: 'GET', headers: {}, tool: 'weather' },
      ...{ accept: ['application/json'], maxBytes, timeoutMs, redirect: 'never' as const },
    },
    { signal, onProgress },
  );
  // What it says of the error is not told: a server chose it.
  if (response.status >= 400)
    throw new ToolError('status', `Open-Meteo answered ${readStatus(response.status)}.`);
  return parse(response);
}

function parse({ text }: EgressResponse): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable();
  }
}

function unreadable(): ToolError {
  return new ToolError('wrong-type', 'Open-Meteo answered something that is no forecast. Try again later.');
}
