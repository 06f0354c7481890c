import { expect, test } from 'vitest';
import {
  createTurnState,
  type NextStep,
  decideNextStep,
  type RoundOutcome,
  type TurnState,
} from '../../../src/agent/next-step';
import type { AssistantMessage, Message, ToolMessage, ToolResult } from '../../../src/contracts/message';

const limits = { rounds: 4, calls: 8, secondChances: 2, tools: [{ name: 'a' }, { name: 'b' }] };
const call = { type: 'tool-call' as const, id: '1', name: 'a', arguments: {} };
const bad = (name?: string) => ({
  type: 'invalid-tool-call' as const,
  id: '1',
  raw: '{',
  reason: 'no',
  ...(name !== undefined && { name }),
});
const saying = (...content: AssistantMessage['content']): Partial<RoundOutcome> => ({
  message: { role: 'assistant', content, finishReason: 'stop' },
  calls: content.filter(({ type }) => type.endsWith('call')).length,
});
const answer = saying({ type: 'text', text: 'It is 1.' });
const ending = (finishReason: AssistantMessage['finishReason']): Partial<RoundOutcome> => ({
  message: { role: 'assistant', content: [], finishReason },
});
const lost = (...content: AssistantMessage['content']) => ({ ...saying(...content), isLost: true });

const step = (
  round: Partial<RoundOutcome>,
  state: Partial<TurnState> = {},
  changed: Partial<typeof limits> = {},
) => {
  const none = {
    message: { role: 'assistant' as const, content: [], finishReason: 'stop' as const },
    calls: 0,
  };
  const all = { ...limits, ...changed };
  return decideNextStep(
    {
      ...none,
      isLost: false,
      isRecovered: false,
      isStopped: false,
      isSteered: false,
      isRepeat: false,
      turn: [],
      ...round,
    },
    { ...createTurnState(all), ...state },
    all,
  );
};
/** Returns why the turn ends, such as `answered`, or else what the model must do next: `auto`, `words`, `required` or the name of a tool. */
const said = (next: NextStep) => {
  if (next.type === 'end') return next.reason;
  const { toolChoice } = next.state;
  const choice = typeof toolChoice === 'string' ? toolChoice : toolChoice.name;
  if (next.state.wordsOr) return `words, or ${next.state.wordsOr}`;
  return next.notice ? `${choice}, as a ${next.notice}` : choice;
};

test.for<[string, Partial<RoundOutcome>, Partial<TurnState>, string]>([
  ['an answer ends the turn', answer, {}, 'answered'],
  ['an answer that is too long ends the turn as cut off', ending('length'), {}, 'cut-off'],
  ['an answer that repeats itself ends the turn as looped', ending('loop'), {}, 'looped'],
  ['an answer with an engine error ends the turn as failed', ending('error'), {}, 'failed'],
  ['an answer that the user stopped ends the turn as stopped', ending('aborted'), {}, 'stopped'],
  ['after tool calls, the model is asked again', saying(call), {}, 'auto'],
  ['after calls, a queued follow-up ends the turn', { ...saying(call), isSteered: true }, {}, 'steered'],
  [
    'an answer ends the turn as answered, even with a queued follow-up',
    { ...answer, isSteered: true },
    {},
    'answered',
  ],
  ['Stop wins over everything else', { ...saying(bad('a')), isLost: true, isStopped: true }, {}, 'stopped'],

  ['a lost reply without recovery ends the turn as failed', lost(call), {}, 'failed'],
  ['a lost reply is requested again after recovery', { ...lost(), isRecovered: true }, {}, 'auto'],
  [
    'a lost reply is requested again even in the last round, with the same tool choice',
    { ...lost(), isRecovered: true },
    { rounds: 3, toolChoice: { name: 'b' } },
    'b',
  ],
  ['a lost reply with calls continues from their results', { ...lost(call), isRecovered: true }, {}, 'auto'],
  [
    'after a lost reply with calls in the last round, the model must answer in words',
    { ...lost(call), isRecovered: true },
    { rounds: 3 },
    'words, or round-limit',
  ],

  ['an invalid call is requested again, for the same tool', saying(bad('a')), {}, 'a, as a second-chance'],
  [
    'an invalid call without a name is requested again, for any tool',
    saying(bad()),
    {},
    'required, as a second-chance',
  ],
  [
    'after a call of a tool that does not exist, the model must answer in words',
    saying(bad('x')),
    {},
    'words, or invalid-call',
  ],
  [
    'after a second invalid call in a row, the model must answer in words',
    saying(bad('a')),
    { isSecondChance: true, secondChances: 1 },
    'words, or invalid-call',
  ],
  [
    'if all second chances are used up, the model must answer in words',
    saying(bad('a')),
    { secondChances: 2 },
    'words, or invalid-call',
  ],
  [
    'an invalid call instead of words ends the turn',
    saying(bad('a')),
    { wordsOr: 'invalid-call' },
    'invalid-call',
  ],
  [
    'no words in the last round end the turn for the reason of that round',
    {},
    { wordsOr: 'round-limit' },
    'round-limit',
  ],
  ['a reply that only repeats calls is followed by words', { isRepeat: true }, {}, 'words, or answered'],
  ['words in the last round are the answer', answer, { wordsOr: 'round-limit' }, 'answered'],
  [
    'an invalid call after a valid one gets another second chance',
    saying(bad('a')),
    { secondChances: 1 },
    'a, as a second-chance',
  ],
  [
    'an invalid call counts before the limit of rounds',
    saying(bad('a')),
    { secondChances: 2, rounds: 3 },
    'words, or invalid-call',
  ],
  [
    'after a valid call, the choice of tools is free again',
    saying(call),
    { toolChoice: { name: 'a' } },
    'auto',
  ],

  ['after the second last round, the model is asked again', saying(call), { rounds: 2 }, 'auto'],
  [
    'after the last round with tools, the model must answer in words',
    saying(call),
    { rounds: 3 },
    'words, or round-limit',
  ],
  ['after the second last call, the model is asked again', saying(call), { calls: 6 }, 'auto'],
  ['after the last call, the model must answer in words', saying(call), { calls: 7 }, 'words, or call-limit'],
  [
    'if both limits are reached, the limit of calls is the reason',
    saying(call),
    { calls: 7, rounds: 3 },
    'words, or call-limit',
  ],
  ['an answer in the last round still counts as answered', answer, { rounds: 3, calls: 7 }, 'answered'],
])('%s', ([, round, state, expected]) => {
  expect(said(step(round, state))).toBe(expected);
});

