/** Checks what Hearth expects of an engine on web-llm's own code. Only the GPU is fake (test/doubles/scripted-web-llm.ts). */
import { Validator } from '@cfworker/json-schema';
import { describe, expect, test } from 'vitest';
import type { AssistantMessage, Message } from '../../src/contracts/message';
import type { ModelEvent, ModelSpec, ReplyRequest, TextDelta } from '../../src/contracts/model';
import { catalog } from '../../src/engines/library/catalog';
import { specOf } from '../../src/engines/library/entry';
import type { Said } from '../doubles/scripted-web-llm';
import { constrainToCall } from '../../src/protocol/constraint';
import { createChatModel } from '../../src/protocol/chat-model';
import { dialectOf } from '../../src/protocol/dialects';
import { articleOutput } from '../fixtures/protocol/article';
import { offered } from '../fixtures/protocol/tools';
import { collect } from '../support/collect';
import { loadOnFakeGpu } from '../support/load-web-llm';
import { fullVocabulary, makeTokenizer } from '../support/make-tokenizer';
import { thorough, slow } from '../support/matrix';
import { record } from '../support/web-llm-model';

const hermes = dialectOf('hermes');
const call = hermes.writeCall({ name: 'clock', arguments: {} });
const neverAborts = new AbortController().signal;
const question: Message = {
  role: 'user',
  content: [{ type: 'text', text: 'How late is it in Kyoto?' }],
  origins: [{ door: 'typed' }],
};
const result = (text: string): Message => ({
  role: 'tool',
  nonce: 'n0nce',
  results: [
    {
      toolCallId: 'id',
      toolName: 'clock',
      content: [{ type: 'text', text }],
      isError: false,
      origins: [{ door: 'hearth' }],
    },
  ],
});

async function load(script: (string | Said)[], changes: Partial<ModelSpec> = {}, vocabulary = 1024) {
  const spec = { contextTokens: 8192, ...changes };
  const loaded = await loadOnFakeGpu(script, spec, makeTokenizer(vocabulary));
  const model = createChatModel(loaded.engine, loaded.spec, () => 'id');
  async function ask(request: Partial<ReplyRequest>, signal = neverAborts) {
    const events: ModelEvent[] = [];
    const whole = { messages: [question], tools: offered, toolChoice: 'auto' as const, ...request };
    for await (const event of model.respond(whole, signal)) events.push(event);
    const finish = events.at(-1);
    if (finish?.type !== 'finish') throw new Error('no finish');
    const pieces = events.filter(({ type }) => type === 'text-delta').length;
    return { message: finish.message, usage: finish.usage, pieces };
  }
  return { ...loaded, model, ask };
}

test('the engine reads only the new tokens in each round of a turn', async () => {
  const results = ['12:00 in $& Kyoto', '中午 ✿', 'a'.repeat(900)];
  const { ask, gpu } = await load([call, `Once more. ${call}`, call, 'It is noon.']);
  const messages: Message[] = [question];
  const ratios: number[] = [];
  for (const next of [...results, undefined]) {
    const held = gpu.cache.length;
    const { message, usage } = await ask({ messages });
    // The token that ends a reply is counted, but never cached.
    const fresh = gpu.cache.length - held - (usage.outputTokens - 1);
    expect(usage.prefillReason).toBeUndefined();
    ratios.push(usage.prefilledTokens / fresh);
    messages.push(message);
    if (next !== undefined) messages.push(result(next));
  }
  expect(ratios).toEqual([1, 1, 1, 1]);
});

describe('a reply constrained to a tool call', () => {
  const callsOf = ({ content }: AssistantMessage) =>
    content.flatMap((part) => (part.type === 'tool-call' ? [part] : []));

  test('is a call even if the model prefers prose, and the next request reuses the cache', async () => {
    const { ask } = await load(['I would rather talk about it.', 'Done.']);
    const { message, usage } = await ask({ toolChoice: { name: 'calculator' } });
    expect(message.finishReason).toBe('tool-calls');
    expect(callsOf(message)).toMatchObject([{ name: 'calculator', arguments: { expression: '' } }]);
    expect(usage.heldTo).toBe('call');
    const next = await ask({ messages: [question, message, result('391')] });
    expect(next.usage.prefillReason).toBeUndefined();
    expect(next.usage.prefilledTokens).toBeLessThan(next.usage.promptTokens / 4);
  });

  test('an endless call is cut off at the token limit and is invalid', async () => {
    const endless = `${hermes.frame('calculator').before}{"expression":"${'17 + '.repeat(2000)}`;
    const { ask } = await load([endless], { maxReplyTokens: 256 });
    const { message, usage } = await ask({ toolChoice: { name: 'calculator' } });
    expect(usage.outputTokens).toBe(256);
    expect(callsOf(message)).toEqual([]);
  });

  thorough(
    'the grammar for five tools compiles with a vocabulary of realistic size',
    { timeout: 60_000 },
    async () => {
      expect(offered.length).toBeGreaterThanOrEqual(5);
      const tools = offered.slice(0, 5);
      const { ask } = await load(['Let me think.'], {}, fullVocabulary);
      const { message } = await ask({ tools, toolChoice: 'required' });
      expect(callsOf(message)).toHaveLength(1);
      // Compiling takes time proportional to the vocabulary and to each repetition of each character that it must distinguish.
      const { structuralTag } = constrainToCall('required', tools, hermes, 1024)!;
      expect(repetitionsIn(JSON.stringify(structuralTag))).toBeLessThan(200);
    },
  );

  /** Number of characters that the grammar distinguishes by how many precede them. */
  function repetitionsIn(grammar: string): number {
    return [...grammar.matchAll(/\{\d+,(\d*)\}/g)].reduce((sum, [, most]) => sum + Number(most), 0);
  }
});

