/** Invariant: the prompt says which day it is after the tools, and with the first question of each later day, so an engine keeps what it has read. */
import { expect, test } from 'vitest';
import type { Message } from '../../../src/contracts/message';
import type { ModelSpec, PromptMessage, ReplyRequest, TextEngine } from '../../../src/contracts/model';
import { createChatModel } from '../../../src/protocol/chat-model';
import { small as large } from '../../support/web-llm-model';

/** Returns the system text and the questions in the prompt of a request. Each character is one token. */
async function promptOf(
  messages: readonly Message[],
  { summary, ...changes }: Partial<ModelSpec> & Pick<Partial<ReplyRequest>, 'summary'> = {},
) {
  let prompt: readonly PromptMessage[] = [];
  const engine: TextEngine = {
    load: async () => undefined,
    async *generate(request) {
      prompt = request.messages;
      const usage = { promptTokens: 0, prefilledTokens: 0, outputTokens: 1 };
      yield { type: 'finish', finishReason: 'stop', usage, prompt: '' };
    },
    count: async (given) => given.map(({ content }) => content.length),
  };
  const spec = { ...large, contextTokens: 5_000, maxReplyTokens: 200, ...changes };
  const request = { messages, tools: [], toolChoice: 'none' as const, summary };
  const reply = createChatModel(engine, spec, () => 'id').respond(request, new AbortController().signal);
  for await (const event of reply)
    if (event.type === 'finish') expect(event.message.errorMessage).toBeUndefined();
  return prompt.filter(({ role }) => role !== 'assistant').map(({ content }) => content);
}

const ask = (text: string, day?: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origins: [{ door: 'typed' }],
  ...(day !== undefined && { day }),
});
const answer = (text: string): Message => ({
  role: 'assistant',
  content: [],
  raw: text,
  finishReason: 'stop',
});
const sunday = '2026-11-29 Sunday';
const monday = '2026-11-30 Monday';

test('the system text has the day of the first question, and the first question of each later day has its own', async () => {
  const chat = [
    ask('hi', sunday),
    answer('Hello.'),
    ask('What day is it?', sunday),
    answer('Sunday.'),
    ask('And now?', monday),
    answer('Monday.'),
    ask('那今天呢？', monday),
  ];
  expect(await promptOf(chat)).toEqual([
    'Today is Sunday, 2026-11-29.',
    'hi',
    'What day is it?',
    '(Today is Monday, 2026-11-30.)\n\nAnd now?',
    '那今天呢？',
  ]);
});

test('the line of a later day is in Chinese before a Chinese question', async () => {
  const chat = [ask('你好', sunday), answer('你好。'), ask('今天星期几？', monday)];
  expect((await promptOf(chat)).at(-1)).toBe('(今天是2026-11-30，星期一。)\n\n今天星期几？');
});

test('the day comes after other instructions', async () => {
  const system: Message = { role: 'system', content: 'You are a poet.' };
  expect(await promptOf([system, ask('hi', monday)])).toEqual([
    'You are a poet.\n\nToday is Monday, 2026-11-30.',
    'hi',
  ]);
});

test('a message without a day, and the prompt of a very small model, have no date', async () => {
  expect(await promptOf([ask('hi')])).toEqual(['hi']);
  expect(await promptOf([ask('hi', 'soon')])).toEqual(['hi']);
  expect(await promptOf([ask('hi', monday)], { isSmall: true })).toEqual(['hi']);
});

test('if the first question was dropped or summed up, the system text has the day of the first one that is left', async () => {
  const chat = [
    ask(`long ${'word '.repeat(500)}`, sunday),
    answer('Yes.'),
    ask('Short', monday),
    answer('Yes.'),
    ask('End', monday),
  ];
  const [system] = await promptOf(chat, { contextTokens: 1_500 });
  expect(system).toBe('Today is Monday, 2026-11-30.');
  const summary = { text: 'A long word.', by: 'rule' as const, origins: [], nonce: 'n', messages: 2 };
  expect((await promptOf(chat, { summary }))[0]).toBe('Today is Monday, 2026-11-30.');
});
