import { expect, test } from 'vitest';
import type { ChatModel, ModelEvent, ReplyRequest } from '../../../src/contracts/model';
import { createPipeline, type ModelStage } from '../../../src/contracts/pipeline';

const usage = { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 };
const never = new AbortController().signal;

/** An engine that repeats the texts of the request's messages in its reply. */
const engine: ChatModel = {
  async *respond({ messages }) {
    yield {
      type: 'text-delta',
      text: messages.map((message) => (message.role === 'system' ? message.content : '')).join(),
    };
    yield { type: 'finish', message: { role: 'assistant', content: [], finishReason: 'stop' }, usage };
  },
  measure: async (messages) => ({ promptTokens: messages.length, limitTokens: 9, droppedMessages: 0 }),
};
const said = (text: string) => ({ role: 'system' as const, content: text });
const adding = (name: ModelStage['name']): ModelStage => ({
  name,
  transformRequest: (request) => ({ ...request, messages: [...request.messages, said(name)] }),
  measure: (rest, messages, ...others) => rest.measure([...messages, said(name)], ...others),
});
const echoing = (name: ModelStage['name']): ModelStage => ({
  name,
  async *wrapStream(request, signal, rest) {
    for await (const event of rest.respond(request, signal)) {
      yield event.type === 'text-delta' ? { ...event, text: `${name}(${event.text})` } : event;
    }
  },
});

async function ask(model: ChatModel): Promise<string> {
  const request: ReplyRequest = { messages: [said('asked')], tools: [], toolChoice: 'auto' };
  const events: ModelEvent[] = [];
  for await (const event of model.respond(request, never)) events.push(event);
  return events.map((event) => (event.type === 'text-delta' ? event.text : event.type)).join(' ');
}

test("a request passes through the pipeline's stages in order, and its reply in reverse order", async () => {
  const model = createPipeline(engine, [
    adding('summary'),
    echoing('doubt'),
    adding('persona'),
    echoing('fallback'),
  ]);
  expect(await ask(model)).toBe('doubt(fallback(asked,summary,persona)) finish');
  expect((await model.measure([], [])).promptTokens).toBe(2);
});

test('the list of active stages includes those of nested pipelines, in order', () => {
  let isSmall = false;
  const inner = createPipeline(engine, [adding('pictures'), adding('fallback')]);
  const model = createPipeline(inner, [
    { ...echoing('page-replies'), isActive: () => isSmall },
    adding('persona'),
  ]);
  expect(model.stages).toEqual(['persona', 'pictures', 'fallback']);
  isSmall = true;
  expect(model.stages).toEqual(['page-replies', 'persona', 'pictures', 'fallback']);
});

test('creating a pipeline without stages returns the engine itself', () =>
  expect(createPipeline(engine, [])).toBe(engine));
