import { describe, expect, test } from 'vitest';
import { ask, clock, type ExamRequest, own, search, time } from '../../../../src/app/exam/exam-requests';
import { type ExamReply, judge, rightReading } from '../../../../src/app/exam/run-exam';

const reply = (changed: Partial<ExamReply>): ExamReply => ({ calls: [], results: [], text: '', ...changed });
const call = (name: string, given: Record<string, unknown>) => ({ name, arguments: given });

const sum = ask('en', 'sums', 1, 'What?', { facts: [['217']] });
const lima = ask('en', 'time', 1, 'Lima?', { calls: [clock('Lima', 'Lima, Peru')], facts: [time(1, 40)] });
const two = ask('en', 'several', 1, 'Both?', {
  calls: [clock('Oslo'), clock('Lima')],
  facts: [time(7, 40), time(1, 40)],
});
const found = ask('en', 'search', 1, 'Find?', { calls: [search('axolotl')], facts: [['worms']] });
const counted = ask('en', 'custom', 1, 'Do it 12 times', { calls: [own('do_it', { times: [12] })] });
const talk = ask('zh', 'none', 1, '你好', { calls: [] });
const plain = ask('en', 'honest', 1, 'How many live at 12 Elm Street?', { isPlain: true });

interface Case {
  name: string;
  request: ExamRequest;
  reply: Partial<ExamReply>;
}

const right: Case[] = [
  { name: 'a sum, whatever was called', request: sum, reply: { text: 'It is 217.' } },
  { name: 'a sum with a fraction of noughts', request: sum, reply: { text: '217.00 it is' } },
  {
    name: 'a call with another spelling of the place, and the time in words',
    request: lima,
    reply: { calls: [call('clock', { place: 'lima, peru' })], text: '1:40 AM in Lima' },
  },
  {
    name: 'two calls in any order',
    request: two,
    reply: {
      calls: [call('clock', { place: 'Lima' }), call('clock', { place: 'Oslo' })],
      text: 'Oslo 07:40, Lima 01:40',
    },
  },
  {
    name: 'the same call twice',
    request: lima,
    reply: {
      calls: [call('clock', { place: 'Lima' }), call('clock', { place: 'Lima' })],
      text: '当地是1点40分',
    },
  },
  {
    name: 'a search in words of its own, as thorough as it likes',
    request: found,
    reply: { calls: [call('web_search', { query: 'what Axolotls eat', depth: 'deep' })], text: 'Worms!' },
  },
  {
    name: 'a number as an argument',
    request: counted,
    reply: { calls: [call('do_it', { times: 12 })], text: 'Done.' },
  },
  { name: 'words where no call is needed', request: talk, reply: { text: '你好！' } },
  {
    name: 'numbers of the request and of results',
    request: plain,
    reply: { results: ['Elm Street has 1,204 trees.'], text: 'Nothing on 12 Elm Street, but 1204 trees.' },
  },
];

test.for(right)('$name is right', ({ request, reply: given }) => {
  expect(judge(request, reply(given))).toBeUndefined();
});

const wrong: Case[] = [
  { name: 'another number that has the right one in it', request: sum, reply: { text: 'It is 12170.' } },
  { name: 'a number that goes on after its point', request: sum, reply: { text: 'It is 217.5.' } },
  { name: 'nothing', request: sum, reply: { text: ' ' } },
  { name: 'an answer without its call', request: lima, reply: { text: '01:40' } },
  {
    name: 'another hour',
    request: lima,
    reply: { calls: [call('clock', { place: 'Lima' })], text: '11:40' },
  },
  {
    name: 'another place',
    request: lima,
    reply: { calls: [call('clock', { place: 'Rome' })], text: '01:40' },
  },
  {
    name: 'one call of two',
    request: two,
    reply: { calls: [call('clock', { place: 'Oslo' })], text: 'Oslo 07:40, Lima 01:40' },
  },
  {
    name: 'a call too many',
    request: lima,
    reply: {
      calls: [call('clock', { place: 'Lima' }), call('web_search', { query: 'Lima' })],
      text: '01:40',
    },
  },
  {
    name: 'an argument too many',
    request: counted,
    reply: { calls: [call('do_it', { times: 12, more: true })], text: 'Done.' },
  },
  {
    name: 'a number as text where one is wanted',
    request: counted,
    reply: { calls: [call('do_it', { times: '12' })], text: 'Done.' },
  },
  { name: 'a call in small talk', request: talk, reply: { calls: [call('clock', {})], text: '12:00' } },
  { name: 'a reply that broke off', request: sum, reply: { text: '217', error: '[engine-crashed] gone' } },
];

test.for(wrong)('$name is wrong', ({ request, reply: given }) => {
  expect(judge(request, reply(given))).toMatchObject({ request: request.text });
});

test('an invented number is named', () => {
  const mistake = judge(plain, reply({ results: ['A street.'], text: 'On 12 Elm Street live 340 people.' }));
  expect(mistake).toMatchObject({ expected: { isPlain: true }, came: { invented: '340' } });
});

test('a mistake names the expected answer in its usual spelling, and the actual one', () => {
  const made = [call('clock', { place: 'Rome' })];
  expect(judge(lima, reply({ calls: made, text: 'Noon.' }))).toEqual({
    request: 'Lima?',
    expected: {
      calls: [{ name: 'clock', arguments: { place: 'Lima' } }],
      facts: ['01:40'],
      isPlain: false,
    },
    came: { calls: made, text: 'Noon.' },
  });
});

describe('readings to choose from', () => {
  const reading = (calls: ReturnType<typeof call>[], results: string[] = []) => ({ calls, results });

  test('the intended reading is chosen, or a step on the way to it', () => {
    const readings = [
      reading([call('web_search', { query: 'Oslo' })]),
      reading([call('clock', { place: 'Oslo' })]),
    ];
    expect(rightReading(two, readings)).toBe(1);
  });

  test('if any calls are allowed, the reading whose result has the answer is chosen', () => {
    const readings = [
      reading([call('calculator', { expression: '1' })], ['1']),
      reading([call('calculator', { expression: '7 * 31' })], ['217']),
    ];
    expect(rightReading(sum, readings)).toBe(1);
  });

  test('no reading is chosen if no call is right', () => {
    expect(rightReading(talk, [reading([call('clock', {})])])).toBeUndefined();
  });
});
