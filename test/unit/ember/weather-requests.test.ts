import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { placeIndex, toPlaceKey } from '../../../src/tools/builtin/clock/places';
import { readPlaceName, readWeatherRequest, readWhereabouts } from '../../../src/ember/weather-requests';

const isPlace = (name: string) => placeIndex.has(toPlaceKey(name));
const read = (request: string) => readWeatherRequest(request, isPlace);

test.for<[request: string, places: string[], days?: number]>([
  ['is it raining in Oslo', ['Oslo']],
  ['Is it raining in Oslo right now?', ['Oslo']],
  ["What's the weather like in new york today?", ['new york']],
  ['weather oslo', ['oslo']],
  ['Oslo weather tomorrow', ['Oslo'], 2],
  ['Do I need an umbrella in Glasgow tomorrow?', ['Glasgow'], 2],
  ['will it snow in Innsbruck the day after tomorrow', ['Innsbruck'], 3],
  ['Could you check how windy it will be in Wellington this week, please', ['Wellington'], 7],
  ['5 day forecast for Cape Town', ['Cape Town'], 5],
  ['Is it warm in Nice?', ['Nice']],
  ['How hot is it in Paris, Texas?', ['Paris, Texas']],
  ['What is the weather in Ouagadougou?', ['Ouagadougou']],
  ['weather in Little Snoring', ['Little Snoring']],
  ['weather in Oslo and Bergen', ['Oslo', 'Bergen']],
  ["what's the weather in Rome, Paris and London tomorrow", ['Rome', 'Paris', 'London'], 2],
  ['will it rain tomorrow', [], 2],
  ["what's the weather like", []],
  ['Do I need a coat?', []],
  ['奥斯陆现在下雨吗', ['奥斯陆']],
  ['明天北京会下雨吗？', ['北京'], 2],
  ['杭州周六天气', ['杭州'], 7],
  ['后天去上海要带伞吗', ['上海'], 3],
  ['广州未来五天预报', ['广州'], 5],
  ['北京和上海的天气', ['北京', '上海']],
  ['吐鲁番热不热', ['吐鲁番']],
  ['明天要带伞吗', [], 2],
  ['天气怎么样', []],
])('the places and days of a weather request are found: %s', ([request, places, days]) => {
  expect(read(request)).toEqual({ places, days });
});

test.for([
  'hello',
  'What is 5*5?',
  'What time is it in Oslo?',
  'whats the time in Tokyo and the weather in Oslo',
  'the best hot chocolate in Paris?',
  'Was it the cold war that split Berlin?',
  'a cheap coat in London?',
  'What was the weather in Oslo last year?',
  'average temperature in Madrid in july',
  'Write a poem about rain in Paris',
  'What temperature should the oven have for bread?',
  'lovely sunshine today, isn’t it',
  'I got soaked in Oslo',
  '10 day forecast for Rome',
  'What does https://example.com/weather say about Oslo?',
  '去年北京冷吗',
  '北京现在几点',
  '写一首关于北京下雨的诗',
  '今天太阳真好',
  '外套打八折多少钱',
])('"%s" is not a request for a forecast', (request) => {
  expect(read(request)).toBeUndefined();
});

/** Checks the weather requests among Ember's training data: none is misread, and most are read. */
describe.for([
  {
    file: 'weather-en',
    place: 'Oslo',
    most: 0.5,
    slots: { n: 'Anna', k: '12', d: '4', w: 'four', wd: 'Saturday' },
  },
  {
    file: 'weather-zh',
    place: '哈尔滨',
    most: 0.7,
    slots: { n: '小明', k: '12', d: '4', w: '四', wd: '周六' },
  },
])("the weather requests in Ember's training data, $file", ({ file, place, most, slots }) => {
  interface Frame {
    text: string;
    call: { days?: number | string };
  }
  const frames = readFileSync(`training/frames/${file}.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Frame);
  const filled = frames.map(({ text, call }) => ({
    text: text.replace(/\{(\w+)\}/g, (_, slot: string) => (slot === 'p' ? place : slots[slot as 'n'])),
    days: typeof call.days === 'string' ? 4 : call.days,
  }));
  const readOf = filled.flatMap(({ text, days }) => {
    const request = read(text);
    return request && request.places.length > 0 ? [{ text, days, request }] : [];
  });

  test('are never misunderstood', () => {
    for (const { text, days, request } of readOf) {
      expect(request, text).toEqual({ places: [place], days });
    }
  });

  test('are mostly understood', () => {
    expect(readOf.length / filled.length).toBeGreaterThan(most);
  });
});

test.for([
  ['Graz', 'Graz'],
  ['in Graz, please', 'Graz'],
  ['oh, New York', 'New York'],
  ['Paris, Texas', 'Paris, Texas'],
  ['兰州吧', '兰州'],
  ['在兰州', '兰州'],
  ['I do not know, you tell me which one it is', undefined],
  ['12', undefined],
])('an answer to "For which place?" is understood: %s', ([message, place]) => {
  expect(readPlaceName(message ?? '')).toBe(place);
});

test.for([
  ["I'm in Lyon for a trade fair.", 'Lyon'],
  ['We are staying in New York.', 'New York'],
  ['我这几天在西安出差。', '西安'],
  ['I like Lyon.', undefined],
])("the user's own location is found in a message: %s", ([message, place]) => {
  expect(readWhereabouts(message ?? '')).toBe(place);
});
