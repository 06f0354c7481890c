import { expect, test } from 'vitest';
import { calculate } from '../../../../../src/tools/builtin/calculator/calculate';

const refusals: Readonly<Record<string, readonly (readonly [expression: string, reason: string])[]>> = {
  'the reason names what is missing, and where': [
    ['', 'The expression is empty'],
    ['  ', 'The expression is empty'],
    ['12*', 'Expected a number after * at position 4'],
    ['17 * ', 'Expected a number after * at position 5'],
    ['17×', 'Expected a number after × at position 4'],
    ['*5', 'Expected a number at position 1'],
    ['2+*3', 'Expected a number after + at position 3'],
    ['()', 'Expected a number after ( at position 2'],
    ['（）', 'Expected a number after （ at position 2'],
    ['sqrt()', 'Expected a number after ( at position 6'],
    ['max(1,)', 'Expected a number after , at position 7'],
    ['√', 'Expected a number after √ at position 2'],
    ['2 3', 'Expected an operator before 3 at position 3'],
    ['1.2.3', 'Expected an operator before .3 at position 4'],
    ['sqrt 16', 'Expected ( after sqrt at position 6'],
    ['(1+2', 'Expected ) before the end at position 5; the ( at position 1 is not closed'],
    ['2*(3+(4)', 'Expected ) before the end at position 9; the ( at position 3 is not closed'],
  ],
  'the reason names what does not belong, and where': [
    ['1+2)', 'Unexpected ) at position 4; no ( stands before it'],
    ['3,14', 'Unexpected , at position 2; write decimals as 1.5 and thousands as 1,234'],
    ['1,23', 'Unexpected , at position 2; write decimals as 1.5 and thousands as 1,234'],
    ['[1,2]', 'Expected ) before , at position 3; the ( at position 1 is not closed'],
    ['a=5', 'Unexpected = at position 2; only numbers, operators, functions and conversions'],
    ['"abc"', 'Unexpected " at position 1; only numbers, operators, functions and conversions'],
    ['$5*3', 'Unexpected $ at position 1; only numbers, operators, functions and conversions'],
    ['5😀', 'Unexpected 😀 at position 2; only numbers, operators, functions and conversions'],
    ['1;2', 'Unexpected ; at position 2; only numbers, operators, functions and conversions'],
    ['5!!', 'Unexpected ! at position 3; write (3!)! for the factorial of a factorial'],
    [
      'sqrt(1,024)',
      'sqrt takes 1 number and got 2 at position 1; a comma in a function separates its numbers',
    ],
    ['1+pow(2)', 'pow takes 2 numbers and got 1 at position 3; a comma in a function separates its numbers'],
    [
      'log(1,2,3)',
      'log takes 1 or 2 numbers and got 3 at position 1; a comma in a function separates its numbers',
    ],
    [
      'gcd(4)',
      'gcd takes at least 2 numbers and got 1 at position 1; a comma in a function separates its numbers',
    ],
  ],
  'the reason names the operation without a value, and where': [
    ['1/0', 'Division by zero at position 2'],
    ['5+3/(2-2)', 'Division by zero at position 4'],
    ['5 mod 0', 'Division by zero at position 3'],
    ['0^-1', 'Division by zero at position 2'],
    ['1/sin(pi)', 'Division by zero at position 2'],
    ['sqrt(-4)', 'This root or power of a negative number is not real at position 1'],
    ['1+√(0-1)', 'This root or power of a negative number is not real at position 3'],
    ['(-8)^0.5', 'This root or power of a negative number is not real at position 5'],
    ['ln(0)', 'A logarithm needs a number above 0 at position 1'],
    ['2*log(-1)', 'A logarithm needs a number above 0 at position 3'],
    ['log(2,1)', 'The base of a logarithm cannot be 1 at position 1'],
    ['asin(2)', 'The result is not a real number at position 1'],
    ['tan(90°)', 'tan has no value here at position 1'],
    ['gcd(1.5,2)', 'gcd needs whole numbers at position 1'],
    ['2.5!', 'factorial needs whole numbers at position 4'],
    ['(-3)!', 'factorial needs numbers from 0 up at position 5'],
    ['round(1,99)', 'round needs a whole number of decimals from 0 to 50 at position 1'],
    ['floor(exp(200))', 'The number is known to 50 digits only at position 1'],
    ['sin(10^20)', 'The angle is too large at position 1'],
  ],
  'a result that is too large is refused before it is computed': [
    ['9^9^9', 'The result of this step has more than 10000 digits at position 2'],
    ['2^2^2^2^2^2', 'The result of this step has more than 10000 digits at position 4'],
    ['1+9**99999', 'The result of this step has more than 10000 digits at position 4'],
    ['100000!', 'The result of this step has more than 10000 digits at position 7'],
    ['perm(10^300,10^299)', 'The result of this step has more than 10000 digits at position 1'],
    ['1e99999', 'The result of this step has more than 10000 digits at position 1'],
    ['exp(10^9)', 'The result of this step has more than 10000 digits at position 1'],
    ['exp(-10^9)', 'The result of this step is closer to 0 than 1e-10000 at position 1'],
    ['10^1000', 'The result has more than 1000 digits; it is about 1e+1000'],
    ['1000!', 'The result has more than 1000 digits; it is about 4.02387260077e+2567'],
    [`${'('.repeat(101)}1${')'.repeat(101)}`, 'Parentheses are nested more than 100 deep at position 101'],
  ],
};

for (const [behaviour, rows] of Object.entries(refusals)) {
  test.for(rows)(`${behaviour}: %s`, ([expression, reason]) => {
    expect(calculate(expression)).toEqual({ ok: false, reason });
  });
}

test.for(['foo(2)', '2*constructor', 'toString(1)', 'hasOwnProperty', 'import(1)', '3 x', 'sqrt2'])(
  'an expression with an unknown name is refused with a reason: %s',
  (expression) => {
    const answer = calculate(expression);
    expect(answer).toMatchObject({ ok: false });
    expect(answer).toHaveProperty(
      'reason',
      expect.stringMatching(/^(Unknown name \w+|Expected \(?.+) at position \d+/),
    );
  },
);

test('the error for an unknown name lists every name that the calculator knows', () => {
  expect(calculate('2*foo')).toMatchObject({
    reason: expect.stringMatching(
      /^Unknown name foo at position 3; known: abs, sqrt, .*gcd, .*log10, .*pi, e, tau$/,
    ),
  });
});

test('no expression of the maximum length overflows the call stack', () => {
  for (const part of [
    '(',
    '-',
    '√',
    '2^',
    '1+',
    'sqrt(',
    '5!',
    '²',
    '1,',
    '2(',
    '%',
    'x',
    'max(1,',
    '5 km ',
    ' in ',
    '5 in ',
    'km+',
    '=',
    '1 km in km ',
    '是多少',
    ' ',
  ]) {
    const expression = part.repeat(1000).slice(0, 999) + '2';
    expect(calculate(expression)).toHaveProperty('ok');
  }
});
