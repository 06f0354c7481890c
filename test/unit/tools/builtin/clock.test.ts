import { expect, test } from 'vitest';
import { textOf } from '../../../../src/contracts/message-parts';
import { createClockTool } from '../../../../src/tools/builtin/clock';

const context = { signal: new AbortController().signal, onProgress: () => undefined };
const winter = '2026-11-21T06:58:07Z';
const summer = '2026-07-04T12:00:00Z';

async function tell(instant: string, place?: string, zone = 'Asia/Shanghai') {
  const clock = createClockTool({ now: () => new Date(instant), zone: () => zone });
  const output = await clock.execute(place === undefined ? {} : { place }, context);
  return { text: textOf(output.content), isError: output.isError };
}

/** Returns the line of an answer that names the zone. */
async function zoneOf(place: string, instant = winter) {
  const { text, isError } = await tell(instant, place);
  expect(isError, text).toBe(false);
  return /\((.*)\)/.exec(text)?.[1];
}

test('the clock returns date, time and weekday first, then ISO 8601 with the time zone', async () => {
  expect(await tell('2026-11-21T06:58:07Z', 'Tokyo')).toEqual({
    isError: false,
    text: '2026-11-21 15:58 Saturday\n2026-11-21T15:58:07+09:00 (Asia/Tokyo, UTC+09:00)',
  });
});

test('the clock returns its first line as a separate text for very small models', async () => {
  const output = await createClockTool().execute({ place: 'UTC' }, context);
  expect(output.content[0]).toMatchObject({
    text: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d [A-Z][a-z]+day$/),
  });
});

test.for([
  { place: undefined, name: 'undefined' },
  { place: '', name: 'an empty text' },
  { place: '  ', name: 'spaces' },
  { place: 'here', name: '"here"' },
  { place: 'Local', name: '"Local"' },
  { place: '本地', name: '"本地"' },
])('a missing or local place means the time zone of the device: $name', async ({ place }) => {
  const { text } = await tell(winter, place, 'America/New_York');
  expect(text).toBe('2026-11-21 01:58 Saturday\n2026-11-21T01:58:07-05:00 (America/New_York, UTC-05:00)');
});

test.for([
  // Offsets in full hours, half hours and quarters of an hour.
  [winter, 'London', '2026-11-21 06:58 Saturday', '+00:00'],
  [winter, 'Kolkata', '2026-11-21 12:28 Saturday', '+05:30'],
  [winter, 'Kathmandu', '2026-11-21 12:43 Saturday', '+05:45'],
  [winter, 'Tehran', '2026-11-21 10:28 Saturday', '+03:30'],
  [winter, 'Yangon', '2026-11-21 13:28 Saturday', '+06:30'],
  [winter, "St. John's", '2026-11-21 03:28 Saturday', '-03:30'],
  [winter, 'Adelaide', '2026-11-21 17:28 Saturday', '+10:30'],
  [winter, 'Chatham Islands', '2026-11-21 20:43 Saturday', '+13:45'],
  // Places where it is already the next day, or still the day before.
  [winter, 'Honolulu', '2026-11-20 20:58 Friday', '-10:00'],
  ['2026-12-31T22:30:00Z', 'Tokyo', '2027-01-01 07:30 Friday', '+09:00'],
  ['2027-01-01T03:00:00Z', 'New York', '2026-12-31 22:00 Thursday', '-05:00'],
  ['2028-02-29T12:00:00Z', 'Kiritimati', '2028-03-01 02:00 Wednesday', '+14:00'],
  ['2026-11-21T16:00:00Z', 'Beijing', '2026-11-22 00:00 Sunday', '+08:00'],
  // Places with summer time in both hemispheres, and places without.
  [summer, 'London', '2026-07-04 13:00 Saturday', '+01:00'],
  [summer, 'New York', '2026-07-04 08:00 Saturday', '-04:00'],
  [summer, 'Sydney', '2026-07-04 22:00 Saturday', '+10:00'],
  [winter, 'Sydney', '2026-11-21 17:58 Saturday', '+11:00'],
  [summer, 'Phoenix', '2026-07-04 05:00 Saturday', '-07:00'],
  [summer, 'Denver', '2026-07-04 06:00 Saturday', '-06:00'],
  // One second before and after the clocks change.
  ['2026-03-29T00:59:59Z', 'Berlin', '2026-03-29 01:59 Sunday', '+01:00'],
  ['2026-03-29T01:00:00Z', 'Berlin', '2026-03-29 03:00 Sunday', '+02:00'],
  ['2026-11-01T05:59:59Z', 'New York', '2026-11-01 01:59 Sunday', '-04:00'],
  ['2026-11-01T06:00:00Z', 'New York', '2026-11-01 01:00 Sunday', '-05:00'],
] as const)(
  'the clock converts a time to the time in a place: %s in %s is %s',
  async ([instant, place, told, offset]) => {
    const { text } = await tell(instant, place);
    expect(text.split('\n')[0]).toBe(told);
    expect(text.split('\n')[1]).toContain(`${offset} (`);
  },
);

