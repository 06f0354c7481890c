import { expect, test } from 'vitest';
import { copiedCalls } from '../../../../src/agent/page-reply/copied-calls';
import type { Message } from '../../../../src/contracts/message';

const said = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const tools = [{ name: 'clock' }, { name: 'calculator' }];

test.for([
  ['seconds in a day = 24*60*60?', '24*60*60'],
  ['7除8等于多少', '7/8'],
  ['My cousin says 2 ** 11 is huge', '2^11'],
  ['If 3 shirts cost 45 euros, how much do 7 cost?', undefined],
  ['divide that by 2+3', undefined],
  [`${'This is a long text from elsewhere. '.repeat(12)} 2+2`, undefined],
] as const)('a call of the calculator for %s is %s', ([text, expression]) => {
  const copied = expression === undefined ? undefined : { calculator: { expression } };
  expect(copiedCalls([said('hi'), said(text)], tools)).toEqual(copied);
});

test('only the newest request counts, and only where there is a calculator', () => {
  expect(copiedCalls([said('2+2'), said('thanks')], tools)).toBeUndefined();
  expect(copiedCalls([said('2+2')], [{ name: 'clock' }])).toBeUndefined();
  expect(copiedCalls([], tools)).toBeUndefined();
});
