import { expect, test } from 'vitest';
import type { Message } from '../../../src/contracts/message';
import type { Tool } from '../../../src/contracts/tool';
import { readPlainCalls } from '../../../src/ember/plain-calls';
import { loadPlaces } from '../../support/small-model';

const said = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origins: [{ door: 'typed' }],
});
const never = new AbortController().signal;
const lamp = (isError: boolean): Tool => ({
  name: 'lamp',
  title: 'Lamp',
  description: '',
  inputSchema: { type: 'object' },
  examples: [{ request: 'Lamp on for 5 minutes', arguments: { minutes: 5 } }],
  effects: () => ({ type: 'pure' }),
  execute: async () => ({ content: [], isError, origins: [{ door: 'hearth' }] }),
});

const plainly = (text: string, tool: Tool) => readPlainCalls([said(text)], [tool], never, loadPlaces);

test("a request worded like a tool's example becomes a call of that tool", async () => {
  expect(await plainly('Lamp on for 12 minutes, please', lamp(false))).toEqual([
    { name: 'lamp', arguments: { minutes: 12 } },
  ]);
});

test('a request is left to the model if its call would fail', async () => {
  expect(await plainly('Lamp on for 12 minutes', lamp(true))).toBeUndefined();
});

test('a plain sum in the request becomes a calculator call even if the sum cannot be computed', async () => {
  const calculator = { ...lamp(true), name: 'calculator', examples: [] };
  expect(await plainly('1/0', calculator)).toEqual([
    { name: 'calculator', arguments: { expression: '1/0' } },
  ]);
});

test('only the newest question becomes a call', async () => {
  const history = [
    said('Lamp on for 5 minutes'),
    { role: 'assistant' as const, content: [], finishReason: 'aborted' as const },
  ];
  expect(await readPlainCalls(history, [lamp(false)], never, loadPlaces)).toBeUndefined();
});

test('the calculator converts what a tool of the user cannot', async () => {
  const converter = {
    ...lamp(true),
    name: 'convert_units',
    examples: [{ request: '5 kg to pounds', arguments: { value: 5, from: 'kg', to: 'pounds' } }],
  };
  const calculator = { ...lamp(false), name: 'calculator', examples: [] };
  const calls = await readPlainCalls([said('5 ft 10 in to cm')], [calculator, converter], never, loadPlaces);
  expect(calls).toEqual([{ name: 'calculator', arguments: { expression: '5 ft 10 in in cm' } }]);
});

test.for(['What is 100 F in C?', '20 C in F', '98.6度是多少摄氏度', '华氏 98.6 度是摄氏多少度？'])(
  'a conversion of temperatures is no question about the weather: %s',
  async (request) => {
    const calculator = { ...lamp(false), name: 'calculator', examples: [] };
    const weather = { ...lamp(false), name: 'weather', examples: [] };
    const calls = await readPlainCalls([said(request)], [weather, calculator], never, loadPlaces);
    expect(calls).toMatchObject([{ name: 'calculator' }]);
  },
);
