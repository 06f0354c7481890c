import { describe, expect, test } from 'vitest';
import {
  type UncertainCallOptions,
  createDoubtStage,
  isUnsure,
  type RequestReading,
  resolveDoubt,
  type ResolveDoubtOptions,
} from '../../../src/ember/uncertain-calls';
import type { AssistantMessage } from '../../../src/contracts/message';
import type { ModelEvent } from '../../../src/contracts/model';
import { collect } from '../../support/collect';
import { asked, calling, modelOf, sum, tryOut } from './replies';
import { createPipeline } from '../../../src/contracts/pipeline';

const usage = { promptTokens: 9, prefilledTokens: 1, outputTokens: 5, logProbability: -2 };
const request = { messages: asked, tools: [], toolChoice: 'auto' as const };
const eight = (...sums: string[]) => sums.map((one) => calling(sum(one)));
const mixed = eight('45/3*7', '45*7', '45/3*7', '45/3*7', '45/7', '45*7', '45/3*7', '45/3*7');

/** `choose` returns the index of a reading. `shown` contains the readings it received. */
function settle(
  replies: readonly AssistantMessage[],
  place: number | undefined,
  abort = new AbortController(),
) {
  const shown: RequestReading[][] = [];
  const model = modelOf(replies);
  const options: UncertainCallOptions = {
    by: 'person',
    thresholds: () => ({ byTool: {}, others: -1, words: -0.5 }),
    tryOut,
    staysHere: () => true,
    choose: async (readings) => {
      shown.push([...readings]);
      return place;
    },
  };
  const first = { type: 'finish' as const, message: calling(sum('45*7')), usage };
  const run = (changed: Partial<ResolveDoubtOptions> = {}) =>
    collect(
      resolveDoubt(model, request, first, { ...options, isPossible: () => true, ...changed }, abort.signal),
    );
  return { run, shown, model, options, abort };
}

const finishIn = (events: readonly ModelEvent[]) => {
  const last = events.at(-1);
  if (last?.type !== 'finish') throw new Error('It did not finish.');
  return last.message;
};

test('a call below its probability threshold counts as unsure, but prose and a stopped reply do not', () => {
  const { options } = settle([], 0);
  const finish = (message: AssistantMessage, logProbability?: number) => ({
    type: 'finish' as const,
    message,
    usage:
      logProbability === undefined ? { ...usage, logProbability: undefined } : { ...usage, logProbability },
  });
  const call = calling(sum('1*2'));
  expect(isUnsure(finish(call, -1.5), 'tool-calls', options)).toBe(true);
  expect(isUnsure(finish(call, -0.5), 'tool-calls', options)).toBe(false);
  expect(isUnsure(finish(calling({ type: 'text', text: 'Hi' }), -9), 'tool-calls', options)).toBe(false);
  expect(isUnsure(finish({ ...call, finishReason: 'aborted' }, -9), 'tool-calls', options)).toBe(false);
  expect(isUnsure(finish(call, -9), 'tool-calls', { thresholds: () => undefined })).toBe(false);
});

