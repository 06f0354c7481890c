/** Calls that a very small model is not sure of, in a reply to the user. */
import { expect, test } from 'vitest';
import { createPageStage, type PageStageOptions } from '../../../src/ember/page-stage';
import type { RequestReading } from '../../../src/ember/uncertain-calls';
import type { AssistantMessage, Message } from '../../../src/contracts/message';
import type { ModelEvent } from '../../../src/contracts/model';
import { call, calling, modelOf, sum, tryOut } from './replies';
import { createPipeline } from '../../../src/contracts/pipeline';

const asks = (text: string): Message[] => [
  { role: 'user', content: [{ type: 'text', text }], origins: [{ door: 'typed' }] },
];
const words = calling({ type: 'text', text: 'Hm.' });
const tools = ['calculator', 'clock', 'web_search'].map((name) => ({
  name,
  title: name,
  description: '',
  inputSchema: {},
}));

/** `place`: the index of the user's choice, -1 for none. `shown`: the readings that the user saw. */
async function reply(replies: AssistantMessage[], messages: Message[], score: number, place = 0) {
  const shown: RequestReading[][] = [];
  const options: PageStageOptions = {
    calls: undefined,
    isSmall: () => true,
    answer: () => undefined,
    hasToolsOff: false,
    newId: () => 'new',
    reply: () => ({ text: 'From the page.', suggestions: [] }),
    rephrase: () => ({ text: 'In other words?', suggestions: [] }),
    fails: async () => false,
    doubt: {
      by: 'person',
      thresholds: () => ({ words: -0.1, byTool: {}, others: -0.2 }),
      staysHere: ({ name }) => name !== 'web_search',
      tryOut,
      async choose(readings) {
        shown.push([...readings]);
        return place < 0 ? undefined : place;
      },
    },
  };
  const events: ModelEvent[] = [];
  const model = modelOf(replies, score);
  const spoken = createPipeline(model, [createPageStage(options)]).respond(
    { messages, tools, toolChoice: 'auto' },
    new AbortController().signal,
  );
  for await (const event of spoken) events.push(event);
  const end = events.at(-1);
  if (end?.type !== 'finish') throw new Error('It did not finish.');
  const read = shown[0]?.map(({ calls }) => calls.map((one) => Object.values(one.arguments).join()).join());
  return { message: end.message, shown: read, asked: model.requests.length, events };
}

const question = asks('If 3 shirts cost 45, how much do 7 cost?');
const nine = [
  ...Array(5).fill(calling(sum('45*7'))),
  ...Array(4).fill(calling(sum('45/3*7'))),
] as AssistantMessage[];

test('a call that the model is sure of is made without asking the user', async () => {
  const { shown, asked, message } = await reply(nine, question, -0.1);
  expect([shown, asked]).toEqual([undefined, 1]);
  expect(message.doubt).toBeUndefined();
});

test('a call that the model is unsure of waits until the user chooses', async () => {
  const { shown, message, events } = await reply(nine, question, -1, 1);
  expect(shown).toEqual(['45*7', '45/3*7']);
  expect(message.content).toMatchObject([{ arguments: { expression: '45/3*7' } }]);
  expect(events.map(({ type }) => type)).toEqual(['tool-call', 'finish']);
});

test('after "None of these", the page replies, and the offered meanings are stored with the reply', async () => {
  const { message } = await reply(nine, question, -1, -1);
  expect(message).toMatchObject({
    writer: 'page',
    content: [{ text: 'In other words?' }],
    doubt: { replies: 9, readings: [{ votes: 5 }, { votes: 4 }] },
  });
});
test('a call that does not fit the request is not offered to the user', async () => {
  const invented = Array(4).fill(calling(sum('99*99'))) as AssistantMessage[];
  const { shown } = await reply([...nine.slice(2, 7), ...invented], question, -1);
  expect(shown).toEqual(['45*7', '45/3*7']);
});

test('a sum written out in the request is copied, even if the model is unsure', async () => {
  const { shown, asked, message } = await reply([calling(sum('24*60'))], asks('so 24*60 it is'), -9);
  expect([shown, asked, message.doubt]).toEqual([undefined, 1, undefined]);
});

test('if a call was nearly as likely as a reply in prose, the user chooses what was meant', async () => {
  const clock = calling(call('clock', { place: 'Oslo' }));
  const search = calling(call('web_search', { query: 'oslo' }));
  const asked = asks('what time do they have in Oslo now');
  const some = await reply([words, clock, search, words, clock, search, words, words, search], asked, -0.5);
  // The question itself is offered as a search too, because it was a request after all.
  expect(some.shown).toEqual(['Oslo', 'what time do they have in Oslo now']);
  const none = await reply([words, ...Array(8).fill(search)] as AssistantMessage[], asked, -0.5);
  expect(none.shown).toBeUndefined();
  expect(none.message).toMatchObject({ writer: 'page', content: [{ text: 'From the page.' }] });
  const sure = await reply([words], asked, -0.05);
  expect([sure.shown, sure.asked]).toEqual([undefined, 1]);
});

test('if the model is unsure of a call after a tool result, the user chooses what was meant', async () => {
  const after: Message[] = [
    ...question,
    calling(call('web_search', { query: 'shirts' })),
    {
      role: 'tool',
      results: [
        {
          toolCallId: 'x',
          toolName: 'web_search',
          content: [],
          isError: false,
          origins: [{ door: 'hearth' }],
        },
      ],
    },
  ];
  const { shown, events } = await reply(
    [calling({ type: 'text', text: 'So: ' }, sum('45*7')), ...nine.slice(1)],
    after,
    -1,
  );
  expect(shown).toEqual(['45*7', '45/3*7']);
  expect(events[0]).toEqual({ type: 'text-delta', text: 'So: ' });
});
