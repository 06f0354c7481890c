import { expect, test } from 'vitest';
import { createSearchReading, type RequestReading } from '../../../src/ember/uncertain-calls';
import type { Message, ToolCall } from '../../../src/contracts/message';
import { call, calling, sum } from './replies';

const asks = (text: string): Message[] => [
  { role: 'user', content: [{ type: 'text', text }], origins: [{ door: 'typed' }] },
];
const reading = (given: ToolCall): RequestReading => ({
  calls: [given],
  message: calling(given),
  votes: 1,
  results: [undefined],
});
const clock = reading(call('clock', { place: 'yen' }));
const on = [{ name: 'web_search' }, { name: 'clock' }];
const read = (readings: RequestReading[], text: string, tools = on) =>
  createSearchReading(readings, asks(text), tools, () => 'new');

test('Hearth can offer the user a web search for the question itself', () => {
  const found = read([clock], 'How many yen is a dollar now?');
  expect(found?.calls).toEqual([
    {
      type: 'tool-call',
      id: 'new',
      name: 'web_search',
      arguments: { query: 'How many yen is a dollar now' },
    },
  ]);
  expect(found).toMatchObject({ votes: 0, message: { writer: 'page', finishReason: 'tool-calls' } });
});

test.for([
  ['the search is off', () => read([clock], 'How many yen?', [{ name: 'clock' }])],
  [
    'that search is already among the choices',
    () => read([reading(call('web_search', { query: 'How many yen' }))], 'How many yen?'),
  ],
  ['all choices are sums', () => read([reading(sum('45*7'))], 'If 3 cost 45, what do 7 cost?')],
  ['the question is too long for a search', () => read([clock], 'why '.repeat(60))],
  ['the user asked nothing', () => createSearchReading([clock], [], on, () => 'new')],
] as const)('a web search is not offered if %s', ([, found]) => expect(found()).toBeUndefined());
