/** Where the user is asked which call is meant: in the reply, or in the permission question. */
import { describe, expect, test } from 'vitest';
import type { RequestReading } from '../../../src/ember/uncertain-calls';
import {
  createUncertainCallOptions,
  createAgentUncertainCallOptions,
  certaintyThresholdsOf,
} from '../../../src/ember/index';
import type { ToolCall } from '../../../src/contracts/message';
import type { ApprovalAnswer, ApprovalRequest, ReadingQuestion } from '../../../src/contracts/permission';
import { ember } from '../../../src/ember/spec';
import type { ReadingChoice, ReadingChooser } from '../../../src/contracts/small-model-policy';
import { tool } from '../../support/tools';
import { calling } from './replies';

const search = tool('search', async () => 'not run');
const clock = tool('clock', async () => '12:00');
let ids = 0;
const call = (name: string, query: string): ToolCall => ({
  type: 'tool-call',
  id: `c${ids++}`,
  name,
  arguments: { query },
});
const reading = (...calls: ToolCall[]): RequestReading => ({
  calls,
  message: calling(...calls),
  votes: 1,
  results: calls.map(() => undefined),
});

interface Person {
  isAsking?: boolean;
  place?: number;
  answer?: ApprovalAnswer | 'none';
}

function stage({ isAsking = true, place = 0, answer = 'once' }: Person = {}) {
  const shown: ReadingChoice[] = [];
  const asked: ReadingQuestion[] = [];
  const ahead: [string, ApprovalAnswer][] = [];
  const questions: ReadingChooser = {
    isAsking: () => isAsking,
    async choose(choice) {
      shown.push(choice);
      return place;
    },
    async chooseAndAllow(question) {
      asked.push(question);
      return answer === 'none' ? answer : { reading: place, answer };
    },
  };
  /** Only a search needs permission. */
  const preview = async (given: ToolCall): Promise<ApprovalRequest | undefined> =>
    given.name === 'search'
      ? {
          id: 'q',
          chatId: 'chat',
          call: given,
          toolTitle: 'Search',
          reason: 'first-search',
          targets: ['example.org'],
          origins: [],
          offers: ['chat'],
          isLastChance: false,
        }
      : undefined;
  const options = createUncertainCallOptions({
    chatId: 'chat',
    tools: [search, clock],
    answering: () => ember,
    promptOrigins: [],
    questions,
    permissions: { preview, answerAhead: ({ call: { id } }, given) => void ahead.push([id, given]) },
  });
  const choose = (...readings: RequestReading[]) =>
    options.choose(readings, [], new AbortController().signal);
  return { options, questions, choose, shown, asked, ahead };
}

test('Ember, the built-in model, is asked again when unsure, unless the user has switched that off', () => {
  expect(stage().options.thresholds()).toEqual(certaintyThresholdsOf('ember'));
  expect(stage({ isAsking: false }).options.thresholds()).toBeUndefined();
  const { questions } = stage();
  const alone = (id: string) =>
    createAgentUncertainCallOptions({ questions, tools: [], answering: () => ({ ...ember, id }) });
  expect(alone('ember').thresholds()).toEqual(certaintyThresholdsOf('ember'));
  expect(alone('another').thresholds()).toBeUndefined();
});

test('only calls without side effects are tried out before the user chooses a meaning', async () => {
  const { options } = stage();
  const { signal } = new AbortController();
  expect(await options.tryOut(call('clock', ''), signal)).toMatchObject({ content: [{ text: '12:00' }] });
  expect(await options.tryOut(call('gone', ''), signal)).toBeUndefined();
});

describe('an unclear request that may need permission', () => {
  const readings = () => [
    reading(call('search', 'rain')),
    reading(call('clock', 'rain')),
    reading(call('search', 'Rain Man')),
  ];

  test('the user is asked for the meaning and the permission in one question', async () => {
    const { choose, asked, shown, ahead } = stage({ place: 2, answer: 'chat' });
    const given = readings();
    expect(await choose(...given)).toBe(2);
    expect(shown).toEqual([]);
    expect(asked[0]?.readings.map(({ reason }) => reason)).toEqual([
      'first-search',
      'unasked',
      'first-search',
    ]);
    expect(ahead).toEqual([[given[2]?.calls[0]?.id, 'chat']]);
  });

  test('if the user chooses a meaning but refuses permission, its tool call counts as refused', async () => {
    const { choose, ahead } = stage({ place: 0, answer: 'deny' });
    const given = readings();
    expect(await choose(...given)).toBe(0);
    expect(ahead).toEqual([[given[0]?.calls[0]?.id, 'deny']]);
  });

  test('the user can also choose or refuse a meaning that needs no permission', async () => {
    const allowed = stage({ place: 1 });
    expect(await allowed.choose(...readings())).toBe(1);
    expect(allowed.ahead).toEqual([]);
    expect(await stage({ place: 1, answer: 'deny' }).choose(...readings())).toBeUndefined();
  });

  test('after "None of these", no meaning is chosen', async () => {
    expect(await stage({ answer: 'none' }).choose(...readings())).toBeUndefined();
  });
});

test.for([
  ['needs no permission', () => [reading(call('clock', 'a')), reading(call('search', 'a'))]],
  [
    'makes several calls',
    () => [reading(call('search', 'a'), call('search', 'b')), reading(call('clock', 'b'))],
  ],
  ['calls a tool that is off', () => [reading(call('gone', 'a')), reading(call('search', 'a'))]],
] as const)(
  'the choice of a meaning is shown in the reply if the most common meaning %s',
  async ([, readings]) => {
    const { choose, asked, shown } = stage({ place: 1 });
    const given = readings();
    expect(await choose(...given)).toBe(1);
    expect(asked).toEqual([]);
    expect(shown[0]).toMatchObject({ chatId: 'chat', readings: given.map(({ calls }) => ({ calls })) });
  },
);
