/**
 * Imitates Open-Meteo's responses, by its documentation: open-meteo.com/en/docs/geocoding-api and open-meteo.com/en/docs. It knows a few
 * places, and computes the weather from the coordinates, so it is the same each time.
 */

const towns = [
  ...town('Oslo', '奥斯陆', 'NO', 'Norway', '挪威', 'Oslo', 59.91273, 10.74609),
  ...town('Glasgow', '格拉斯哥', 'GB', 'United Kingdom', '英国', 'Scotland', 55.86515, -4.25763),
  ...town('Rome', '罗马', 'IT', 'Italy', '意大利', 'Latium', 41.89193, 12.51133),
  ...town('Paris', '巴黎', 'FR', 'France', '法国', 'Île-de-France', 48.85341, 2.3488),
  ...town('Paris', '巴黎', 'US', 'United States', '美国', 'Texas', 33.66094, -95.55551),
  ...town('Beijing', '北京', 'CN', 'China', '中国', 'Beijing', 39.9075, 116.39723),
];

function town(
  name: string,
  chinese: string,
  code: string,
  country: string,
  countryChinese: string,
  admin1: string,
  latitude: number,
  longitude: number,
) {
  const place = { latitude, longitude, elevation: 26, feature_code: 'PPLC', country_code: code, admin1 };
  return [{ place, names: { en: [name, country], zh: [chinese, countryChinese] } }];
}

/** Returns the status and JSON of the response to a request for `https://…open-meteo.com/…`. */
export function answerAsOpenMeteo(address: string): { status: number; json: unknown } {
  const { host, searchParams } = new URL(address);
  if (host.startsWith('geocoding-')) return { status: 200, json: find(searchParams) };
  const latitude = Number(searchParams.get('latitude'));
  if (!searchParams.has('latitude') || Number.isNaN(latitude)) {
    return { status: 400, json: { error: true, reason: 'Parameter latitude must be a number' } };
  }
  return { status: 200, json: forecast(searchParams, latitude) };
}

function find(asked: URLSearchParams) {
  const name = (asked.get('name') ?? '').toLowerCase();
  const language = asked.get('language') === 'zh' ? 'zh' : 'en';
  const results = towns
    .filter(({ names }) => [names.en[0], names.zh[0]].some((known) => known?.toLowerCase() === name))
    .slice(0, Number(asked.get('count') ?? 10))
    .map(({ place, names }, at) => ({
      id: 1000 + at,
      ...place,
      name: names[language][0],
      country: names[language][1],
    }));
  // If there are no results, Open-Meteo omits the field.
  return { ...(results.length > 0 && { results }), generationtime_ms: 0.5 };
}

/** Days from a fixed date, cycling through the weather codes. */
function forecast(asked: URLSearchParams, latitude: number) {
  const days = Number(asked.get('forecast_days') ?? 7);
  const isImperial = asked.get('temperature_unit') === 'fahrenheit';
  const degrees = (celsius: number) => (isImperial ? celsius * 1.8 + 32 : celsius);
  const warmth = Math.round(30 - Math.abs(latitude) / 2);
  const all = <Value>(make: (day: number) => Value) => Array.from({ length: days }, (_, day) => make(day));
  return {
    latitude,
    longitude: Number(asked.get('longitude')),
    generationtime_ms: 0.1,
    utc_offset_seconds: 3600,
    timezone: 'Europe/Oslo',
    timezone_abbreviation: 'GMT+1',
    elevation: 26,
    current_units: { time: 'iso8601', interval: 'seconds', temperature_2m: isImperial ? '°F' : '°C' },
    current: {
      time: '2026-11-25T12:00',
      interval: 900,
      temperature_2m: degrees(warmth - 1.4),
      weather_code: 61,
      wind_speed_10m: 11.6,
    },
    daily: {
      time: all((day) => new Date(Date.UTC(2026, 10, 25 + day)).toISOString().slice(0, 10)),
      weather_code: all((day) => [61, 3, 0, 71, 95, 45, 2][day]),
      temperature_2m_max: all((day) => degrees(warmth + 1 - day)),
      temperature_2m_min: all((day) => degrees(warmth - 4 - day)),
      precipitation_sum: all((day) => (day === 0 ? 3.2 : 0)),
      precipitation_probability_max: all((day) => (day === 0 ? 88 : 5 * day)),
      wind_speed_10m_max: all((day) => 20.4 + day),
    },
  };
}
