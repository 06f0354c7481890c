import { describe, expect, test } from 'vitest';
import { findDates, findTimes } from '../../../../src/state/claims/dates-in';
import { toPlainCharacters } from '../../../../src/state/claims/spans';
import { findNumbers } from '../../../../src/state/claims/numbers-in';

describe('numbers in a text', () => {
  test.for([
    ['1,234.5', [[1234.5]]],
    ['1.234,5', [[1234.5]]],
    ['1,234', [[1234, 1.234]]],
    ['1.234', [[1.234, 1234]]],
    ['12,34,567', [[1234567]]],
    ["1'234'567", [[1234567]]],
    ['12 480 people', [[12480]]],
    ['１２３．５', [[123.5]]],
    ['−7.75', [[-7.75]]],
    ['1.2k', [[1200]]],
    ['1.2 million', [[1_200_000]]],
    ['1.1万亿', [[1.1e12]]],
    ['7.21e9', [[7.21e9]]],
    ['1.1 × 10^12', [[1.1e12]]],
    ['一百二十', [[120]]],
    ['三万五千', [[35000]]],
    ['十七点五', [[17.5]]],
    ['twelve hundred and five', [[1205]]],
    ['twenty-five', [[25]]],
    ['three four', []],
    ['1,2,3', [[1], [2], [3]]],
    ['the 12th', [[12]]],
    ['a 5-inch screen', [[5]]],
  ] as const)('numbers are found in "%s"', ([written, expected]) => {
    const found = findNumbers(toPlainCharacters(written), []);
    expect(
      found.map((one) => (one.type === 'number' ? one.readings.map(({ value }) => value) : one.key)),
    ).toEqual(expected);
  });

  test.for([
    ['Z58', 'z58'],
    ['blue-4471-sky', 'blue4471sky'],
    ['v24.11.1', '24.11.1'],
    ['020 7946 0991', '02079460991'],
    ['2026-0141', '20260141'],
  ])('a code is only matched as a whole: %s', ([written = '', key]) => {
    expect(findNumbers(written, [])).toMatchObject([{ type: 'code', key }]);
  });

  test('a JSON array is not mistaken for one large number', () => {
    const values = findNumbers('[101,103,107]', [], true).map(
      (one) => one.type === 'number' && one.readings[0]?.value,
    );
    expect(values).toEqual([101, 103, 107]);
  });

  test('the first number of a range gets the unit of the second', () => {
    expect(findNumbers('4 to 8 °C', [])).toMatchObject([
      { unit: { name: 'temperature 1' } },
      { unit: { name: 'temperature 1' } },
    ]);
  });
});

describe('dates in a text', () => {
  test.for([
    ['2026-11-24', { year: 2026, month: 11, day: 24 }],
    ['2026/11/24', { year: 2026, month: 11, day: 24 }],
    ['24.11.2026', { year: 2026, month: 11, day: 24 }],
    ['Nov 24', { month: 11, day: 24 }],
    ['24th of November, 2026', { year: 2026, month: 11, day: 24 }],
    ['Tuesday, November 24, 2026', { year: 2026, month: 11, day: 24 }],
    ['24. November 2026', { year: 2026, month: 11, day: 24 }],
    ['2026年11月24日', { year: 2026, month: 11, day: 24 }],
    ['十一月二十四号', { month: 11, day: 24 }],
    ['March 2026', { year: 2026, month: 3 }],
    ['1998年', { year: 1998 }],
    ['the 21st', { day: 21 }],
  ] as const)('a date is found in "%s"', ([written, expected]) => {
    const [found] = findDates(toPlainCharacters(written));
    expect(found?.readings[0]).toEqual(expect.objectContaining(expected));
  });

  test('both days of a range get the same month', () => {
    const days = findDates('from 26 to 28 November').map(({ readings }) => readings[0]?.day);
    expect(days).toEqual([26, 28]);
  });

  test.for(['25% off', 'may 5 people', '31.02.2026', 'room 12'])('no date is found in "%s"', (written) => {
    expect(findDates(written).filter(({ readings }) => readings[0]?.year !== undefined)).toEqual([]);
  });
});

describe('times of day in a text', () => {
  test.for([
    ['15:30', [930]],
    ['3:30 pm', [930]],
    ['3.30pm', [930]],
    ['3:30', [210, 930]],
    ['12 am', [0]],
    ['12:15 pm', [735]],
    ['half past two', [150, 870]],
    ["four o'clock", [240, 960]],
    ['下午三点半', [930]],
    ['晚上7点03分', [1143]],
    ['早上六点', [360]],
    ['15 Uhr', [900]],
  ] as const)('a time is found in "%s"', ([written, minutes]) => {
    expect(findTimes(toPlainCharacters(written)).map((time) => time.minutes)).toEqual([minutes]);
  });

  test.for(['2 小时', '25:00', '三点五'])('no time is found in "%s"', (written) => {
    expect(findTimes(written)).toEqual([]);
  });
});
