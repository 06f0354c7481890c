import { expect, test } from 'vitest';
import { type Message, pageWriterId } from '../../../src/contracts/message';
import { readWeather } from '../../../src/ember/weather-requests';

const isPlace = (name: string) => ['Oslo', 'Bergen', '北京', '上海'].includes(name);
const said = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origins: [{ door: 'typed' }],
});
const page = (text: string): Message => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  writer: pageWriterId,
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
  { name: 'a request with a place', history: [said('Is it raining in Oslo?')], calls: [weather('Oslo')] },
  {
    name: 'a request with two places',
    history: [said('weather in Oslo and Bergen tomorrow')],
    calls: [weather('Oslo', 2), weather('Bergen', 2)],
  },
  { name: 'a request without a place', history: [said('Is it raining?')], calls: [] },
  { name: 'a message about something else', history: [said('Hello')], calls: undefined },
  {
    name: 'a request after a message that names the place',
    history: [said("I'm in Lyon for a fair."), page('Enjoy it!'), said('Will I need an umbrella?')],
    calls: [weather('Lyon')],
  },
  {
    name: 'an answer to "Which place?"',
    history: [said('Will it rain tomorrow?'), page('Which place?'), said('Graz')],
    calls: [weather('Graz', 2)],
  },
  {
    name: 'a place after a reply that asked for none',
    history: [said('Hello'), page('Hello.'), said('Oslo')],
    calls: undefined,
  },
  {
    name: 'a follow-up with another place',
    history: [
      said('Weather in Oslo this week'),
      called({ place: 'Oslo', days: 7 }),
      page('…'),
      said('and in Bergen?'),
    ],
    calls: [weather('Bergen', 7)],
  },
  {
    name: 'a Chinese follow-up with another place',
    history: [said('北京天气'), called({ place: '北京' }), page('…'), said('那上海呢？')],
    calls: [weather('上海')],
  },
  {
    name: 'a follow-up with another day',
    history: [said('Weather in Oslo'), called({ place: 'Oslo' }), page('…'), said('and tomorrow?')],
    calls: [weather('Oslo', 2)],
  },
  {
    name: 'a follow-up about the same place',
    history: [
      said('Weather in Oslo'),
      called({ place: 'Oslo' }),
      page('…'),
      said('Do I need an umbrella tomorrow?'),
    ],
    calls: [weather('Oslo', 2)],
  },
  {
    name: 'a place after a call of another tool',
    history: [said('Time in Oslo'), called({ place: 'Oslo' }, 'clock'), page('…'), said('and in Bergen?')],
    calls: undefined,
  },
])('a message leads to the right weather calls: $name', ({ history, calls }) => {
  expect(readWeather(history, isPlace)).toEqual(calls);
});
