import { describe, expect, test } from 'vitest';
import { answerFromResults } from '../../../src/ember/tell-results';
import { toPageMessage } from '../../../src/ember/page-replies';
import { createPageStage, type PageStageOptions } from '../../../src/ember/page-stage';
import type { AssistantMessage, Message } from '../../../src/contracts/message';
import type { ChatModel, ModelEvent, ReplyRequest } from '../../../src/contracts/model';
import { neverInDoubt } from '../../support/never-in-doubt';
import { call, calling, result, results, said } from './messages';
import { createPipeline } from '../../../src/contracts/pipeline';

/** A model that gives one reply. */
function modelThat(message: AssistantMessage, logProbability = 0): ChatModel & { dictated: unknown[] } {
  const dictated: unknown[] = [];
  const model = {
    dictated,
    measure: () => Promise.reject(new Error('not asked')),
    async *respond(request: ReplyRequest): AsyncGenerator<ModelEvent> {
      dictated.push(request.dictated);
      for (const part of message.content) {
        if (part.type === 'text') yield { type: 'text-delta', text: part.text };
        if (part.type === 'tool-call') yield { type: 'tool-call', call: part };
      }
      const usage = { promptTokens: 1, prefilledTokens: 1, outputTokens: 1, logProbability };
      yield { type: 'finish', message: { ...message, raw: 'RAW', writer: 'ember' }, usage };
    },
  };
  return model;
}
const prose = (text: string, finishReason: AssistantMessage['finishReason'] = 'stop'): AssistantMessage => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  finishReason,
});

const options: PageStageOptions = {
  calls: undefined,
  isSmall: () => true,
  reply: () => ({ text: 'From the page.', suggestions: ['Ask me'] }),
  answer: (history) => answerFromResults(history, 'en'),
  fails: async () => false,
  hasToolsOff: false,
  doubt: neverInDoubt,
  newId: () => 'new',
  rephrase: () => ({ text: 'In other words?', suggestions: [] }),
};

async function reply(
  model: ChatModel,
  messages: readonly Message[],
  changed: Partial<PageStageOptions> = {},
) {
  const events: ModelEvent[] = [];
  const request = { messages, tools: [], toolChoice: 'auto' as const };
  const spoken = createPipeline(model, [createPageStage({ ...options, ...changed })]);
  for await (const event of spoken.respond(request, new AbortController().signal)) events.push(event);
  const finish = events.at(-1);
  if (finish?.type !== 'finish') throw new Error('no finish');
  const text = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
  return { text, message: finish.message };
}

