import { describe, expect, test } from 'vitest';
import type { Tool } from '../../../src/contracts/tool';
import { createCalculatorTool } from '../../../src/tools/builtin/calculator';
import { createClockTool } from '../../../src/tools/builtin/clock';
import { readRequest, readSumInSteps } from '../../../src/ember/plain-calls';

const pure = (spec: Pick<Tool, 'name' | 'inputSchema' | 'examples'>): Tool => ({
  title: spec.name,
  description: '',
  effects: () => ({ type: 'pure' }),
  execute: () => Promise.resolve({ content: [], isError: false, origins: [{ door: 'hearth' }] }),
  ...spec,
});
const units = pure({
  name: 'convert_units',
  inputSchema: { type: 'object' },
  examples: [
    { request: 'How many km are 26.2 miles?', arguments: { value: 26.2, from: 'miles', to: 'km' } },
    { request: 'Convert 10 miles to km', arguments: { value: 10, from: 'miles', to: 'km' } },
    { request: 'How many cups in a litre?', arguments: { value: 1, from: 'litre', to: 'cups' } },
    { request: 'How many cups are in a litre?', arguments: { value: 1, from: 'litre', to: 'cups' } },
  ],
});
const sender: Tool = {
  ...pure({
    name: 'send_note',
    inputSchema: { type: 'object' },
    examples: [{ request: 'Send Anna a note', arguments: { to: 'Anna' } }],
  }),
  effects: () => ({ type: 'side-effect' }),
};
const tools = [createCalculatorTool(() => Promise.resolve('0')), createClockTool(), units, sender];
const sum = (expression: string) => ({ name: 'calculator', arguments: { expression } });
const time = (place: string) => ({ name: 'clock', arguments: { place } });
const convert = (value: number, from: string, to: string) => ({
  name: 'convert_units',
  arguments: { value, from, to },
});

describe('calls that a request spells out', () => {
  test.for([
    ['What is 5*5?', [sum('5*5')]],
    ['What time is it?', [{ name: 'clock', arguments: {} }]],
    ['please tell me the time in New York', [time('New York')]],
    ['东京现在几点', [time('东京')]],
    ['What time is it in Tokyo, Paris and New York?', [time('Tokyo'), time('Paris'), time('New York')]],
    [
      '17.5 % of 2340 and the time in Tokyo, Paris and New York',
      [sum('17.5% of 2340'), time('Tokyo'), time('Paris'), time('New York')],
    ],
    ['2340的17.5%是多少，东京和巴黎现在几点', [sum('2340*17.5%'), time('东京'), time('巴黎')]],
    [
      '2340的17.5%，还有东京、巴黎和纽约的时间',
      [sum('2340*17.5%'), time('东京'), time('巴黎'), time('纽约')],
    ],
    ['how many pounds are 5 kg', [convert(5, 'kg', 'pounds')]],
    ['Could you convert 1,200 feet to metres please?', [convert(1200, 'feet', 'metres')]],
    ['How many cups are in a gallon?', [convert(1, 'gallon', 'cups')]],
    ['how many seconds are in a day', [convert(1, 'day', 'seconds')]],
    ['Convert 72°F to C', [convert(72, 'F', 'C')]],
    ['convert 5kg → pounds', [convert(5, 'kg', 'pounds')]],
  ] as const)('are found in "%s"', ([request, calls]) => {
    expect(readRequest(request, tools)).toEqual(calls);
  });

  test.for([
    ['What time is it in Tokyo and who won the election?'],
    ['Send Ben a note'],
    ['Convert my mother to Buddhism'],
    ['hello'],
    ['How much is a coffee?'],
    ['Is the time in Tokyo and Paris the same?'],
    ['2+2 and then some more'],
  ] as const)('are not found in "%s"', ([request]) => {
    expect(readRequest(request, tools)).toBeUndefined();
  });

  test('are left to the model if two tools match', () => {
    const twin = { ...units, name: 'other_units' };
    expect(readRequest('Convert 10 parsecs to km', [...tools, twin])).toBeUndefined();
  });

  test.for([
    ['How many kilometres are 26.2 miles?', ['26.2 miles in kilometres']],
    ['华氏 98.6 度是摄氏多少度？', ['98.6 华氏度 换成 摄氏度']],
    ['5 kg in pounds and 17*23', ['5 kg in pounds', '17*23']],
    ['10英里是多少公里，5公斤是多少磅', ['10 英里 换成 公里', '5 公斤 换成 磅']],
    ['What are 100 pounds in kilos?', ['100 pounds in kilos']],
  ] as const)(
    'are conversions by the calculator without a tool for units: "%s"',
    ([request, expressions]) => {
      const money: Tool = {
        ...pure({
          name: 'convert_currency',
          inputSchema: { type: 'object' },
          examples: [
            {
              request: 'What are 100 dollars in euros?',
              arguments: { amount: 100, from: 'dollars', to: 'euros' },
            },
          ],
        }),
        effects: () => ({ type: 'side-effect' }),
      };
      const on = [...tools.filter((tool) => tool !== units), money];
      expect(readRequest(request, on)).toEqual(expressions.map(sum));
    },
  );

  test('include no conversion if the calculator is off', () => {
    expect(readRequest('26.2 miles in km', [sender])).toBeUndefined();
  });

  test('include no sum if the calculator is off', () => {
    expect(readRequest('5*5', [units])).toBeUndefined();
  });
});

test.each([
  ['Multiply 37 by 46, then subtract 700 from the result.', '(37*46)-700'],
  ['Divide 144 by 12 and then add 5.', '(144/12)+5'],
  ['Multiply 12 by 12 and subtract 44', '(12*12)-44'],
  ['Add 15 to 27. Then double it.', '(15+27)*2'],
  ['Subtract 8 from 50, then divide by 7.', '(50-8)/7'],
  ['What is 12 times 9, then minus 8?', '(12*9)-8'],
  ['先算 25 乘 48，再除以 6，结果是多少？', '(25*48)/6'],
  ['50 减 8，再乘 3 等于多少？', '(50-8)*3'],
])('a sum in steps: %s', (request, expression) => {
  expect(readSumInSteps(request)).toBe(expression);
});

test.each([
  'First add 3 and 4, then call Anna',
  'Add salt, then stir for 5 minutes.',
  'Multiply 37 by 46',
  'I was born in 1984, then moved in 1990',
  '先吃饭，再算 3 加 4',
])('no sum in steps: %s', (request) => {
  expect(readSumInSteps(request)).toBeUndefined();
});
