import { expect, test } from 'vitest';
import { toDigits } from '../../../src/text/number-words';

test.for([
  ['seventy-two', '72'],
  ['a hundred and five', '105'],
  ['three thousand two hundred and one', '3201'],
  ['one million', '1000000'],
  ['twelve point five', '12.5'],
  ['two three', '2 3'],
  ['three and a half', '3.5'],
  ['2 and a quarter', '2.25'],
  ['twenty thirty', '20 30'],
  ['zero', '0'],
  ['I am the one - 5 minutes late', 'I am the one - 5 minutes late'],
  ['someone', 'someone'],
  ['三十七减十九', '37减19'],
  ['一百零五加二', '105加2'],
  ['两百五乘三', '250乘3'],
  ['一万三加一', '13000加1'],
  ['三亿除以二', '300000000除以2'],
  ['二〇二六减一', '2026减1'],
  ['三点五加一', '3.5加1'],
  ['四分之三', '(3/4)'],
  ['百分之十五', '15%'],
  ['五的三次方', '5的3次方'],
  ['一次方程', '一次方程'],
  ['算一下', '算一下'],
  ['再加一点', '再加一点'],
  ['第三加一', '第三加1'],
] as const)('the text “%s” is read as the number %s', ([written, digits]) => {
  expect(toDigits(written)).toBe(digits);
});
