import { expect, test } from 'vitest';
import { type Message, pageWriter } from '../../../src/contracts/message';
import { readWeather } from '../../../src/ember/weather-requests';

const isPlace = (name: string) => ['Oslo', 'Bergen', '北京', '上海'].includes(name);
const said = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const page = (text: string): Message => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  writer: pageWriter,
  finishReason: 'stop',
});
const called = (given: Record<string, unknown>, name = 'weather'): Message => ({
  role: 'assistant',
  content: [{ type: 'tool-call', id: 'c', name, arguments: given }],
  finishReason: 'tool-calls',
});
const weather = (place: string, days?: number) => ({
  name: 'weather',
  arguments: { place, ...(days !== undefined && { days }) },
});

test.for<{ name: string; history: Message[]; calls: ReturnType<typeof weather>[] | undefined }>([
  { name: 'a place', history: [said('Is it raining in Oslo?')], calls: [weather('Oslo')] },
  {
    name: 'two places',
    history: [said('weather in Oslo and Bergen tomorrow')],
    calls: [weather('Oslo', 2), weather('Bergen', 2)],
  },
  { name: 'no place', history: [said('Is it raining?')], calls: [] },
  { name: 'something else', history: [said('Hello')], calls: undefined },
  {
    name: 'a place said before',
    history: [said("I'm in Lyon for a fair."), page('Enjoy it!'), said('Will I need an umbrella?')],
    calls: [weather('Lyon')],
  },
  {
    name: 'the place that the page asked for',
    history: [said('Will it rain tomorrow?'), page('Which place?'), said('Graz')],
    calls: [weather('Graz', 2)],
  },
  {
    name: 'a word after a reply of the page to something else',
    history: [said('Hello'), page('Hello.'), said('Oslo')],
    calls: undefined,
  },
  {
    name: 'another place',
    history: [
      said('Weather in Oslo this week'),
      called({ place: 'Oslo', days: 7 }),
      page('…'),
      said('and in Bergen?'),
    ],
    calls: [weather('Bergen', 7)],
  },
  {
    name: 'another place, in Chinese',
    history: [said('北京天气'), called({ place: '北京' }), page('…'), said('那上海呢？')],
    calls: [weather('上海')],
  },
  {
    name: 'another day',
    history: [said('Weather in Oslo'), called({ place: 'Oslo' }), page('…'), said('and tomorrow?')],
    calls: [weather('Oslo', 2)],
  },
  {
    name: 'the place of the turn before',
    history: [
      said('Weather in Oslo'),
      called({ place: 'Oslo' }),
      page('…'),
      said('Do I need an umbrella tomorrow?'),
    ],
    calls: [weather('Oslo', 2)],
  },
  {
    name: 'another place after another tool',
    history: [said('Time in Oslo'), called({ place: 'Oslo' }, 'clock'), page('…'), said('and in Bergen?')],
    calls: undefined,
  },
])('a weather request is read: $name', ({ history, calls }) => {
  expect(readWeather(history, isPlace)).toEqual(calls);
});