describe('a reply that the model is unsure of', () => {
  test('invariant: an unsure model is asked eight more times, and the user picks the meaning', async () => {
    const { run, shown, model } = settle(mixed, 0);
    const { items, result } = await run();
    expect(model.requests.map(({ sampling }) => sampling?.temperature)).toEqual(Array(8).fill(1));
    expect(new Set(model.requests.map(({ sampling }) => sampling?.seed)).size).toBe(8);
    expect(shown[0]?.map(({ votes, results }) => [votes, ...results])).toEqual([
      [5, '105'],
      [3, '315'],
      [1, String(45 / 7)],
    ]);
    expect(result).toEqual({ type: 'told' });
    expect(items[0]).toMatchObject({ type: 'tool-call', call: { arguments: { expression: '45/3*7' } } });
    expect(finishIn(items)).toMatchObject({
      raw: 'RAW',
      finishReason: 'tool-calls',
      doubt: {
        by: 'person',
        chosen: 0,
        replies: 9,
        readings: [
          { votes: 5, calls: [{ name: 'calculator', arguments: { expression: '45/3*7' } }] },
          {},
          {},
        ],
      },
    });
  });

  test('the user is not asked if all eight further replies agree', async () => {
    const { run, shown } = settle(eight(...Array.from({ length: 8 }, () => '7*45')), 0);
    expect((await run()).result).toEqual({ type: 'stands' });
    expect(shown).toEqual([]);
  });

  test('"None of these" ends it without a call', async () => {
    const { items, result } = await settle(mixed, undefined).run();
    expect(items).toEqual([]);
    expect(result).toMatchObject({ type: 'none-of-these', doubt: { replies: 9, by: 'person' } });
    expect(result).not.toHaveProperty('doubt.chosen');
  });

  test('the user is not asked if no call makes sense', async () => {
    const { run, shown } = settle(mixed, 0);
    expect((await run({ isPossible: () => false })).result).toEqual({ type: 'nothing' });
    expect(shown).toEqual([]);
  });

  test('if a third of the replies are prose, only calls that send no data elsewhere are offered', async () => {
    const talk = calling({ type: 'text', text: 'You too!' });
    const replies = [...eight('45/3*7', '45*7', '45*7', '45*7', '45/3*7'), talk, talk, talk];
    const out = settle(replies, 0);
    expect((await out.run({ staysHere: () => false })).result).toEqual({ type: 'nothing' });
    expect(out.shown).toEqual([]);
    const here = settle(replies, 0);
    expect((await here.run()).result).toEqual({ type: 'told' });
    expect(here.shown).toHaveLength(1);
    const fewer = settle([...eight('45/3*7', '45*7', '45*7', '45*7', '45/3*7', '45*7'), talk, talk], 0);
    expect((await fewer.run({ staysHere: () => false })).result).toEqual({ type: 'told' });
  });

  test.for(['while the model is asked', 'while the user chooses'])(
    'it ends without a tool call if the user presses Stop: %s',
    async (when) => {
      const isAsked = when === 'while the model is asked';
      const { run, abort } = settle(isAsked ? mixed.slice(0, 3) : mixed, 0);
      const choose: UncertainCallOptions['choose'] = (_readings, _history, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')));
          abort.abort();
        });
      if (isAsked) setTimeout(() => abort.abort());
      const { items } = await run({ choose });
      expect(finishIn(items)).toEqual({ role: 'assistant', content: [], finishReason: 'aborted' });
      expect(items).toHaveLength(1);
    },
  );

  test('it fails if an error occurs while the user chooses a meaning', async () => {
    const { run } = settle(mixed, 0);
    await expect(run({ choose: () => Promise.reject(new Error('broken')) })).rejects.toThrow('broken');
  });
});

describe('a reply of a sub-agent', () => {
  const alone: UncertainCallOptions = {
    ...settle([], 0).options,
    by: 'page',
    choose: () => Promise.resolve(0),
  };
  async function respond(replies: readonly AssistantMessage[], logProbability: number, options = alone) {
    const items: ModelEvent[] = [];
    const model = createPipeline(modelOf(replies, logProbability), [createDoubtStage(options)]);
    for await (const event of model.respond(request, new AbortController().signal)) items.push(event);
    return items;
  }

  test('if the model is unsure, its most frequent call is used and marked as unsure', async () => {
    const items = await respond([calling(sum('45*7')), ...mixed], -2);
    expect(items).toHaveLength(2);
    expect(items[0]).toMatchObject({ call: { arguments: { expression: '45/3*7' } } });
    expect(finishIn(items).doubt).toMatchObject({ by: 'page', chosen: 0 });
  });

  test('a call passes unchanged if the model is sure or has no certainty thresholds', async () => {
    for (const options of [alone, { ...alone, thresholds: () => undefined }]) {
      const items = await respond([calling({ type: 'text', text: 'So: ' }, sum('45*7'))], -0.5, options);
      expect(items.map(({ type }) => type)).toEqual(['text-delta', 'tool-call', 'finish']);
      expect(finishIn(items).doubt).toBeUndefined();
    }
  });
});