describe('a reply constrained to a JSON schema', () => {
  const validator = new Validator(articleOutput, '2020-12');
  const textOf = ({ content }: AssistantMessage) =>
    content.map((part) => (part.type === 'text' ? part.text : `(${part.type})`)).join('');

  test('fits the schema even if the model prefers prose, and the next request reuses the cache', async () => {
    const { ask } = await load(['Here is my text about the spring.', 'Done.']);
    const { message, usage } = await ask({ answer: articleOutput });
    expect(validator.validate(JSON.parse(textOf(message)))).toMatchObject({ valid: true });
    expect([message.finishReason, usage.heldTo]).toEqual(['stop', 'answer']);
    const thanks: Message = {
      role: 'user',
      content: [{ type: 'text', text: 'Thank you' }],
      origins: [{ door: 'typed' }],
    };
    const next = await ask({ messages: [question, message, thanks] });
    expect(next.usage.prefillReason).toBeUndefined();
    expect(next.usage.prefilledTokens).toBeLessThan(next.usage.promptTokens / 4);
  });

  test('a valid reply keeps every character, including markers and line breaks', async () => {
    const article = { title: '春天', content: '风软了。\n<tool_call> is no call.', characterCount: 4 };
    const { ask } = await load([JSON.stringify(article)]);
    const { message } = await ask({ answer: articleOutput });
    expect(JSON.parse(textOf(message))).toEqual(article);
  });

  thorough(
    'the grammar for the schema compiles with a vocabulary of realistic size',
    { timeout: 60_000 },
    async () => {
      const { ask } = await load(['Let me think.'], {}, fullVocabulary);
      const { message } = await ask({ answer: articleOutput });
      expect(validator.validate(JSON.parse(textOf(message)))).toMatchObject({ valid: true });
    },
  );
});

