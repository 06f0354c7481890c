/** The weather in a place, from Open-Meteo: it needs no key and answers web pages from any origin. */
import type { Egress } from '../../contracts/egress';
import { z } from '../../contracts/schema';
import type { Tool } from '../../contracts/tool';
import { defineTool } from '../define-tool';
import { findTown, forecastHost, geocodingHost, readForecast } from './weather/open-meteo';
import { writeForecast, type WeatherLanguage } from './weather/write-forecast';

export interface WeatherParts {
  egress: Egress;
  /** A BCP 47 tag, of the screen. */
  language: () => string;
}

export const mostDays = 7;

export function createWeather({ egress, language }: WeatherParts): Tool {
  return defineTool({
    name: 'weather',
    title: 'Weather',
    description: 'The weather in a place: today first, up to seven days.',
    keywords: {
      en: [
        'rain',
        'raining',
        'umbrella',
        'snow',
        'sunny',
        'wind',
        'storm',
        'temperature',
        'degrees',
        'hot',
        'cold',
        'forecast',
        'outside',
        "what's it like outside",
        'coat',
      ],
      zh: ['天气', '下雨', '带伞', '下雪', '气温', '几度', '冷', '热', '预报', '外面', '刮风'],
    },
    input: z.strictObject({
      place: z
        .string()
        .check(z.trim(), z.minLength(1), z.maxLength(100), z.describe('A town; after a comma its country')),
      days: z.optional(z.int().check(z.minimum(1), z.maximum(mostDays))),
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
      const words: WeatherLanguage = /\p{Script=Han}/u.test(place) || isChinese(language()) ? 'zh' : 'en';
      const town = await findTown(place, words, egress, context);
      const forecast = await readForecast(
        town,
        { days, isImperial: isImperial(language(), words) },
        egress,
        context,
      );
      return {
        texts: [writeForecast(town, forecast, words), 'Source: Open-Meteo.com (CC BY 4.0)'],
        sources: [geocodingHost, forecastHost],
      };
    },
  });
}

const isChinese = (tag: string) => /^zh\b/i.test(tag);

/** Degrees Fahrenheit, miles and inches, where people use them. A plain `en` says nothing of where somebody is. */
function isImperial(tag: string, words: WeatherLanguage): boolean {
  return words === 'en' && /-(?:US|LR|PR|GU)\b/i.test(tag);
}
