/** Replies that are constrained to JSON of a schema: the grammars for both kinds of engine, and reading the reply. */
import { Validator } from '@cfworker/json-schema';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/contracts/message';
import type { GenerateRequest, ModelEvent, ModelSpec, ReplyRequest } from '../../../src/contracts/model';
import type { TextEngine } from '../../../src/contracts/model';
import { createStartPosition } from '../../../src/engines/gguf/gbnf-matcher';
import { createChatModel } from '../../../src/protocol/chat-model';
import { constrainAnswer } from '../../../src/protocol/constraint';
import { articleOutput } from '../../fixtures/protocol/article';
import { schemas } from '../../fixtures/protocol/schemas';
import { calculator } from '../../fixtures/protocol/tools';
import { createWriter } from '../../support/gbnf';
import { createRandom } from '../../support/random';
import { small } from '../../support/web-llm-model';
import { createTagWriter } from '../../support/xgrammar';

const answerSchemas = [...schemas, { name: 'an article', schema: articleOutput }];
const article = { title: '春天', content: '风\n"软"了，<tool_call>也不是调用。<think>', characterCount: 12 };

function boundsIn(text: string): number[] {
  const bounds = [...text.matchAll(/\{(\d+)?(?:,(\d*))?\}/g)].flatMap(([, least, most]) => [least, most]);
  return bounds.map(Number).filter((bound) => bound > 0);
}

describe.for(answerSchemas)('an answer constrained to a JSON schema: $name', ({ schema }) => {
  const validator = new Validator(schema, '2020-12');
  const expectFit = (reply: string) =>
    expect(validator.validate(JSON.parse(reply)), reply).toMatchObject({ valid: true });

  test('the grammar for llama.cpp produces only answers that match the schema', () => {
    const { grammar } = constrainAnswer(schema, 2000);
    const write = createWriter(grammar, createRandom());
    for (let run = 0; run < 100; run++) {
      const reply = write();
      expectFit(reply);
      expect(createStartPosition(grammar).advance(new TextEncoder().encode(reply))?.canEnd).toBe(true);
    }
  });

  test('the grammar for xgrammar produces only answers that match the schema', async () => {
    const writer = await createTagWriter(constrainAnswer(schema, 2000).structuralTag);
    const random = createRandom();
    for (let run = 0; run < 3; run++) {
      const { text, isOver } = await writer.write(random, 3000);
      expect(isOver, text).toBe(true);
      expectFit(text);
    }
    writer.dispose();
  });

  test("the repetition counts in its grammars stay within each engine's limit", () => {
    const { grammar, structuralTag } = constrainAnswer(schema, 100_000);
    expect(Math.max(0, ...boundsIn(grammar))).toBeLessThanOrEqual(2000);
    expect(Math.max(0, ...boundsIn(JSON.stringify(structuralTag)))).toBeLessThanOrEqual(20);
  });
});

test('all strings of an answer share the token limit, so that the answer can end', () => {
  const { grammar } = constrainAnswer(articleOutput, 600);
  expect(grammar.match(/character\{0,\d+\}/g)).toEqual(['character{0,300}', 'character{0,300}']);
});

test("a minimum text length above llama.cpp's limit is lowered to that limit", () => {
  const schema = { type: 'string', minLength: 5000, maxLength: 9000 };
  expect(constrainAnswer(schema, 20_000).grammar).toContain('character{2000,}');
});

