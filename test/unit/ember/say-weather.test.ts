import { expect, test } from 'vitest';
import { describeWeather, describeWeatherBriefly } from '../../../src/ember/tell-results';

const english = [
  'Oslo, Norway',
  'Now: light rain, 4 °C',
  '2026-11-25 Wednesday: light rain, 2 to 6 °C',
  '2026-11-26 Thursday: overcast, 1 to 5 °C',
].join('\n');
const chinese = [
  '北京，中国',
  '现在: 晴，9 °C',
  '2026-11-25 星期三: 晴，6 到 11 °C',
  '2026-11-26 星期四: 阴，5 到 9 °C',
].join('\n');

test('the weather answer contains the place, the current weather, today and the following days', () => {
  expect(describeWeather(english, 'Weather in Oslo this week', 'en')).toBe(
    '**Oslo, Norway** (Open-Meteo)\n\n- Now: light rain, 4 °C\n- Today: light rain, 2 to 6 °C\n- Thursday: overcast, 1 to 5 °C',
  );
  expect(describeWeather(chinese, '北京天气', 'zh')).toBe(
    '**北京，中国**（Open-Meteo）\n\n- 现在：晴，9 °C\n- 今天：晴，6 到 11 °C\n- 星期四：阴，5 到 9 °C',
  );
});

test('the weather answer for several days leaves out wind and unlikely rain', () => {
  const text = [
    'Oslo, Norway',
    '2026-11-25 Wednesday: light rain, 2 to 6 °C, 88% chance of rain, 3.2 mm, wind 20 km/h',
    '2026-11-26 Thursday: overcast, -1 to 5 °C, 5% chance of rain, wind 21 km/h',
    '2026-11-27 Friday: 小雪，-4 到 1 °C，降水概率 15%，风速 9 km/h',
  ].join('\n');
  expect(describeWeather(text, 'this week', 'en')?.split('\n').slice(2)).toEqual([
    '- Today: light rain, 2 to 6 °C, 88% chance of rain, 3.2 mm',
    '- Thursday: overcast, -1 to 5 °C',
    '- Friday: 小雪，-4 到 1 °C',
  ]);
});

test('the weather answer covers only the one day that the user asked about', () => {
  expect(describeWeather(english, 'Do I need an umbrella in Oslo tomorrow?', 'en')).toBe(
    'Oslo, Norway. Tomorrow, Thursday: overcast, 1 to 5 °C (Open-Meteo).',
  );
  expect(describeWeather(chinese, '明天北京要带伞吗', 'zh')).toBe(
    '北京，中国，明天（星期四）：阴，5 到 9 °C（Open-Meteo）。',
  );
  // The forecast does not reach that day, so the answer contains everything we know.
  expect(describeWeather(english, 'the day after tomorrow?', 'en')).toContain('Today');
});

test('in a list of answers, the weather takes one line', () => {
  expect(describeWeatherBriefly(english, 'en')).toBe('Oslo, Norway: light rain, 4 °C');
});

test('a weather result without a forecast is left to the model', () => {
  expect(describeWeather('Nothing.', '', 'en')).toBeUndefined();
  expect(describeWeatherBriefly('', 'en')).toBeUndefined();
});