test('the model requests, tool calls and retries of a turn are counted', () => {
  const first = step(saying(call, bad('a')));
  expect(first).toMatchObject({
    state: { rounds: 1, calls: 2, secondChances: 1, isSecondChance: true },
  });
  const second = first.type === 'ask' ? step(saying(call), first.state) : first;
  expect(second).toMatchObject({
    state: { rounds: 2, calls: 3, secondChances: 1, isSecondChance: false, toolChoice: 'auto' },
  });
});

test('a model is never required to call a tool if none is offered', () => {
  expect(createTurnState({ tools: [] }).toolChoice).toBe('none');
  expect(said(step(saying(call), {}, { tools: [] }))).toBe('none');
  expect(said(step(saying(bad()), {}, { tools: [] }))).toBe('none, as a second-chance');
});

const user = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origins: [{ door: 'typed' }],
});
/** One round: a call of `name` with this text, and its result. */
const round = (name: string, input: string, output: string, result: Partial<ToolResult> = {}): Message[] => {
  const id = `${name} ${input}`;
  return [
    {
      role: 'assistant',
      content: [{ type: 'tool-call', id, name, arguments: { input } }],
      finishReason: 'tool-calls',
    },
    {
      role: 'tool',
      results: [
        {
          toolCallId: id,
          toolName: name,
          content: [{ type: 'text', text: output }],
          isError: false,
          origins: [{ door: 'hearth' }],
          ...result,
        },
      ],
    },
  ];
};

test.for<[string, Message[], string]>([
  ['a first call', round('a', '15*240/100', '36'), 'auto'],
  ['a repeated call', round('a', '15*240/100', '36', { isRepeated: true }), 'words, or answered'],
  [
    'a new call beside a repeated one',
    [
      ...round('a', '1+1', '2'),
      { ...round('a', '1+1', '2')[0]!, content: [] } as Message,
      {
        role: 'tool',
        results: [
          ...(round('a', '1+1', '2', { isRepeated: true })[1] as ToolMessage).results,
          ...(round('a', '2+2', '4')[1] as ToolMessage).results,
        ],
      },
    ],
    'auto',
  ],
  [
    'two calls of which one uses the result of the other',
    [...round('a', '15*240/100', '36'), ...round('a', '36*240/100', '86.4')],
    'auto',
  ],
  [
    'three calls that each use the result of the one before',
    [
      ...round('a', '15*240/100', '36'),
      ...round('a', '36*240/100', '86.4'),
      ...round('a', '86.4*240/100', '207.36'),
    ],
    'words, or answered',
  ],
  [
    'three calls of which the last is of another tool',
    [...round('a', '15*240', '36'), ...round('a', '36*2', '72'), ...round('b', '72', '1')],
    'auto',
  ],
  [
    'three calls that only have digits in common',
    [...round('a', '7*5', '35'), ...round('a', '2*135', '270'), ...round('a', '1*2700', '2700')],
    'auto',
  ],
  [
    'three calls that each read on from a long text',
    [
      ...round('a', 'one', 'two '.repeat(30).trim()),
      ...round('a', 'two '.repeat(30).trim(), 'three '.repeat(30).trim()),
      ...round('a', 'three '.repeat(30).trim(), 'four'),
    ],
    'auto',
  ],
])('%s', ([, turn, expected]) => {
  expect(said(step({ ...saying(call), turn: [user("What's 15% of 240?"), ...turn] }))).toBe(expected);
});

test('a request with many numbers may need a longer chain', () => {
  const request = user('Multiply 37 by 46, subtract 700, divide by 6 and add 12.');
  const three = [
    ...round('a', '37*46', '1702'),
    ...round('a', '1702-700', '1002'),
    ...round('a', '1002/6', '167'),
  ];
  expect(said(step({ ...saying(call), turn: [request, ...three] }))).toBe('auto');
});
