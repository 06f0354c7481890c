import { expect, test } from 'vitest';
import { readWordProblem } from '../../../src/ember/word-problems';

test.each([
  ['Three people share a bill of 86.40 plus a 10% tip. How much does each pay?', '86.40*(100+10)/100/3'],
  [
    'The dinner was $124.50 and we want to leave a 15% tip. There are 5 of us, how much does everyone pay?',
    '124.50*(100+15)/100/5',
  ],
  ['split 96 euros between 4 friends', '96/4'],
  ['A jacket costs 80 euros. How much is it with 35% off?', '80*(100-35)/100'],
  ['shoes are 120 with 25% off plus 8% sales tax, what do i pay', '120*(100-25)/100*(100+8)/100'],
  ['3 coffees at 2.80 each and 2 cakes at 3.50 each, how much in total?', '3*2.80+2*3.50'],
  ['I buy 12 pens at 1.25 each and pay with a 20 note. How much change do I get?', '20-12*1.25'],
  ['A ticket costs 12.50. How much do 4 tickets cost?', '4*12.50'],
  ['Tickets are 12.50 each. How much for 4 people?', '4*12.50'],
  ['how much is a 45 dollar meal with a 20% tip', '45*(100+20)/100'],
  ['What is the total for 6 books at 7.99 with 5.50 shipping?', '6*7.99+5.50'],
  ['A laptop is 900 and I have a voucher of 50, how much do I pay?', '900-50'],
  ['The bill is 1,250.40. Split it between four people, how much does each pay?', '1250.40/4'],
  ['两个人平分 86.4 元，每人付多少？', '86.4/2'],
  ['三个人吃饭花了 240 元，加 10% 小费，每人付多少钱？', '240*(100+10)/100/3'],
  ['一件外套 300 元，打八折，要多少钱？', '300*(100-20)/100'],
  ['每支笔 3.5 元，买 12 支，一共多少钱？', '12*3.5'],
  ['买了5本书，每本28元，付了200元，找回多少？', '200-5*28'],
  ['一共 360 块，分给 4 个人，每人多少？', '360/4'],
])('%s', (request, sum) => {
  expect(readWordProblem(request)).toBe(sum);
});

test.each([
  ['a number without a part', 'Three people share a bill of 86.40. How much is 12 more?'],
  [
    'a word that changes the sum',
    'Three people share a bill of 90. Anna pays twice as much. How much does each pay?',
  ],
  ['a recipe', 'A recipe for 4 people needs 300 g of flour. How much for 6 people?'],
  ['a speed', 'A train goes 120 km in 2 hours. How much is that per hour?'],
  ['a change over time', 'The rent is 900 a month. How much is it for 12 months?'],
  ['the tip itself', 'how much is a 20% tip on a 45 dollar meal'],
  ['the price before a discount', 'A jacket costs 80 with 35% off. How much was it originally?'],
  ['a saving', 'How much do I save with 35% off a jacket that costs 80?'],
  ['a tip that is included', 'The bill is 90 including a 10% tip, split between 3 people'],
  ['the user and others', 'I had dinner with 3 friends for 80, how much does each pay?'],
  ['the user and friends who share', 'Me and 3 friends share a bill of 80. How much does each pay?'],
  ['我和朋友', '我和三个朋友平分 80 元，每人付多少？'],
  ['小费', '一顿饭240元，10%小费是多少？'],
  ['no question', 'Three of us had dinner for 80 euros.'],
  ['one number alone', 'The jacket costs 80 euros. What should I wear with it?'],
  ['a number of something else', 'My phone number is 5551234, what is my address?'],
  ['somebody left out', 'Five people share a bill of 100, but only 4 pay. How much does each pay?'],
  ['shares that are not equal', 'We split 90 between 2 people, Tom pays 60%. How much does each pay?'],
  ['another request in it', 'A ticket costs 12. Write 4 lines about what it costs.'],
  ['an age', 'Tom is 12 and his sister is 3 years older, how old is she?'],
  ['a raise in words', 'A flat costs 900. It went up by 10%. What is the price?'],
  ['倍', '小明有 12 元，小红的钱是他的两倍，一共多少？'],
  ['路程', '一辆车 2 小时走 120 公里，每小时走多少？'],
  ['没有问题', '三个人吃饭花了 240 元。'],
])('%s is left to the model', (_, request) => {
  expect(readWordProblem(request)).toBeUndefined();
});
