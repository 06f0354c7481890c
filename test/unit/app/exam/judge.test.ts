import { describe, expect, test } from 'vitest';
import {
  createExamRequest,
  expectClock,
  type ExamRequest,
  expectCall,
  expectSearch,
  spellTime,
} from '../../../../src/app/exam/requests';
import { type ExamReply, judgeReply, findCorrectInterpretation } from '../../../../src/app/exam/run-exam';

const reply = (changed: Partial<ExamReply>): ExamReply => ({ calls: [], results: [], text: '', ...changed });
const call = (name: string, given: Record<string, unknown>) => ({ name, arguments: given });

const sum = createExamRequest('en', 'sums', 1, 'What?', { facts: [['217']] });
const lima = createExamRequest('en', 'time', 1, 'Lima?', {
  calls: [expectClock('Lima', 'Lima, Peru')],
  facts: [spellTime(1, 40)],
});
const two = createExamRequest('en', 'several', 1, 'Both?', {
  calls: [expectClock('Oslo'), expectClock('Lima')],
  facts: [spellTime(7, 40), spellTime(1, 40)],
});
const found = createExamRequest('en', 'search', 1, 'Find?', {
  calls: [expectSearch('axolotl')],
  facts: [['worms']],
});
const counted = createExamRequest('en', 'custom', 1, 'Do it 12 times', {
  calls: [expectCall('do_it', { times: [12] })],
});
const talk = createExamRequest('zh', 'none', 1, '你好', { calls: [] });
const plain = createExamRequest('en', 'honest', 1, 'How many live at 12 Elm Street?', { isPlain: true });

interface Case {
  name: string;
  request: ExamRequest;
  reply: Partial<ExamReply>;
}

const right: Case[] = [
  { name: 'the sum, with or without a call', request: sum, reply: { text: 'It is 217.' } },
  { name: 'the sum with zeros after the point', request: sum, reply: { text: '217.00 it is' } },
  {
    name: 'a call with another accepted place name, and the time in words',
    request: lima,
    reply: { calls: [call('clock', { place: 'lima, peru' })], text: '1:40 AM in Lima' },
  },
  {
    name: 'an answer after both calls in another order',
    request: two,
    reply: {
      calls: [call('clock', { place: 'Lima' }), call('clock', { place: 'Oslo' })],
      text: 'Oslo 07:40, Lima 01:40',
    },
  },
  {
    name: 'the right call twice',
    request: lima,
    reply: {
      calls: [call('clock', { place: 'Lima' }), call('clock', { place: 'Lima' })],
      text: '当地是1点40分',
    },
  },
  {
    name: 'a search in other words, followed by more calls',
    request: found,
    reply: { calls: [call('web_search', { query: 'what Axolotls eat', depth: 'deep' })], text: 'Worms!' },
  },
  {
    name: 'a call with a number as an argument',
    request: counted,
    reply: { calls: [call('do_it', { times: 12 })], text: 'Done.' },
  },
  { name: 'a reply without calls if none is needed', request: talk, reply: { text: '你好！' } },
  {
    name: 'an answer with numbers from the request and from results',
    request: plain,
    reply: { results: ['Elm Street has 1,204 trees.'], text: 'Nothing on 12 Elm Street, but 1204 trees.' },
  },
];

test.for(right)('an exam answer counts as right: $name', ({ request, reply: given }) => {
  expect(judgeReply(request, reply(given))).toBeUndefined();
});

const wrong: Case[] = [
  { name: 'a number that contains the right one', request: sum, reply: { text: 'It is 12170.' } },
  { name: 'a number with another fraction', request: sum, reply: { text: 'It is 217.5.' } },
  { name: 'an empty reply', request: sum, reply: { text: ' ' } },
  { name: 'the right answer without the required call', request: lima, reply: { text: '01:40' } },
  {
    name: 'the wrong hour',
    request: lima,
    reply: { calls: [call('clock', { place: 'Lima' })], text: '11:40' },
  },
  {
    name: 'a call with the wrong place',
    request: lima,
    reply: { calls: [call('clock', { place: 'Rome' })], text: '01:40' },
  },
  {
    name: 'only one of two calls',
    request: two,
    reply: { calls: [call('clock', { place: 'Oslo' })], text: 'Oslo 07:40, Lima 01:40' },
  },
  {
    name: 'an extra call',
    request: lima,
    reply: {
      calls: [call('clock', { place: 'Lima' }), call('web_search', { query: 'Lima' })],
      text: '01:40',
    },
  },
  {
    name: 'an extra argument',
    request: counted,
    reply: { calls: [call('do_it', { times: 12, more: true })], text: 'Done.' },
  },
  {
    name: 'a string for a number',
    request: counted,
    reply: { calls: [call('do_it', { times: '12' })], text: 'Done.' },
  },
  {
    name: 'a call in reply to small talk',
    request: talk,
    reply: { calls: [call('clock', {})], text: '12:00' },
  },
  {
    name: 'a reply that ends with an error',
    request: sum,
    reply: { text: '217', error: '[engine-crashed] gone' },
  },
];

test.for(wrong)('an exam answer counts as wrong: $name', ({ request, reply: given }) => {
  expect(judgeReply(request, reply(given))).toMatchObject({ request: request.text });
});

test('the report on a wrong exam answer names a number that the model invented', () => {
  const mistake = judgeReply(
    plain,
    reply({ results: ['A street.'], text: 'On 12 Elm Street live 340 people.' }),
  );
  expect(mistake).toMatchObject({ expected: { isPlain: true }, came: { invented: '340' } });
});

test('the report on a wrong exam answer shows the expected and the actual answer', () => {
  const made = [call('clock', { place: 'Rome' })];
  expect(judgeReply(lima, reply({ calls: made, text: 'Noon.' }))).toEqual({
    request: 'Lima?',
    expected: {
      calls: [{ name: 'clock', arguments: { place: 'Lima' } }],
      facts: ['01:40'],
      isPlain: false,
    },
    came: { calls: made, text: 'Noon.' },
  });
});

describe('choosing the right interpretation of an ambiguous exam question', () => {
  const reading = (calls: ReturnType<typeof call>[], results: string[] = []) => ({ calls, results });

  test('prefers the interpretation with an expected tool call, even if another expected call is missing', () => {
    const readings = [
      reading([call('web_search', { query: 'Oslo' })]),
      reading([call('clock', { place: 'Oslo' })]),
    ];
    expect(findCorrectInterpretation(two, readings)).toBe(1);
  });

  test('prefers the interpretation with the right result if the question expects no particular tool call', () => {
    const readings = [
      reading([call('calculator', { expression: '1' })], ['1']),
      reading([call('calculator', { expression: '7 * 31' })], ['217']),
    ];
    expect(findCorrectInterpretation(sum, readings)).toBe(1);
  });

  test('chooses no interpretation if no tool call is right', () => {
    expect(findCorrectInterpretation(talk, [reading([call('clock', {})])])).toBeUndefined();
  });
});