test.for([
  ['东京', 'Asia/Tokyo'],
  ['東京', 'Asia/Tokyo'],
  [' tokyo ', 'Asia/Tokyo'],
  ['TOKYO', 'Asia/Tokyo'],
  ['Ｔｏｋｙｏ', 'Asia/Tokyo'],
  ['Sao Paulo', 'America/Sao_Paulo'],
  ['São Paulo', 'America/Sao_Paulo'],
  ['zurich', 'Europe/Zurich'],
  ['Łódź', 'Europe/Warsaw'],
  ['Tromso', 'Europe/Oslo'],
  ['newyork', 'America/New_York'],
  ['NYC', 'America/New_York'],
  ['纽约', 'America/New_York'],
  ['加州', 'America/Los_Angeles'],
  ['San Francisco', 'America/Los_Angeles'],
  ['Tel-Aviv', 'Asia/Jerusalem'],
  ["Xi'an", 'Asia/Shanghai'],
  ['上海市', 'Asia/Shanghai'],
  ['北京时间', 'Asia/Shanghai'],
  ['Beijing time', 'Asia/Shanghai'],
  ['台北', 'Asia/Taipei'],
  ['香港', 'Asia/Hong_Kong'],
  ['胡志明市', 'Asia/Ho_Chi_Minh'],
  ['The Hague', 'Europe/Amsterdam'],
  ['Japan', 'Asia/Tokyo'],
  ['日本', 'Asia/Tokyo'],
  ['英国', 'Europe/London'],
  ['UK', 'Europe/London'],
  ['the Netherlands', 'Europe/Amsterdam'],
  ['China', 'Asia/Shanghai'],
  ['Argentina', 'America/Argentina/Buenos_Aires'],
  ['EST', 'America/New_York'],
  ['Pacific Time', 'America/Los_Angeles'],
  ['日本东京', 'Asia/Tokyo'],
  ['美国纽约', 'America/New_York'],
  ['Tokyo, Japan', 'Asia/Tokyo'],
  ['Tokyo Japan', 'Asia/Tokyo'],
  ['Los Angeles, California, USA', 'America/Los_Angeles'],
  ['Asia/Tokyo', 'Asia/Tokyo'],
  ['asia/kolkata', 'Asia/Kolkata'],
  ['America/New York', 'America/New_York'],
  ['Europe/Kyiv', 'Europe/Kyiv'],
  ['Asia/Beijing', 'Asia/Shanghai'],
  ['America/Boston', 'America/New_York'],
  ['Etc/GMT-8', 'Etc/GMT-8'],
  ['Thule', 'America/Thule'],
] as const)('the place "%s" is in the time zone %s', async ([place, zone]) => {
  expect(await zoneOf(place)).toMatch(new RegExp(`^${zone}, UTC`));
});

test.for([
  ['UTC', 'UTC'],
  ['gmt', 'UTC'],
  ['Z', 'UTC'],
  ['格林尼治时间', 'UTC'],
  ['UTC+8', 'UTC+08:00'],
  ['utc +08:00', 'UTC+08:00'],
  ['GMT-3:30', 'UTC-03:30'],
  ['UTC−5', 'UTC-05:00'],
  ['+0530', 'UTC+05:30'],
  ['ＵＴＣ＋８', 'UTC+08:00'],
  ['东八区', 'UTC+08:00'],
  ['西十一区', 'UTC-11:00'],
] as const)('the time zone "%s" is read as %s', async ([place, zone]) => {
  expect(await zoneOf(place)).toBe(zone);
});

test.for([
  ['美国', 'United States has several time zones; this is the time of Washington.'],
  ['Russia', 'Russia has several time zones; this is the time of Moscow.'],
  ['London, Ontario', '"London" there is not known; this is the time of Ontario.'],
  ['Springfield, Illinois', '"Springfield" there is not known; this is the time of Illinois.'],
  ['Cambridge, MA', 'This is Cambridge in United Kingdom.'],
] as const)('the clock says how it understood an unclear place: "%s"', async ([place, note]) => {
  expect((await tell(winter, place)).text.split('\n')[2]).toBe(note);
});

test.for([
  ['Tokio', 'There is no place "Tokio". Nearest: Tokyo.'],
  ['Atlantis', 'There is no place "Atlantis". Nearest: Atlanta.'],
  ['纽越', 'There is no place "纽越". Nearest: 纽约.'],
  ['Frankfurt am Main', 'There is no place "Frankfurt am Main". Nearest: Frankfurt.'],
  ['Foobarbazqux', 'There is no place "Foobarbazqux". A large city, a country or an IANA zone will do.'],
  ['!!!', 'There is no place "!!!". A large city'],
  ['__proto__', 'There is no place "__proto__". A large city'],
  ['constructor', 'There is no place "constructor". A large city'],
  ['Nowhere/Land', 'There is no place "Nowhere/Land".'],
  ['UTC+25', '"UTC+25" is no offset; they go from UTC-12:00 to UTC+14:00'],
  ['UTC+5:75', '"UTC+5:75" is no offset; they go from UTC-12:00 to UTC+14:00'],
  ['x'.repeat(101), 'place: Too big: expected string to have <=100 characters, got "xxx'],
] as const)('the clock refuses an unknown place with a helpful message: "%s"', async ([place, reason]) => {
  const { text, isError } = await tell(winter, place);
  expect(isError).toBe(true);
  expect(text.startsWith(reason), text).toBe(true);
});
