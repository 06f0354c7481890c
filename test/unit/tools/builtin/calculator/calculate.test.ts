import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { calculate } from '../../../../../src/tools/builtin/calculator/calculate';
import { slow } from '../../../../support/matrix';

const results: Readonly<Record<string, readonly (readonly [expression: string, result: string])[]>> = {
  'whole numbers of any size are exact': [
    ['17*23', '391'],
    ['2+3*4', '14'],
    ['(2+3)*4', '20'],
    ['10-2-3', '5'],
    ['100/5/2', '10'],
    ['-5+3', '-2'],
    ['3--2', '5'],
    ['+5', '5'],
    ['2*-3', '-6'],
    ['2^64', '18446744073709551616'],
    ['123456789*987654321', '121932631112635269'],
    ['99999999999999999999999*99999999999999999999999', '9999999999999999999999800000000000000000000001'],
    ['10^100', `1${'0'.repeat(100)}`],
    ['10^999', `1${'0'.repeat(999)}`],
    ['30!', '265252859812191058636308480000000'],
    ['1.5e3', '1500'],
    ['1e400/1e399', '10'],
    ['1000!/998!', '999000'],
    ['0-0', '0'],
    ['-0', '0'],
  ],
  'decimals have no float error': [
    ['0.1+0.2', '0.3'],
    ['0.1*3-0.3', '0'],
    ['1-0.9-0.1', '0'],
    ['1.005*100', '100.5'],
    ['12*18/100', '2.16'],
    ['19.99*3', '59.97'],
    ['7/8', '0.875'],
    ['-7/8', '-0.875'],
    ['1/1024', '0.0009765625'],
    ['2^-3', '0.125'],
    ['.5+.5', '1'],
    ['5.', '5'],
    ['1e-5', '0.00001'],
    ['0.000000000123', '0.000000000123'],
    ['1e-30*1e-30', '1e-60'],
    ['-1.5*10^-20', '-1.5e-20'],
    ['123456789.123456789*1000', '123456789123.456789'],
    ['1.1^30', '17.4494022689 (exactly 17.449402268886407318558803753801)'],
    ['2^-64', '5.42101086243e-20 (exactly 5.42101086242752217003726400434970855712890625e-20)'],
  ],
  'fractions stay fractions': [
    ['1/3*3', '1'],
    ['1/3+1/6', '0.5'],
    ['1/3', '0.333333333333 (exactly 1/3)'],
    ['2/3', '0.666666666667 (exactly 2/3)'],
    ['-1/3', '-0.333333333333 (exactly -1/3)'],
    ['20/7', '2.85714285714 (exactly 20/7)'],
    ['1000000000001/3', '333333333333.6667 (exactly 1000000000001/3)'],
    ['10^30/7', '1.42857142857e+29 (exactly 1000000000000000000000000000000/7)'],
    ['avg(1,2,4)', '2.33333333333 (exactly 7/3)'],
    ['1/7^200', '9.55854957948e-170 (rounded)'],
  ],
  'powers and roots are exact if possible': [
    ['2^3^2', '512'],
    ['(2^3)^2', '64'],
    ['-2^2', '-4'],
    ['(-2)^2', '4'],
    ['2**10', '1024'],
    ['2²+3³', '31'],
    ['2¹⁰', '1024'],
    ['-3²', '-9'],
    ['0^0', '1'],
    ['0^5', '0'],
    ['1^(10^300)', '1'],
    ['(-1)^(10^300+1)', '-1'],
    ['8^(2/3)', '4'],
    ['(8/27)^(1/3)', '0.666666666667 (exactly 2/3)'],
    ['(-8)^(1/3)', '-2'],
    ['(-2)^(1/3)', '-1.25992104989 (rounded)'],
    ['4^-0.5', '0.5'],
    ['sqrt(16)', '4'],
    ['sqrt(0.25)', '0.5'],
    ['sqrt(10^40)', '100000000000000000000'],
    ['sqrt(2)', '1.41421356237 (rounded)'],
    ['sqrt(2)^2', '2'],
    ['sqrt(8)/sqrt(2)', '2'],
    ['sqrt(2)-sqrt(2)', '0'],
    ['cbrt(27)', '3'],
    ['cbrt(-27)', '-3'],
    ['root(32,5)', '2'],
    ['pow(2,10)', '1024'],
    ['√16', '4'],
    ['√(9+16)', '5'],
    ['2√9', '6'],
    ['∛27', '3'],
    ['√√16', '2'],
  ],
  'a percentage counts hundredths, after + or - of the left side': [
    ['15% of 80', '12'],
    ['15%*80', '12'],
    ['50%', '0.5'],
    ['12.5%', '0.125'],
    ['80 + 10%', '88'],
    ['80 - 10%', '72'],
    ['100+20+10%', '132'],
    ['100*2+10%', '220'],
    ['80+10%*5', '80.5'],
    ['200+10% of 50', '205'],
    ['10%+5%', '0.15'],
    ['10%+5%+5%', '0.2'],
    ['80+(10%)', '88'],
    ['19.99-15%', '16.9915'],
  ],
  'a remainder has the sign of the divisor': [
    ['17%5', '2'],
    ['17 % 5', '2'],
    ['17 mod 5', '2'],
    ['mod(17,5)', '2'],
    ['-17 mod 5', '3'],
    ['17 mod -5', '-3'],
    ['5.5 mod 2', '1.5'],
    ['17//5', '3'],
    ['-17//5', '-4'],
  ],
  'functions and constants are known': [
    ['abs(-3)', '3'],
    ['round(2.5)', '3'],
    ['round(-2.5)', '-3'],
    ['round(3.14159,2)', '3.14'],
    ['round(100/3,2)', '33.33'],
    ['round(pi,15)', '3.141592653589793'],
    ['floor(-2.5)', '-3'],
    ['ceil(2.1)', '3'],
    ['ceil(sqrt(2))', '2'],
    ['min(3,1,2)', '1'],
    ['max(1/3,0.33)', '0.333333333333 (exactly 1/3)'],
    ['max(sqrt(2),1)', '1.41421356237 (rounded)'],
    ['sum(1,2,3)', '6'],
    ['gcd(12,18)', '6'],
    ['gcd(12,18,8)', '2'],
    ['lcm(4,6)', '12'],
    ['5!', '120'],
    ['(3!)!', '720'],
    ['factorial(0)', '1'],
    ['comb(5,2)', '10'],
    ['comb(1000,998)', '499500'],
    ['nCr(52,5)', '2598960'],
    ['perm(5,2)', '20'],
    ['comb(2,5)', '0'],
    ['log(1000)', '3'],
    ['log10(0.001)', '-3'],
    ['lg(100)', '2'],
    ['log2(1024)', '10'],
    ['log(8,2)', '3'],
    ['ln(e^2)', '2'],
    ['ln(10)', '2.30258509299 (rounded)'],
    ['exp(0)', '1'],
    ['exp(1)', '2.71828182846 (rounded)'],
    ['exp(ln(5))', '5'],
    ['e^pi', '23.1406926328 (rounded)'],
    ['sin(0)', '0'],
    ['sin(pi)', '0'],
    ['sin(30°)', '0.5'],
    ['cos(60°)', '0.5'],
    ['cos(pi)', '-1'],
    ['tan(45°)', '1'],
    ['sin(1)', '0.841470984808 (rounded)'],
    ['asin(1)*2-pi', '0'],
    ['acos(0.5)', '1.0471975512 (rounded)'],
    ['arctan(1)*4', '3.14159265359 (rounded)'],

    ['tau/2-pi', '0'],
    ['SQRT(16)+PI*0', '4'],
  ],
  'an operator may be left out before a name or a parenthesis': [
    ['2(3+4)', '14'],
    ['(1+2)(3+4)', '21'],
    ['2pi', '6.28318530718 (rounded)'],
    ['2 sqrt(16)', '8'],
    ['6/2(1+2)', '9'],
  ],
  'operators may be written in other ways, and in Chinese': [
    ['17×23', '391'],
    ['10÷4', '2.5'],
    ['12−5', '7'],
    ['12–5', '7'],
    ['3·4', '12'],
    ['3 x 4', '12'],
    ['3x4', '12'],
    ['3X4', '12'],
    ['(1+2)x(3)', '9'],
    ['１２×３', '36'],
    ['（１＋２）÷３', '1'],
    ['１７＊２３', '391'],
    ['１００／８', '12.5'],
    ['１２－５', '7'],
    ['５０％', '0.5'],
    ['３．１４＋１', '4.14'],
    ['２＾１０', '1024'],
    ['ｓｑｒｔ（１６）', '4'],
    ['１，２３４＋１', '1235'],
    ['max（1，5）', '5'],
    ['π-pi', '0'],
    ['圆周率*0', '0'],
    ['根号16', '4'],
    ['17乘23', '391'],
    ['17乘以23', '391'],
    ['10除以4', '2.5'],
    ['3加4减2', '5'],
    ['80的15%', '12'],
    ['1.5万+3000', '18000'],
    ['3亿/2', '150000000'],
    ['17 plus 4', '21'],
    ['2 times 3', '6'],
    ['[(1+2)*3]/{9}', '1'],
    ['17*23=', '391'],
    ['17×23＝？', '391'],
    ['  17 * 23\n', '391'],
  ],
  'thousands may be grouped, but not in a function': [
    ['1,234.5', '1234.5'],
    ['1,234,567*2', '2469134'],
    ['(1,000+1)*2', '2002'],
    ['max(1,234)', '234'],
    ['max((1,234),5)', '1234'],
  ],
};

