import { describe, expect, test } from 'vitest';
import { isGroundedCall } from '../../../src/ember/page-stage';
import type { Message } from '../../../src/contracts/message';

const said = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origins: [{ door: 'typed' }],
});
const rests = (name: string, given: Record<string, unknown>, ...history: Message[]) =>
  isGroundedCall({ type: 'tool-call', id: '1', name, arguments: given }, history);
const sum = (expression: string, ...history: Message[]) => rests('calculator', { expression }, ...history);
const result = (toolName: string, text: string): Message => ({
  role: 'tool',
  results: [
    {
      toolCallId: '1',
      toolName,
      content: [{ type: 'text', text }],
      isError: false,
      origins: [{ door: 'hearth' }],
    },
  ],
});

describe('a calculator call', () => {
  test.for([
    ['I had 950 on the card, 275 went on tyres', '950-275'],
    ['tip on $64.50 at 18 percent', '64.5*18/100'],
    ['squaring 37', '37^2'],
    ['root of 1,369', 'sqrt(1369)'],
    ['convert 7.5 hours to minutes', '7.5*60'],
    ['average of 71, 88 and 93', '(71+88+93)/3'],
    ['six lanterns at 12.50', '6*12.5'],
    ['320 this year, 250 last year, in percent', '(320-250)*100/250'],
    ['9折，原价460', '460*0.9'],
    ['一打12个，九打', '12*9'],
    ['二十二个2元', '22*2'],
    ['八斤四两换成两', '8*10+4'],
    ['拿走三分之一，二百七十九还剩', '279*2/3'],
    ['twenty-two pens in five boxes', '22/5'],
  ] as const)('it fits the request "%s": %s', ([asked, expression]) => {
    expect(sum(expression, said(asked))).toBe(true);
  });

  test.for([
    ['10 miles to km', '10*1000'],
    ['is 17 prime?', '17^2'],
    ['123', '123/2'],
    ['count to 10', '10*10'],
    ['26.2 miles', '262'],
    ['3 cups to ml', '3^3'],
    ['5 pounds in kg', '5 pounds in kg'],
    ['二十二条军规', '22/2'],
    ['catch twenty-two', '20/2'],
  ] as const)('it does not fit the request "%s": %s', ([asked, expression]) => {
    expect(sum(expression, said(asked))).toBe(false);
  });

  test('it may use a number from an earlier message', () => {
    expect(sum('409.5*2', said('17.5% of 2340'), result('calculator', '409.5'), said('times 2'))).toBe(true);
  });
});

describe('a clock call', () => {
  test.for([
    ['what time is it'],
    ['is it Monday?'],
    ['are the shops still open in Madrid'],
    ['悉尼天亮了吗'],
    ['还有多久，现在几点'],
    ['Should I call Tokyo, or is it too late there?'],
    ['Could we say what day it is today?'],
    ['现在几点，我能去睡了吗？'],
    ['Any idea what year it is?'],
    ['May I ask what month it is?'],
    ['Can I call my mom in Sydney right now?'],
    ['Can I get the current UTC?'],
    ['Is it still dark in Oslo? Can I call?'],
    ['Could I know if it is Monday in Auckland already?'],
    ['能看一下现在是什么时候吗'],
    ['能帮我看看现在纽约天亮了吗'],
    ['可以看下今年是哪一年吗'],
    ['现在该去上班了吗'],
    ['纽约的店现在开门了吗，我能去吗'],
  ])('it fits the request "%s"', ([asked]) => expect(rests('clock', {}, said(asked!))).toBe(true));

  test.for([
    ['what is love'],
    ['one plus one'],
    ['repeat that'],
    ['how many days until Christmas?'],
    ['say it in Chinese'],
    ['What should I cook tonight?'],
    ['Any ideas for dinner tomorrow?'],
    ['Suggest something for Sunday morning.'],
    ['晚上看点什么好，推荐一下'],
    ['我今天应该吃什么？'],
    ['推荐一个明天晚上看的电影'],
  ])('it does not fit the request "%s"', ([asked]) => expect(rests('clock', {}, said(asked!))).toBe(false));

  test('it fits a follow-up question only if the clock was called before', () => {
    const earlier = [said('time in Tokyo'), result('clock', '2026-11-24 05:51 Tuesday')];
    expect(rests('clock', { place: 'Paris' }, ...earlier, said('and in Paris?'))).toBe(true);
    expect(rests('clock', { place: 'Paris' }, said('and in Paris?'))).toBe(false);
  });
});

test('a call that uses a word twice does not fit a request that contains the word once', () => {
  const convert = (from: string, to: string) => rests('convert', { value: 5, from, to }, said('5 kg to KM'));
  expect(convert('kg', 'KM')).toBe(true);
  expect(convert('KM', 'KM')).toBe(false);
});

test('a web search counts as fitting every request, because the user decides whether it runs', () => {
  expect(rests('web_search', { query: 'anything' }, said('x'))).toBe(true);
});

const pasted =
  'The lamp burned all night. See https://lights.example/story for more, it is worth your time. '.repeat(6);
test.for([
  ['web_search', { query: 'lamp' }],
  ['fetch_page', { url: 'https://lights.example/story' }],
  ['clock', { place: 'all' }],
] as const)('pasted text is no reason for a tool call: call of %s', ([name, given]) => {
  expect(rests(name, given, said(pasted))).toBe(false);
  expect(rests(name, given, said(`${pasted}\n\nWhat is this about?`))).toBe(false);
});

test('a message with a long address does not count as pasted text', () => {
  const url = `https://lights.example/story?page=${'1'.repeat(400)}`;
  expect(rests('fetch_page', { url }, said(`What does ${url} say?`))).toBe(true);
});
