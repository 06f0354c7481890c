import { expect, test } from 'vitest';
import { gatherReadings } from '../../../src/ember/uncertain-calls';
import type { AssistantMessage } from '../../../src/contracts/message';
import { call, calling, sum, tryOut } from './replies';

const { signal } = new AbortController();
async function gather(replies: readonly AssistantMessage[], isPossible = () => true) {
  const readings = await gatherReadings(replies, { isPossible, tryOut }, signal);
  return readings.map(({ calls, votes, results }) => [
    calls.map(({ arguments: given }) => Object.values(given).join()).join('; '),
    votes,
    results.join('; '),
  ]);
}

test('at most three meanings of a request are found, most common first, with their results', async () => {
  const sums = ['45*7', '45/3*7', '45/3*7', '45/7', '7*3', '7*45', '45*3/7', '45/7', '45/3*7'];
  expect(await gather(sums.map((one) => calling(sum(one))))).toEqual([
    ['45/3*7', 3, '105'],
    // The same product in another order is the same reading.
    ['45*7', 2, '315'],
    ['45/7', 2, String(45 / 7)],
  ]);
});

test('a reply without a usable tool call does not count as a possible meaning of the request', async () => {
  const broken = { type: 'invalid-tool-call', id: 'x', raw: '{', reason: 'broken' } as const;
  const none = [calling(sum('oops')), calling({ type: 'text', text: 'Hi' }), calling(broken), calling()];
  expect(await gather([...none, calling(sum('2*2'))])).toEqual([['2*2', 1, '4']]);
  expect(await gather([calling(sum('2*2'))], () => false)).toEqual([]);
});

test('calls that differ only in the order of their arguments count as one meaning, even if they were not run', async () => {
  const lamps = [
    { room: 'hall', minutes: 5 },
    { minutes: 5, room: 'hall' },
    { room: 'hall', minutes: 6 },
  ];
  expect(await gather(lamps.map((given) => calling(call('lamp', given))))).toEqual([
    ['hall,5', 2, ''],
    ['hall,6', 1, ''],
  ]);
});

test('several calls in one reply count as one meaning', async () => {
  const both = calling(sum('2*3'), sum('4*5'));
  expect(await gather([both, calling(sum('2*3'))])).toEqual([
    ['2*3; 4*5', 1, '6; 20'],
    ['2*3', 1, '6'],
  ]);
});
