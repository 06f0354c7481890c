/** Requests that only prefill the cache: the engine reads the part of the prompt that later questions share. */
import { expect, test } from 'vitest';
import type { Message } from '../../../src/contracts/message';
import type {
  GenerateRequest,
  ModelEvent,
  ReplyRequest,
  TextDelta,
  TextEngine,
} from '../../../src/contracts/model';
import { createChatModel } from '../../../src/protocol/chat-model';
import { formatsWithDialect } from '../../../src/protocol/dialects';
import { calculator } from '../../fixtures/protocol/tools';
import { collect } from '../../support/collect';
import { small } from '../../support/web-llm-model';

const usage = { promptTokens: 7, prefilledTokens: 2, outputTokens: 0 };
const progress: TextDelta = { type: 'prompt-progress', readTokens: 2, totalTokens: 8, remainingMs: 30 };
const persona: Message = { role: 'system', content: 'You are a pirate.' };
const user = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origins: [{ door: 'typed' }],
});
const clock = { ...calculator, name: 'clock', description: 'Tells the time.' };

/** Prefills, then asks a question. Returns both requests, and the events of the first. */
async function readThenAsk(beginning: Message[], changed: Partial<ReplyRequest> = {}, format = 'hermes') {
  const requests: GenerateRequest[] = [];
  const engine: TextEngine = {
    constraints: 'grammar',
    load: () => Promise.resolve(),
    count: (messages) => Promise.resolve(messages.map(() => 1)),
    async *generate(request) {
      requests.push(request);
      yield progress;
      yield { type: 'finish', finishReason: 'stop', usage, prompt: 'as sent' };
    },
  };
  const model = createChatModel(engine, { ...small, format }, () => 'id');
  const ask = (request: Partial<ReplyRequest>) =>
    collect(
      model.respond(
        { messages: beginning, tools: [calculator], toolChoice: 'auto', ...changed, ...request },
        new AbortController().signal,
      ) as AsyncGenerator<ModelEvent>,
    );
  const { items } = await ask({ onlyRead: true });
  await ask({ messages: [...beginning, user('What is 17*23?')] });
  return { ahead: requests[0]!, question: requests[1]!, events: items };
}

const dialects = formatsWithDialect.flatMap(({ id, dialect }) => (dialect.isNative ? [] : [id]));
test.for(dialects)(
  'a prefill request contains the messages that every later prompt starts with, in the format %s',
  async (format) => {
    const { ahead, question } = await readThenAsk([persona], {}, format);
    expect(ahead.messages.map(({ role }) => role)).toEqual(['system']);
    expect(ahead.messages[0]?.content).toContain('You are a pirate.');
    expect(ahead.messages[0]?.content).toContain('calculator');
    expect(question.messages.slice(0, -1)).toEqual(ahead.messages);
  },
);

test('a prefill request contains only the listed tools', async () => {
  const tools = [calculator, clock];
  const { ahead, question } = await readThenAsk([], { tools, listed: ['clock'] });
  expect(ahead.messages[0]?.content).toContain('Tells the time.');
  expect(ahead.messages[0]?.content).not.toContain('calculator');
  expect(question.messages.slice(0, -1)).toEqual(ahead.messages);
});

test('a prefill request leaves out the messages of the chat', async () => {
  const { ahead } = await readThenAsk([persona, user('Hello!')]);
  expect(ahead.messages.map(({ role }) => role)).toEqual(['system']);
});

test('a prefill request allows no new tokens and has no constraint', async () => {
  const { ahead, question } = await readThenAsk([persona], { toolChoice: 'required' });
  expect(ahead).toMatchObject({ onlyRead: true, maxTokens: 0 });
  expect(ahead.constraint).toBeUndefined();
  expect(question).not.toHaveProperty('onlyRead');
  expect(question.constraint).toBeDefined();
});

test('the reply to a prefill request has no text, reports its progress and finishes once', async () => {
  const { events } = await readThenAsk([persona]);
  expect(events.map(({ type }) => type)).toEqual(['context', 'prompt-progress', 'finish']);
  expect(events[1]).toEqual(progress);
  expect(events.at(-1)).toMatchObject({ message: { content: [], finishReason: 'stop' } });
});
