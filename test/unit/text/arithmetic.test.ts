import { describe, expect, test } from 'vitest';
import { readRequestedSum, readSingleSum, readSums } from '../../../src/text/arithmetic';

describe('the function readRequestedSum, given a short expression or question', () => {
  test.for([
    ['5*5', '5*5'],
    ['What is 5*5?', '5*5'],
    ['what is 9 * 9 ?', '9*9'],
    ['2 ** 11 ?', '2^11'],
    ['7除8等于多少', '7/8'],
    ['12乘以8等于多少', '12*8'],
    ['100除以4', '100/4'],
    ['7 * 7 = ?', '7*7'],
    ['３＋４×２＝？', '3+4*2'],
    ['what is 9 times 7', '9*7'],
    ['17.5% of 2340', '17.5% of 2340'],
    ['2340的17.5%是多少', '2340*17.5%'],
    ['What is 1000000 * 3%?', '1000000*3%'],
    ['What is 1,000,000 / 4?', '1000000/4'],
    ['sqrt(144)', 'sqrt(144)'],
    ['(3 + 4) x 2', '(3+4)*2'],
    ['How much is 100 divided by 8?', '100/8'],
    ['please calculate -3 + 5', '-3+5'],
    ['算一下 25 加 17', '25+17'],
    ['3^2', '3^2'],
    ['7-3', '7-3'],
    ['2 to the power of 10', '2^10'],
    ['gcd(12, 18)', 'gcd(12,18)'],
    ['what is 15 percent of 200', '15% of 200'],
    ['1e3*2', '1e3*2'],
    ['5 factorial', '5!'],
    ['5!', '5!'],
    ['10 mod 3', '10 mod 3'],
    ['9 squared plus 1', '9^2+1'],
    ['what is the square root of 2?', 'sqrt(2)'],
    ['根号16是多少', 'sqrt(16)'],
    ['25的平方', '25^2'],
    ['one plus one', '1+1'],
    ['what is twenty-five times four?', '25*4'],
    ['一加一等于几', '1+1'],
    ['三乘以七', '3*7'],
    ['七百二十除以十六', '720/16'],
    ['一百减三十七再减十九', '100-37-19'],
    ['二的十次方减去一', '2^10-1'],
    ['8000的百分之12是多少', '8000*12%'],
    ['六分之五乘以42', '(5/6)*42'],
    ['three hundred and five times two', '305*2'],
    ['2 to the 14th', '2^14'],
    ['Can you tell me what 12 over 5 is?', '12/5'],
    ['388+413-631', '388+413-631'],
    // Texts with no sum or with several.
    ['2019-2023', undefined],
    ['2026-1948', '2026-1948'],
    ['978-3-16-148410-0', undefined],
    ['020-7946-0958', undefined],
    ['double 3+4', undefined],
    ['用2除8', undefined],
    ['It costs 5!', undefined],
    ['one of the two', undefined],
    ['the twenty-one minutes', undefined],
    ['42', undefined],
    ['2026-11-23', undefined],
    ['555-1234', undefined],
    ['call +49 30 1234567', undefined],
    ['version 1.2.3', undefined],
    ['24/7', undefined],
    ['We won 3-1', undefined],
    ['at 10:30 - 11:15', undefined],
    ['What is 2+2 and 3+3?', undefined],
    ['If 3 shirts cost 45 euros, how much do 7 cost?', undefined],
    ['My card number is 4111 1111 1111 1111', undefined],
    ['What is 5*5 in Roman numerals?', undefined],
    ['pages 10-12', undefined],
    ['11/23/2026', undefined],
  ] as const)('finds the expression to calculate: “%s” gives %s', ([text, expression]) => {
    expect(readRequestedSum(text)).toBe(expression);
  });
});

