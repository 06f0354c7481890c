import { expect, test } from 'vitest';
import {
  firstState,
  type NextStep,
  nextStep,
  type RoundEnd,
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
const saying = (...content: AssistantMessage['content']): Partial<RoundEnd> => ({
  message: { role: 'assistant', content, finishReason: 'stop' },
  calls: content.filter(({ type }) => type.endsWith('call')).length,
});
const answer = saying({ type: 'text', text: 'It is 1.' });
const ending = (finishReason: AssistantMessage['finishReason']): Partial<RoundEnd> => ({
  message: { role: 'assistant', content: [], finishReason },
});
const lost = (...content: AssistantMessage['content']) => ({ ...saying(...content), isLost: true });

const step = (
  round: Partial<RoundEnd>,
  state: Partial<TurnState> = {},
  changed: Partial<typeof limits> = {},
) => {
  const none = {
    message: { role: 'assistant' as const, content: [], finishReason: 'stop' as const },
    calls: 0,
  };
  const all = { ...limits, ...changed };
  return nextStep(
    { ...none, isLost: false, isRecovered: false, isStopped: false, isSteered: false, ...round },
    { ...firstState(all), ...state },
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

test.for<[string, Partial<RoundEnd>, Partial<TurnState>, string]>([
  ['an answer ends the turn', answer, {}, 'answered'],
  ['one that was too long', ending('length'), {}, 'cut-off'],
  ['one that went round in circles', ending('loop'), {}, 'looped'],
  ['one that the engine broke off', ending('error'), {}, 'failed'],
  ['one that was stopped', ending('aborted'), {}, 'stopped'],
  ['calls are answered, and the model is asked again', saying(call), {}, 'auto'],
  ['or not, as the person has something to add', { ...saying(call), isSteered: true }, {}, 'steered'],
  ['which waits for an answer that is there already', { ...answer, isSteered: true }, {}, 'answered'],
  ['Stop wins over all else', { ...saying(bad('a')), isLost: true, isStopped: true }, {}, 'stopped'],

  ['a lost reply that nothing brings back', lost(call), {}, 'failed'],
  ['one that was brought back is asked for again', { ...lost(), isRecovered: true }, {}, 'auto'],
  [
    'also in the last round, and as it was asked for',
    { ...lost(), isRecovered: true },
    { rounds: 3, toolChoice: { name: 'b' } },
    'b',
  ],
  ['one with calls goes on from their results', { ...lost(call), isRecovered: true }, {}, 'auto'],
  ['but not beyond the last round', { ...lost(call), isRecovered: true }, { rounds: 3 }, 'round-limit'],

  ['an invalid call is asked for again', saying(bad('a')), {}, 'a, as a second-chance'],
  ['of any tool, where it named none', saying(bad()), {}, 'required, as a second-chance'],
  ['or of none, where it named one that is not there', saying(bad('x')), {}, 'auto, as a second-chance'],
  ['not a third time', saying(bad('a')), { isSecondChance: true, secondChances: 1 }, 'invalid-call'],
  ['nor more often in a turn than the limit says', saying(bad('a')), { secondChances: 2 }, 'invalid-call'],
  ['after a good call a second one is', saying(bad('a')), { secondChances: 1 }, 'a, as a second-chance'],
  ['an invalid call before the limits', saying(bad('a')), { secondChances: 2, rounds: 3 }, 'invalid-call'],
  ['a good call after an invalid one is free again', saying(call), { toolChoice: { name: 'a' } }, 'auto'],

  ['the last round but one', saying(call), { rounds: 2 }, 'auto'],
  ['the last round', saying(call), { rounds: 3 }, 'round-limit'],
  ['the last call but one', saying(call), { calls: 6 }, 'auto'],
  ['the last call', saying(call), { calls: 7 }, 'call-limit'],
  ['the last call in the last round', saying(call), { calls: 7, rounds: 3 }, 'call-limit'],
  ['an answer in the last round', answer, { rounds: 3, calls: 7 }, 'answered'],
])('%s', ([, round, state, expected]) => {
  expect(said(step(round, state))).toBe(expected);
});

test('rounds and second chances are counted', () => {
  const first = step(saying(call, bad('a')));
  expect(first).toMatchObject({
    state: { rounds: 1, calls: 2, secondChances: 1, isSecondChance: true },
  });
  const second = first.type === 'ask' ? step(saying(call), first.state) : first;
  expect(second).toMatchObject({
    state: { rounds: 2, calls: 3, secondChances: 1, isSecondChance: false, toolChoice: 'auto' },
  });
});

test('without offered tools, no tool is ever required', () => {
  expect(firstState({ tools: [] }).toolChoice).toBe('none');
  expect(said(step(saying(call), {}, { tools: [] }))).toBe('none');
  expect(said(step(saying(bad()), {}, { tools: [] }))).toBe('none, as a second-chance');
});
