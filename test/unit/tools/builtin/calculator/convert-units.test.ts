import { expect, test } from 'vitest';
import { unitConverter } from '../../../../../src/tools/custom/gallery/number-tools';
import { calculate } from '../../../../../src/tools/builtin/calculator/calculate';

const results: Readonly<Record<string, readonly (readonly [expression: string, result: string])[]>> = {
  'a conversion is exact and names its unit': [
    ['26.2 miles in km', '42.1648128 km'],
    ['26.2 mi to km', '42.1648128 km'],
    ['26.2mi into km?', '42.1648128 km'],
    ['convert 5 km to m', '5000 m'],
    ['5 km = ? m', '5000 m'],
    ['5 km -> m', '5000 m'],
    ['1 lb in kg', '0.45359237 kg'],
    ['1 GAL in L', '3.785411784 l'],
    ['1 acre in m^2', '4046.8564224 m²'],
    ['60 mph in km/h', '96.56064 km/h'],
    ['48 h in days', '2 days'],
    ['24 h in days', '1 day'],
    ['1000 ms in s', '1 s'],
    ['1 GiB in MB', '1073.741824 MB'],
    ['16 Gb in GB', '2 GB'],
    ['1 cup in ml', '236.5882365 ml'],
    ['1 imp pt in ml', '568.26125 ml'],
  ],
  'temperatures have different zeros': [
    ['98.6 °F to °C', '37 °C'],
    ['98.6°F in C', '37 °C'],
    ['-40 C to F', '-40 °F'],
    ['0 K in celsius', '-273.15 °C'],
    ['300 K in °F', '80.33 °F'],
  ],
  'quantities add up': [
    ['5 ft 10 in to cm', '177.8 cm'],
    [`5'10" in cm`, '177.8 cm'],
    ['5 feet and 10 inches in cm', '177.8 cm'],
    ['-5 ft 10 in in in', '-70 in'],
    ['10 in in cm', '25.4 cm'],
    ['3 kg + 500 g in g', '3500 g'],
    ['2 h 30 min in s', '9000 s'],
  ],
  'a result may have two units': [
    ['177.8 cm in feet and inches', '5 ft 10 in'],
    ['-177.8 cm in ft and in', '-5 ft 10 in'],
    ['180 cm in ft + in', '5 ft 10.8661417323 in (rounded)'],
    ['9000 s in h and min', '2 h 30 min'],
    ['30 h in days and hours', '1 day 6 h'],
    ['70 kg in st and lb', '11 st 0.323583529414 lb (rounded)'],
    ['177.8厘米是几英尺几英寸', '5 ft 10 in'],
  ],
  'the value may be any expression': [
    ['(3+4) km in m', '7000 m'],
    ['15% of 80 kg in g', '12000 g'],
    ['1,234.5 km in m', '1234500 m'],
    ['sqrt(16) m in cm', '400 cm'],
    ['5 x 3 m in cm', '1500 cm'],
    ['1e3 m in km', '1 km'],
    ['min(3,4) min in s', '180 s'],
    ['3万公里换成米', '30000000 米'],
  ],
  'a rounded result says so': [
    ['100 F in C', '37.7777777778 °C (exactly 340/9)'],
    ['pi m in cm', '314.159265359 cm (rounded)'],
  ],
  'units have Chinese names': [
    ['10 英里 换成 公里', '16.09344 公里'],
    ['10英里是多少公里', '16.09344 公里'],
    ['98.6 华氏度 换成 摄氏度', '37 摄氏度'],
    ['100斤换成公斤', '50 公斤'],
    ['473.176473 毫升 换成 杯', '2 美制杯'],
  ],
};

for (const [behaviour, rows] of Object.entries(results)) {
  test.for(rows)(`${behaviour}: %s`, ([expression, value]) => {
    expect(calculate(expression)).toEqual({ ok: true, value });
  });
}

test.for([
  ['5 parsec in km', /^Unknown unit parsec; known: mm cm .* km/],
  ['5 km in parsec', /^Unknown unit parsec; known: mm cm .* km/],
  ['toString in constructor', /^Unknown unit toString; known/],
  ['5 km in kg', /^km is a unit of length and kg of mass; convert to a unit of the same kind$/],
  ['5 C 3 F in K', /^Two temperatures have no sum; convert one at a time$/],
  ['5 m in ft and kg', /^Unknown unit ft and kg; /],
  ['5 ft 3 kg in cm', /^kg is a unit of mass and cm of length; /],
  ['5 dollars in euros', /^Money is not a unit; look up the exchange rate and multiply$/],
  ['100 pounds in dollars', /^Money is not a unit/],
  ['$5 in EUR', /^Money is not a unit/],
  ['2 years in days', /^Months and years differ in length; write days$/],
  ['5 in km', /^Expected a unit at position 2; such as 5 km in mi$/],
  ['kg in lb', /^Expected a number before kg at position 1$/],
  ['5 kg', /^kg is a unit at position 3; leave units out, or write only a conversion, such as 5 km in mi$/],
  ['5 km + 3', /^km is a unit at position 3; /],
  ['(5 km in mi) * 2', /^A conversion must be the whole expression; /],
  ['5 km in mi + 3 km in mi', /^km is a unit at position 3; /],
  ['1/0 kg in lb', /^Division by zero at position 2$/],
  ['convert 2*foo kg to lb', /^Unknown name foo at position 11; /],
  ['9^9^9 kg in g', /^The result of this step has more than 10000 digits at position 2$/],
] as const)('a conversion that is not possible is refused with a next step: %s', ([expression, reason]) => {
  expect(calculate(expression)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
});

const examples = unitConverter.examples.map(({ arguments: given, result }) => ({
  expression: `${String(given['value'])} ${String(given['from'])} in ${String(given['to'])}`,
  result: (JSON.parse(result!) as { result: number }).result,
}));

test.for(examples)('agrees with the tool of the gallery: $expression', ({ expression, result }) => {
  const answer = calculate(expression);
  const value = answer.ok ? parseFloat(answer.value) : NaN;
  expect(Number(value.toPrecision(10))).toBe(result);
});