for (const [behaviour, rows] of Object.entries(results)) {
  test.for(rows)(`${behaviour}: %s`, ([expression, value]) => {
    expect(calculate(expression)).toEqual({ ok: true, value });
  });
}

test('an expression is never evaluated as code', () => {
  // A page's CSP blocks both. Here we replace them to prove that the calculator uses neither.
  const blocked = vi.fn(() => {
    throw new EvalError('blocked');
  });
  vi.stubGlobal('eval', blocked);
  vi.stubGlobal('Function', blocked);
  expect(calculate('sin(1)^2+cos(1)^2+ln(exp(3))+5!+1/3')).toMatchObject({ ok: true });
  expect(calculate('constructor.constructor("return 1")()')).toMatchObject({ ok: false });
  vi.unstubAllGlobals();
  expect(blocked).not.toHaveBeenCalled();
});

test('integer sums, differences and products are exact to the last digit', () => {
  const written = fc.letrec<{ node: [string, bigint] }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      fc.bigInt(-(10n ** 20n), 10n ** 20n).map((value): [string, bigint] => [`(${value})`, value]),
      fc
        .tuple(tie('node'), fc.constantFrom('+', '-', '*'), tie('node'))
        .map(([[left, a], sign, [right, b]]): [string, bigint] => [
          `(${left}${sign}${right})`,
          sign === '+' ? a + b : sign === '-' ? a - b : a * b,
        ]),
    ),
  })).node;
  fc.assert(
    fc.property(written, ([expression, value]) => {
      fc.pre(String(value).length <= 1000);
      expect(calculate(expression)).toEqual({ ok: true, value: String(value) });
    }),
    { seed: 17, numRuns: 300 },
  );
});

slow('every expression gets a result or an error message', () => {
  const pieces = fc.constantFrom(
    ...Array.from('0123456789.,+-*/^()!%√²π 万x'),
    'sqrt(',
    'log(',
    'mod',
    'e',
    'foo',
    '😀',
    '"',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const answer = calculate(parts.join(''));
      expect(answer.ok ? answer.value : answer.reason).toMatch(/./);
    }),
    { seed: 23, numRuns: 2000 },
  );
});
