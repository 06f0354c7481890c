import { expect, test } from 'vitest';
import { sayWeather, sayWeatherShortly } from '../../../../src/agent/page-reply/say-weather';

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

test('the place, now, today and the days behind it', () => {
  expect(sayWeather(english, 'Weather in Oslo this week', 'en')).toBe(
    '**Oslo, Norway**\n\n- Now: light rain, 4 °C\n- Today: light rain, 2 to 6 °C\n- Thursday: overcast, 1 to 5 °C',
  );
  expect(sayWeather(chinese, '北京天气', 'zh')).toBe(
    '**北京，中国**\n\n- 现在：晴，9 °C\n- 今天：晴，6 到 11 °C\n- 星期四：阴，5 到 9 °C',
  );
});

test('only the day that is asked about', () => {
  expect(sayWeather(english, 'Do I need an umbrella in Oslo tomorrow?', 'en')).toBe(
    'Oslo, Norway. Tomorrow, Thursday: overcast, 1 to 5 °C.',
  );
  expect(sayWeather(chinese, '明天北京要带伞吗', 'zh')).toBe('北京，中国，明天（星期四）：阴，5 到 9 °C。');
  // It was not asked for far enough: all that is known is told.
  expect(sayWeather(english, 'the day after tomorrow?', 'en')).toContain('Today');
});

test('in one line, beside other answers', () => {
  expect(sayWeatherShortly(english, 'en')).toBe('Oslo, Norway: light rain, 4 °C');
});

test('another text is left to the model', () => {
  expect(sayWeather('Nothing.', '', 'en')).toBeUndefined();
  expect(sayWeatherShortly('', 'en')).toBeUndefined();
});