describe('a model that starts each reply inside a thinking block, like Qwen 3.5', () => {
  const entry = catalog.find(({ id }) => id === 'Qwen3.5-4B')!;
  const spec = {
    ...specOf(entry, entry.variants[0], { contextTokens: 8192, isThinking: true }),
    mlc: record,
  };

  test('keeps its thinking out of the answer, and the next request reuses the cache', async () => {
    const { ask, gpu } = await load(['It is late there.\n</think>\n\nIt is late.', 'Yes.'], spec);
    const { message } = await ask({});
    expect(message.content).toEqual([
      { type: 'reasoning', text: 'It is late there.\n' },
      { type: 'text', text: '\n\nIt is late.' },
    ]);
    const { usage } = await ask({ messages: [question, message, question] });
    expect(usage.prefillReason).toBeUndefined();
    expect(gpu.cacheText).toContain('<|im_start|>assistant\n<think>\nIt is late there.\n</think>');
  });

  test('skips thinking before a required tool call, and continues thinking after an interruption', async () => {
    const { ask } = await load(['Hm, a clock.', ' there.</think>Late.'], spec);
    const held = await ask({ toolChoice: { name: 'clock' } });
    expect(held.message.content.filter(({ type }) => type === 'tool-call')).toMatchObject([
      { name: 'clock' },
    ]);
    expect(held.message.content.filter(({ type }) => type === 'reasoning')).toEqual([]);
    const broken: Message = {
      role: 'assistant',
      content: [{ type: 'reasoning', text: 'It is late' }],
      raw: 'It is late',
      writer: spec.id,
      finishReason: 'error',
    };
    const { message } = await ask({ messages: [question, broken] });
    expect(message.content).toEqual([
      { type: 'reasoning', text: ' there.' },
      { type: 'text', text: 'Late.' },
    ]);
  });

  test('sees an empty thinking block before an earlier reply by another model', async () => {
    const { ask, gpu } = await load(['</think>Yes.'], spec);
    const other: Message = {
      role: 'assistant',
      content: [{ type: 'text', text: 'Late.' }],
      writer: 'another',
      finishReason: 'stop',
    };
    await ask({ messages: [question, other, question] });
    expect(gpu.cacheText).toContain('<|im_start|>assistant\n<think>\n</think>\n\nLate.<|im_end|>');
  });

  test('keeps its thinking out of the answer even if it uses its own chat template', async () => {
    const conversation = {
      roles: { user: '<|im_start|>user', assistant: '<|im_start|>assistant', tool: '<|im_start|>user' },
      system_template: '<|im_start|>system\n{system_message}<|im_end|>\n',
      seps: ['<|im_end|>\n'],
      role_content_sep: '\n',
      role_empty_sep: '\n<think>\n',
    };
    const own = { mlc: { ...record, overrides: { conv_config: conversation } } };
    const { ask, gpu } = await load(['It is late there.\n</think>\n\nIt is late.'], own);
    const { message } = await ask({});
    expect(gpu.cacheText).toContain('<|im_start|>assistant\n<think>\nIt is late there.');
    expect(message.content).toEqual([
      { type: 'reasoning', text: 'It is late there.\n' },
      { type: 'text', text: '\n\nIt is late.' },
    ]);
  });

  test('uses the sampling settings that its authors recommend, with and without thinking', () => {
    const answer = specOf(entry, entry.variants[0], { contextTokens: 8192, isThinking: false });
    expect(answer.sampling).toEqual({ temperature: 0.7, topP: 0.8 });
    expect(spec.sampling).toEqual({ temperature: 0.6, topP: 0.95 });
  });

  test('closes its thinking block before an answer in JSON', async () => {
    const { ask } = await load(['I think.', 'Yes.'], spec);
    const { message } = await ask({ answer: articleOutput });
    expect(message.raw).toMatch(/^<\/think>\n\n\{"title":"/);
    expect(message.content).toMatchObject([{ type: 'text', text: expect.stringMatching(/^\{"title":"/) }]);
  });
});

describe('a full context', () => {
  slow('ends the reply, and the next request reads the whole prompt again', async () => {
    const words = Array.from({ length: 3000 }, (_, at) => `word${at} `).join('');
    const { ask } = await load([words, 'Yes.'], {
      contextTokens: 2048,
      maxReplyTokens: 1024,
    });
    const { message } = await ask({ tools: [] });
    expect(message.finishReason).toBe('length');
    const { usage } = await ask({ tools: [], messages: [question, message, question] });
    expect(usage.prefillReason).toBeDefined();
  });

  test('a single message that is too long is rejected before the model runs', async () => {
    const { ask, requests } = await load(['never'], { contextTokens: 1024, maxReplyTokens: 256 });
    const long: Message = {
      role: 'user',
      content: [{ type: 'text', text: 'x'.repeat(3000) }],
      origins: [{ door: 'typed' }],
    };
    const { message } = await ask({ messages: [long], tools: [] });
    expect(message.errorMessage).toMatch(/^\[message-too-long\]/);
    expect(requests).toEqual([]);
  });
});

describe('Stop', () => {
  test.for<{ name: string; at: number; toolChoice: ReplyRequest['toolChoice']; pieces: number }>([
    { name: 'while the prompt is read', at: -1, toolChoice: 'auto', pieces: 0 },
    { name: 'while a grammar is compiled', at: -1, toolChoice: 'required', pieces: 0 },
    { name: 'at the third token', at: 2, toolChoice: 'auto', pieces: 2 },
  ])('keeps the text so far, and the engine can answer the next question: Stop $name', async (phase) => {
    const stop = new AbortController();
    const onToken = (index: number) => (index === phase.at ? stop.abort() : undefined);
    const { ask } = await load([{ text: 'A very long reply.', onToken }, 'Yes.']);
    const { message, pieces } = await ask({ toolChoice: phase.toolChoice }, stop.signal);
    expect(message.finishReason).toBe('aborted');
    expect(pieces).toBeLessThanOrEqual(phase.pieces);
    expect((await ask({})).message.content).toMatchObject([{ text: 'Yes.' }]);
  });
});

describe('a lost GPU', () => {
  test('is reported at once while the engine is idle, and every later request fails', async () => {
    const { ask, model, engine, gpu, faults } = await load(['never said']);
    await gpu.lose();
    expect(faults).toMatchObject([{ code: 'gpu-lost' }]);
    await expect(ask({})).rejects.toMatchObject({ code: 'gpu-lost' });
    await expect(model.measure([question], offered)).rejects.toMatchObject({ code: 'gpu-lost' });
    await expect(engine.count([{ role: 'user', content: 'Hi' }])).rejects.toMatchObject({ code: 'gpu-lost' });
    const request = { messages: [{ role: 'user' as const, content: 'Hi' }], sampling: { temperature: 0 } };
    const reply = collect(
      engine.generate({ ...request, maxTokens: 4 }, neverAborts) as AsyncGenerator<TextDelta>,
    );
    await expect(reply).rejects.toMatchObject({ code: 'gpu-lost' });
  });

  test('ends the running reply with an error', async () => {
    const { ask, faults } = await load([{ text: 'It was a dark night', isLost: true }]);
    await expect(ask({})).rejects.toMatchObject({ code: 'gpu-lost' });
    expect(faults).toMatchObject([{ code: 'gpu-lost' }]);
  });
});
