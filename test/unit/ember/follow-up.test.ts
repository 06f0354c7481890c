import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/contracts/message';
import { readFollowUp } from '../../../src/ember/plain-calls';

const said = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origins: [{ door: 'typed' }],
});
/** A turn in which the model called the calculator with `expression`. */
function after(expression: string, isError = false): Message[] {
  return [
    said('a sum'),
    {
      role: 'assistant',
      content: [{ type: 'tool-call', id: '1', name: 'calculator', arguments: { expression } }],
      finishReason: 'tool-calls',
    },
    {
      role: 'tool',
      results: [
        {
          toolCallId: '1',
          toolName: 'calculator',
          content: [{ type: 'text', text: '0' }],
          isError,
          origins: [{ door: 'hearth' }],
        },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'It is 0.' }], finishReason: 'stop' },
  ];
}

describe('a follow-up question to a sum', () => {
  test.for([
    ['2880+50', 'divide that by 2', '(2880+50)/2'],
    ['2880+50', 'Now add 7.', '(2880+50)+7'],
    ['4*4', 'times 3', '(4*4)*3'],
    ['4*4', 'minus 10?', '(4*4)-10'],
    ['4*4', 'and squared?', '(4*4)^2'],
    ['90/4', 'now take 7 off that', '(90/4)-7'],
    ['4*4', 'double it', '(4*4)*2'],
    ['4*4', 'what is half of that', undefined],
    ['4*4', 'half of that', '(4*4)/2'],
    ['2340*17.5%', '那5000呢？', '5000*17.5%'],
    ['17.5% of 2340', 'and 5000?', '17.5% of 5000'],
    ['17.5% of 2340', 'what about 20%?', '20% of 2340'],
    ['45*12', 'and if it were 13?', '45*13'],
    ['300*8/10', '再减50', '(300*8/10)-50'],
    ['5000*2', '再除以2', '(5000*2)/2'],
    ['1200+1', 'times 1,000', '(1200+1)*1000'],
    ['26.2 miles in km', 'and in feet?', '26.2 miles in feet'],
    ['26.2 miles in km', 'What about 10 miles?', '10 miles in km'],
    ['10 英里 换成 公里', '那20英里呢？', '20 英里 换成 公里'],
    ['26.2 miles in km', 'divide that by 2', undefined],
  ] as const)('after %s, "%s" means %s', ([before, message, expression]) => {
    expect(readFollowUp([...after(before), said(message)])).toBe(expression);
  });

  test.for([
    ['thanks'],
    ['why?'],
    ['what time is it?'],
    ['5*5'],
    ['hello 5 times'],
    ['add milk to the list'],
    [''],
  ])('is not recognised in "%s"', ([message]) => {
    expect(readFollowUp([...after('4*4'), said(message!)])).toBeUndefined();
  });

  test('is left to the model if it names a percentage but the last sum contained none', () => {
    expect(readFollowUp([...after('4*4'), said('and 20%?')])).toBeUndefined();
  });

  test('continues only a successful sum from the previous turn', () => {
    expect(readFollowUp([...after('1/0', true), said('add 7')])).toBeUndefined();
    expect(
      readFollowUp([...after('4*4'), said('thanks'), ...after('4*4').slice(-1), said('add 7')]),
    ).toBeUndefined();
    expect(readFollowUp([said('add 7')])).toBeUndefined();
  });
});