test('a thought that is still open is closed before the answer', async () => {
  const opening = '</think>\n\n';
  const { grammar, structuralTag } = constrainAnswer(articleOutput, 400, opening);
  const random = createRandom();
  expect(createWriter(grammar, random)()).toMatch(/^<\/think>\n\n\{"title":"/);
  const writer = await createTagWriter(structuralTag);
  expect((await writer.write(random, 3000)).text).toMatch(/^<\/think>\n\n\{"title":"/);
  writer.dispose();
});

const user = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origins: [{ door: 'typed' }],
});

interface Asked extends Partial<ReplyRequest> {
  reply?: string;
  constraints?: TextEngine['constraints'] | 'none';
  changes?: Partial<ModelSpec>;
}

async function respond({ reply = JSON.stringify(article), constraints, changes, ...request }: Asked = {}) {
  const requests: GenerateRequest[] = [];
  const usage = { promptTokens: 7, prefilledTokens: 2, outputTokens: 3 };
  const kind = constraints ?? 'grammar';
  const engine: TextEngine = {
    ...(kind !== 'none' && { constraints: kind }),
    load: () => Promise.resolve(),
    count: (messages) => Promise.resolve(messages.map(() => 10)),
    async *generate(asked) {
      requests.push(asked);
      for (const text of reply) yield { type: 'text-delta', text };
      yield { type: 'finish', finishReason: 'stop', usage, prompt: '' };
    },
  };
  const model = createChatModel(engine, { ...small, ...changes }, () => 'id');
  const events: ModelEvent[] = [];
  const asked: ReplyRequest = {
    messages: [user('写一篇短文。')],
    tools: [calculator],
    toolChoice: 'auto',
    answer: articleOutput,
    ...request,
  };
  for await (const event of model.respond(asked, new AbortController().signal)) events.push(event);
  const finish = events.at(-1);
  if (finish?.type !== 'finish') throw new Error('no finish');
  return { request: requests[0], message: finish.message, usage: finish.usage };
}

describe('a reply constrained to a JSON schema', () => {
  test('is plain text, even if it contains a call or a thought', async () => {
    const { message, usage } = await respond();
    expect(message.content).toEqual([{ type: 'text', text: JSON.stringify(article) }]);
    expect(message).toMatchObject({ raw: JSON.stringify(article), finishReason: 'stop' });
    expect(usage.heldTo).toBe('answer');
  });

  test('may use all the context if a grammar limits its length, otherwise only the reply limit', async () => {
    const { request } = await respond();
    // Three messages of ten tokens: the tools, the request and the reply header.
    expect(request?.maxTokens).toBe(small.contextTokens - 30);
    expect(request?.constraint?.grammar).toBe(constrainAnswer(articleOutput, request!.maxTokens).grammar);
    const tagged = await respond({ constraints: 'structural-tag' });
    expect(tagged.request?.maxTokens).toBe(small.maxReplyTokens);
    expect(tagged.request?.constraint?.structuralTag.format.type).toBe('grammar');
  });

  test.for([
    { name: 'is constrained for a small model too', asked: { changes: { isSmall: true } } },
    {
      name: 'takes precedence over a reply that the page would dictate',
      asked: { changes: { isSmall: true }, dictated: { text: 'No.' } },
    },
    { name: 'is not a call, even if a call is required', asked: { toolChoice: 'required' as const } },
  ])('$name', async ({ asked }) => {
    const { request, message, usage } = await respond(asked);
    expect(request?.constraint?.grammar).toBe(constrainAnswer(articleOutput, request!.maxTokens).grammar);
    expect(message.content).toMatchObject([{ type: 'text' }]);
    expect(usage.heldTo).toBe('answer');
  });

  test('closes the thought that the template opens, and hides the closing marker', async () => {
    const assistant = { before: '<|im_start|>assistant\n<think>\n', after: '<|im_end|>\n' };
    const template = { ...small.template, assistant };
    const raw = `</think>\n\n${JSON.stringify(article)}`;
    const { request, message } = await respond({ reply: raw, changes: { template } });
    expect(request?.constraint?.grammar).toMatch(/^root ::= "<\/think>\\n\\n" "\{"/);
    expect(message).toMatchObject({ content: [{ type: 'text', text: JSON.stringify(article) }], raw });
  });

  test('contains no call, even if the engine cannot constrain it', async () => {
    const call = '<tool_call>{"name": "calculator", "arguments": {"expression": "1"}}</tool_call>';
    const { request, message, usage } = await respond({ constraints: 'none', reply: `Here. ${call}` });
    expect(request?.constraint).toBeUndefined();
    expect(message.content.filter(({ type }) => type === 'tool-call')).toEqual([]);
    expect(usage.heldTo).toBeUndefined();
  });

  test('is continued without the constraint after an interruption, because the constraint would start the JSON again', async () => {
    const half: Message = { role: 'assistant', content: [], raw: '{"title":"春', finishReason: 'aborted' };
    const { request, usage } = await respond({ messages: [user('写。'), half], reply: '天"}' });
    expect(request?.messages.at(-1)).toEqual({ role: 'assistant', content: '{"title":"春' });
    expect([request?.constraint, usage.heldTo]).toEqual([undefined, undefined]);
  });
});