describe('the function readSums', () => {
  test.for([
    ['seconds in a day = 24*60*60?', ['24*60*60']],
    ['I have 3 cats and 2 + 2 dogs', ['2+2']],
    ['17.5 % of 2340 and the time in Tokyo', ['17.5% of 2340']],
    ['2+2, then 3 * 4', ['2+2', '3*4']],
    ['born 1990-05-17, 34 years old', []],
    ['the 3/4 inch bolt', []],
    ['room 12-04, floor 3', []],
    ['IPv4 192.168.0.1/24', []],
    ['Berlin 2-1 Hamburg', []],
    ['', []],
  ] as const)('finds all sums in the text: %s', ([text, sums]) => {
    expect(readSums(text).sums.map(({ expression }) => expression)).toEqual(sums);
  });

  test.for([
    ['iPhone 15 plus 2 cases', []],
    ['Is the Galaxy 15 plus 2 chargers dear?', []],
    ['a bed plus 2 chairs', []],
    ['15 plus 2 cases', ['15+2']],
    ['the 10 x 15 cm photo', []],
    ['Is 1920x1080 full HD?', []],
    ['Germany 3 - 1 Brazil', []],
    ['I have 45 - 12 apples', ['45-12']],
    ['chapters 3 - 8', []],
    ['三加一工程', []],
    ['满100减20', []],
    ['+1 202 555 0173', []],
  ] as const)('chooses the likelier meaning of the text: %s', ([text, sums]) => {
    expect(readSums(text).sums.map(({ expression }) => expression)).toEqual(sums);
  });

  test('returns the position of a sum', () => {
    expect(readSums('a day = 24*60?').sums).toEqual([{ expression: '24*60', start: 8, end: 13 }]);
  });

  test('reads a long run of operators in linear time', () => {
    expect(readSums('('.repeat(1900)).sums).toEqual([]);
    expect(readSums(`1${'+1'.repeat(900)}`).sums).toHaveLength(1);
  });
});

describe('the function readSingleSum', () => {
  test.for([
    ['seconds in a day = 24*60*60?', '24*60*60'],
    ['I need 12 times 7 for my homework', '12*7'],
    ['hey can u do 19.99 times three plus 4.50 postage', '19.99*3+4.50'],
    ['my nephew claims ninety-nine times ninety-nine is more', '99*99'],
    ['老师问三百二十一除以三得多少，帮我看看', '321/3'],
    ['I have 3 cats and 2 + 2 dogs', '2+2'],
    // Sums that are only a part of a larger one.
    ['divide that by 2+3', undefined],
    ['add 5 to 3*4', undefined],
    ['double 3+4 for me', undefined],
    ['x + 3*4', undefined],
    ['3*4 + x', undefined],
    ['what is 12*7, then divided by 2', undefined],
    ['take 20% off 45+30', undefined],
    ['the average of 3+4', undefined],
    ['3加4，然后乘2', undefined],
    ['再加上3*4', undefined],
    // Texts with several sums or none.
    ['2+2, then 3 * 4', undefined],
    ['3 shirts cost 45 euros', undefined],
  ] as const)('reads the only sum in a text: “%s” gives %s', ([text, expression]) => {
    expect(readSingleSum(text)).toBe(expression);
  });
});

describe('the function readRequestedSum, given a sum within a longer request', () => {
  test.for([
    ['seconds in a day = 24*60*60?', '24*60*60'],
    ['the bill is 17 + 23, what is the total?', '17+23'],
    ['I can not work out ８１×７, can you?', '81*7'],
    ['作业：３１＋６', '31+6'],
    ['5*5', '5*5'],
    // Requests for the model, or for other tools too.
    ['my cousin says 12*7 is huge', undefined],
    ['what is the total of 12*7 and the time in Oslo', undefined],
    ['search: 24*7 shops', undefined],
    ['现在几点，另外帮我算 85*0.9', undefined],
    ['记住：3+4', undefined],
    ['what is 12*7 in 3 shops altogether', undefined],
    ['double 3+4, what is the result?', undefined],
    ['34*19 and also 812/7, what is the total', undefined],
  ] as const)('finds the sum that the text asks for: “%s” gives %s', ([text, expression]) => {
    expect(readRequestedSum(text)).toBe(expression);
  });
});
