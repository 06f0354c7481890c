import { expect, test } from 'vitest';
import {
  createTurnState,
  type NextStep,
  decideNextStep,
  type RoundOutcome,
  type TurnState,
} from '../../../src/agent/next-step';
import type { AssistantMessage } from '../../../src/contracts/message';

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
    { ...none, isLost: false, isRecovered: false, isStopped: false, isSteered: false, ...round },
    { ...createTurnState(all), ...state },
    all,
  );
};
/** Returns why the turn ends, such as `answered`, or else what the model must do next: `auto`, `none`, `required` or the name of a tool. */
const said = (next: NextStep) => {
  if (next.type === 'end') return next.reason;
  const { toolChoice } = next.state;
  const choice = typeof toolChoice === 'string' ? toolChoice : toolChoice.name;
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
    'a lost reply with calls in the last round reaches the limit',
    { ...lost(call), isRecovered: true },
    { rounds: 3 },
    'round-limit',
  ],

  ['an invalid call is requested again, for the same tool', saying(bad('a')), {}, 'a, as a second-chance'],
  [
    'an invalid call without a name is requested again, for any tool',
    saying(bad()),
    {},
    'required, as a second-chance',
  ],
  [
    'an invalid call of an unknown tool is requested again, with a free choice',
    saying(bad('x')),
    {},
    'auto, as a second-chance',
  ],
  [
    'a second invalid call in a row ends the turn',
    saying(bad('a')),
    { isSecondChance: true, secondChances: 1 },
    'invalid-call',
  ],
  [
    'an invalid call ends the turn if all second chances are used up',
    saying(bad('a')),
    { secondChances: 2 },
    'invalid-call',
  ],
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
    'invalid-call',
  ],
  [
    'after a valid call, the choice of tools is free again',
    saying(call),
    { toolChoice: { name: 'a' } },
    'auto',
  ],

  ['after the second last round, the model is asked again', saying(call), { rounds: 2 }, 'auto'],
  ['the last round ends the turn', saying(call), { rounds: 3 }, 'round-limit'],
  ['after the second last call, the model is asked again', saying(call), { calls: 6 }, 'auto'],
  ['the last call ends the turn', saying(call), { calls: 7 }, 'call-limit'],
  [
    'if both limits are reached, the limit of calls is the reason',
    saying(call),
    { calls: 7, rounds: 3 },
    'call-limit',
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