describe('page replies for a very small model', () => {
  test("the page's reply takes the model's own text into account", async () => {
    const heard: string[] = [];
    const replyAfter: PageStageOptions['reply'] = (_, said) => {
      heard.push(said);
      return { text: 'Too much.', suggestions: [], isBeyond: true };
    };
    const model = modelThat(prose('A larger model can.'));
    const { message } = await reply(model, [said('sup')], { reply: replyAfter });
    expect(heard).toEqual(['A larger model can.']);
    expect(message.isBeyond).toBe(true);
  });

  test.for([
    ['17*2', '3 = 391'],
    ['17*23 = 391', ''],
    ['It is', undefined],
  ] as const)(
    'Hearth prescribes the rest of an interrupted answer word for word, if it is known: after "%s"',
    async ([begun, left]) => {
      const model = modelThat(prose('391'));
      const sum = calling(call('calculator', { expression: '17*23' }));
      const history = [
        said('What is 17*23?'),
        sum,
        results(result('calculator', '391')),
        prose(begun, 'error'),
      ];
      await reply(model, history);
      expect(model.dictated).toEqual([left === undefined ? undefined : { text: left }]);
    },
  );

  test('invariant: without a tool result, the page answers in place of a very small model', async () => {
    const { text, message } = await reply(modelThat(prose('A banana day.')), [said('sup')]);
    expect(text).toBe('From the page.');
    expect(message).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'From the page.' }],
      writer: 'page',
      suggestions: ['Ask me'],
      instead: 'RAW',
      finishReason: 'stop',
    });
  });

  describe('if nobody read the question before the turn', () => {
    const decided: string[] = [];
    const decide: PageStageOptions['decide'] = async (history) => {
      decided.push(history.at(-1)?.role ?? '');
      return { reply: toPageMessage({ text: 'Hello from the page.', suggestions: [] }) };
    };

    test('the stage reads it, and the model is not asked', async () => {
      const model = modelThat(prose('A banana day.'));
      const { text, message } = await reply(model, [said('hi')], { decide });
      expect([text, message.writer, message.instead]).toEqual(['Hello from the page.', 'page', undefined]);
      expect(model.dictated).toEqual([]);
    });

    test('the stage dictates the calls that the question asks for', async () => {
      const model = modelThat(calling(call('clock', {})));
      const calls = [{ name: 'clock', arguments: {} }];
      await reply(model, [said('time?')], { decide: async () => ({ calls }) });
      expect(model.dictated).toEqual([{ calls }]);
    });

    test('the stage reads nothing after a tool result, or if a larger model answers', async () => {
      decided.length = 0;
      const history = [said('time?'), calling(call('clock', {})), results(result('clock', '12:00'))];
      await reply(modelThat(prose('It is noon.')), history, { decide });
      await reply(modelThat(prose('Hello.')), [said('hi')], { decide, isSmall: () => false });
      expect(decided).toEqual([]);
    });
  });

  test("a larger model's reply is not replaced", async () => {
    const { text } = await reply(modelThat(prose('Hello.')), [said('hi')], { isSmall: () => false });
    expect(text).toBe('Hello.');
  });

  test('a call that fits the request is passed on unchanged', async () => {
    const { message } = await reply(modelThat(calling(call('clock', {}))), [said('time?')]);
    expect(message).toMatchObject({ content: [{ name: 'clock' }], raw: 'RAW' });
  });

  test('a call that would fail is dropped, unless the model is sure of it', async () => {
    const failing = { fails: async () => true };
    const lost = calling(call('clock', { place: 'Wie' }));
    expect((await reply(modelThat(lost, -2), [said('time in Wie?')], failing)).text).toBe('From the page.');
    const { message } = await reply(modelThat(lost, -0.01), [said('time in Wie?')], failing);
    expect(message.content).toMatchObject([{ name: 'clock' }]);
  });

  test('a call that does not fit the request is dropped, however sure the model is', async () => {
    const made = calling(call('calculator', { expression: '10*1000' }));
    expect((await reply(modelThat(made), [said('10 miles to km')])).text).toBe('From the page.');
  });

  test('an unreadable search call gets a second chance, except after pasted text', async () => {
    const broken: AssistantMessage = {
      ...prose(''),
      content: [{ type: 'invalid-tool-call', id: '1', name: 'web_search', raw: '{"qu', reason: 'Cut off.' }],
    };
    const short = await reply(modelThat(broken), [said('who won the cup?')]);
    expect(short.message.content).toEqual(broken.content);
    const pasted = await reply(modelThat(broken), [
      said('Lighthouses have guided ships for long. '.repeat(20)),
    ]);
    expect(pasted.text).toBe('From the page.');
  });

  test('the model may say that a tool is off only if a tool really is off', async () => {
    const off = prose('The clock is switched off in this chat. You can turn it on in the tools menu.');
    expect((await reply(modelThat(off), [said('time?')], { hasToolsOff: true })).text).toContain(
      'switched off',
    );
    expect((await reply(modelThat(off), [said('time?')])).text).toBe('From the page.');
  });

  test.for([
    {
      name: 'English',
      text: 'I can’t see a clock here: it is off. Turn it on in the tools menu and ask again.',
    },
    { name: 'Chinese', text: '时钟没开，我看不到时间。请在工具菜单里打开再问我。' },
  ])('a model that wrongly says in $name that a tool is off is asked to call that tool', async ({ text }) => {
    const off = modelThat(prose(text));
    const choices: ReplyRequest['toolChoice'][] = [];
    const model: ChatModel = {
      ...off,
      respond(request, signal) {
        choices.push(request.toolChoice);
        const isForced = typeof request.toolChoice === 'object';
        return (isForced ? modelThat(calling(call('clock', {}))) : off).respond(request, signal);
      },
    };
    const clock = { name: 'clock', title: 'Clock', description: '', inputSchema: {} };
    const request = { messages: [said('time?')], tools: [clock], toolChoice: 'auto' as const };
    const events: ModelEvent[] = [];
    const spoken = createPipeline(model, [createPageStage({ ...options, hasToolsOff: true })]);
    for await (const event of spoken.respond(request, new AbortController().signal)) events.push(event);
    expect(choices).toEqual(['auto', { name: 'clock' }]);
    expect(events).toMatchObject([{ type: 'tool-call' }, { message: { content: [{ name: 'clock' }] } }]);
  });

  describe('a model that wrongly says that a tool is off', () => {
    const clock = { name: 'clock', title: 'Clock', description: '', inputSchema: {} };
    const request = { messages: [said('x = 2:13')], tools: [clock], toolChoice: 'auto' as const };
    const off = prose('The clock is switched off in this chat. You can turn it on in the tools menu.');
    async function eventsOf(model: ChatModel): Promise<ModelEvent[]> {
      const events: ModelEvent[] = [];
      const spoken = createPipeline(model, [createPageStage(options)]).respond(
        request,
        new AbortController().signal,
      );
      for await (const event of spoken) events.push(event);
      return events;
    }
    const then = (forced: AssistantMessage): ChatModel => {
      let isAnswering = false;
      return {
        ...modelThat(off),
        async *respond(asked, signal) {
          // Like a worker, it gives one reply at a time.
          if (isAnswering) throw new Error('The reply before is not over.');
          isAnswering = true;
          try {
            yield* modelThat(typeof asked.toolChoice === 'object' ? forced : off).respond(asked, signal);
          } finally {
            isAnswering = false;
          }
        },
      };
    };

    test('is asked again only after its first reply has ended', async () => {
      const events = await eventsOf(then(calling(call('clock', {}))));
      expect(events).toMatchObject([{ type: 'tool-call' }, { type: 'finish' }]);
    });

    test('the page replies instead if the model still makes no valid call when asked again', async () => {
      const invalid: AssistantMessage = {
        role: 'assistant',
        content: [{ type: 'invalid-tool-call', id: '1', name: 'clock', raw: '{"at', reason: 'Cut off.' }],
        finishReason: 'tool-calls',
      };
      const events = await eventsOf(then(invalid));
      expect(events).toMatchObject([{ text: 'From the page.' }, { message: { writer: 'page' } }]);
    });
  });

  test('a reply may repeat a number from an earlier result', async () => {
    const history = [
      said('6*7'),
      calling(call('calculator', { expression: '6*7' })),
      results(result('calculator', '42')),
      prose('6×7 = 42'),
      said('what was it?'),
    ];
    expect((await reply(modelThat(prose('It was 42.')), history)).text).toBe('It was 42.');
    expect((await reply(modelThat(prose('It was 43.')), history)).text).toBe('From the page.');
  });

  test('a reply that repeats itself is replaced', async () => {
    expect((await reply(modelThat(prose('((', 'loop')), [said('x')])).text).toBe('From the page.');
  });

  test('a failed reply is passed on unchanged', async () => {
    expect((await reply(modelThat(prose('Half', 'error')), [said('x')])).message.finishReason).toBe('error');
  });

  test('if the request is a sum, Hearth prescribes the tool call and then the text about its result', async () => {
    const model = modelThat(prose('as told'));
    const calls = [{ name: 'calculator', arguments: { expression: '5000*5000' } }];
    await reply(model, [said('5000*5000')], { calls });
    const history = [
      said('5000*5000'),
      calling(call('calculator', { expression: '5000*5000' })),
      results(result('calculator', '25000000')),
    ];
    await reply(model, history, { calls });
    expect(model.dictated).toEqual([{ calls }, { text: '5000*5000 = 25000000' }]);
  });

  test('Hearth does not prescribe tool calls to a larger model', async () => {
    const calls = [{ name: 'clock', arguments: {} }];
    const large = modelThat(prose('free'));
    await reply(large, [said('time?')], { calls, isSmall: () => false });
    expect(large.dictated).toEqual([undefined]);
  });
});
