/** The browser's own model on a fake of the specified API, with our tool protocol. */
import { afterEach, describe, expect, test } from 'vitest';
import type { AssistantMessage, Message } from '../../../../src/contracts/message';
import type { ModelEvent, PromptMessage, ReplyRequest, TextDelta } from '../../../../src/contracts/model';
import { createBrowserModel } from '../../../../src/engines/browser-model/engine';
import { browserModel } from '../../../../src/engines/browser-model/kind';
import { createChatModel } from '../../../../src/protocol/chat-model';
import { collect } from '../../../support/collect';
import { type FakeOptions, installPromptApi } from '../../../support/fake-prompt-api';

const spec = browserModel.brought!.spec;
const neverAborts = new AbortController().signal;
const loading = { signal: neverAborts, onProgress: () => undefined };
const user = (content: string): PromptMessage => ({ role: 'user', content });
const system: PromptMessage = { role: 'system', content: 'Be brief.' };

afterEach(() => void Reflect.deleteProperty(globalThis, 'LanguageModel'));

async function open(options: FakeOptions = {}, signal = neverAborts) {
  const fake = installPromptApi({ contextWindow: 9216, ...options });
  const engine = createBrowserModel();
  await engine.load(spec, { ...loading, signal });
  const ask = async (messages: PromptMessage[], changed = {}, stop = neverAborts) => {
    const request = { messages, sampling: { temperature: 0 }, maxTokens: 100, ...changed };
    const { items } = await collect(engine.generate(request, stop) as AsyncGenerator<TextDelta>);
    const finish = items.at(-1);
    if (finish?.type !== 'finish') throw new Error('It ended without a finish.');
    const text = items.map((item) => (item.type === 'text-delta' ? item.text : '')).join('');
    return { finish, text };
  };
  return { fake, engine, ask };
}

describe("loading the browser's model", () => {
  test('it fails if the browser has no model', async () => {
    await expect(createBrowserModel().load(spec, loading)).rejects.toMatchObject({ code: 'browser-too-old' });
  });

  test.for(['unavailable', 'downloadable', 'downloading'] as const)(
    'it fails while the model is "%s"',
    async (availability) => {
      installPromptApi({ availability });
      const failed = createBrowserModel().load(spec, loading);
      await expect(failed).rejects.toMatchObject({ code: 'model-not-downloaded' });
    },
  );

  test('it asks for English if the model knows it, otherwise for no language', async () => {
    expect((await open()).fake.creates[0]?.languages).toEqual(['en']);
    expect((await open({ languages: ['en', 'ja'] })).fake.creates[0]?.languages).toEqual(['en']);
    expect((await open({ languages: ['ja'] })).fake.creates[0]?.languages).toBeUndefined();
  });

  test.for([false, true])(
    'it reads the context size, also from a browser with the old property names: %s',
    async (hasOldNames) => {
      const { engine } = await open({ hasOldNames });
      expect(engine.contextTokens).toBe(9216);
      const messages: Message[] = [
        { role: 'user', content: [{ type: 'text', text: 'Hi' }], origins: [{ door: 'typed' }] },
      ];
      const { limitTokens } = await createChatModel(engine, spec, () => 'id').measure(messages, []);
      expect(limitTokens).toBe(9216 - spec.maxReplyTokens);
    },
  );

  test('closing the engine closes all its sessions', async () => {
    const life = new AbortController();
    const { fake, ask } = await open({}, life.signal);
    await ask([user('One')]);
    life.abort();
    expect(fake.creates.map(({ isDestroyed }) => isDestroyed)).toEqual([true, true]);
  });
});

describe("a chat with the browser's model", () => {
  test('invariant: the browser’s own model continues a chat in the session that already holds it', async () => {
    const { fake, ask } = await open();
    const first = await ask([system, user('One two')]);
    expect(first.text).toBe('One two');
    const chat = [system, user('One two'), { role: 'assistant' as const, content: first.text }];
    const second = await ask([...chat, user('Three')]);
    // Skip the first session, which only counts tokens.
    expect(fake.creates.slice(1).map(({ initialPrompts }) => initialPrompts)).toEqual([[system]]);
    expect(fake.prompts.map(({ input }) => input.map(({ content }) => content))).toEqual([
      ['One two'],
      ['Three'],
    ]);
    expect(first.finish.usage.prefilledTokens).toBe(first.finish.usage.promptTokens);
    expect(second.finish.usage.prefilledTokens).toBeLessThan(second.finish.usage.promptTokens / 2);
    expect(second.finish.usage.outputTokens).toBe(1);
  });

  test('it has its own session, while the session of another chat stays open', async () => {
    const { fake, ask } = await open();
    const one = [user('One'), { role: 'assistant' as const, content: 'One' }];
    await ask([user('One')]);
    await ask([user('Of an agent')]);
    await ask([...one, user('Two')]);
    expect(fake.prompts.map(({ session }) => session)).toEqual([1, 2, 1]);
    // Only two sessions are kept, so the third one replaces the oldest.
    await ask([user('Third')]);
    expect(fake.creates.map(({ isDestroyed }) => isDestroyed)).toEqual([false, false, true, false]);
  });

  test('it is read again if an earlier message was changed', async () => {
    const { fake, ask } = await open();
    await ask([user('One')]);
    await ask([user('Ones'), { role: 'assistant', content: 'One' }, user('Two')]);
    expect(fake.prompts.map(({ session }) => session)).toEqual([1, 2]);
    expect(fake.creates[2]?.initialPrompts.map(({ content }) => content)).toEqual(['Ones', 'One']);
  });

  test('it is read again without an error if its session was lost between two questions', async () => {
    const { fake, ask } = await open();
    await ask([user('One')]);
    fake.loseSessions();
    const { text, finish } = await ask([user('One'), { role: 'assistant', content: 'One' }, user('Two')]);
    expect([text, finish.finishReason]).toEqual(['Two', 'stop']);
  });

  test('it is read again when its session is full, before the browser drops messages', async () => {
    const { fake, ask } = await open({ contextWindow: 220 });
    const long = 'word '.repeat(60).trim();
    await ask([user(long)], { maxTokens: 90 });
    await ask([user(long), { role: 'assistant', content: long }, user('And?')], { maxTokens: 90 });
    expect(fake.prompts.map(({ session }) => session)).toEqual([1, 2]);
  });

  test('it gets a new session when the sampling changes', async () => {
    const { fake, ask } = await open();
    for (const temperature of [0, 0.3, 0.7, 1, 2]) await ask([user('Hi')], { sampling: { temperature } });
    expect(fake.creates.slice(1).map(({ samplingMode }) => samplingMode)).toEqual([
      'most-predictable',
      'predictable',
      'balanced',
      'creative',
      'most-creative',
    ]);
  });

  test('it sends tool results as user messages, and continues interrupted replies', async () => {
    const { fake, ask } = await open();
    await ask([
      system,
      user('Six'),
      { role: 'assistant', content: 'A call' },
      { role: 'tool', content: '42' },
    ]);
    expect(fake.prompts[0]?.input).toEqual([{ role: 'user', content: '42' }]);
    await ask([user('Say on'), { role: 'assistant', content: 'I am' }]);
    expect(fake.prompts[1]?.input).toEqual([
      { role: 'user', content: 'Say on' },
      { role: 'assistant', content: 'I am', prefix: true },
    ]);
    await ask([user('Say on'), { role: 'assistant', content: 'I am' + 'Say on' }, user('Two')]);
    expect(fake.prompts.map(({ session }) => session)).toEqual([1, 2, 2]);
  });

  test('stopping a reply closes its session', async () => {
    const { fake, ask } = await open();
    const stop = new AbortController();
    const reply = ask([user('one hang two')], {}, stop.signal);
    await expect.poll(() => fake.prompts.length).toBe(1);
    stop.abort();
    expect((await reply).finish.finishReason).toBe('aborted');
    expect(fake.creates[1]?.isDestroyed).toBe(true);
  });
});

describe("an error of the browser's model", () => {
  test.for([
    ['NotSupportedError', 'browser-model-language'],
    ['NotReadableError', 'browser-model-withheld'],
    ['NotAllowedError', 'browser-model-refused'],
    ['UnknownError', 'browser-model-failed'],
    ['OperationError', 'browser-model-failed'],
  ] as const)('it becomes an error code that suggests a next step: %s becomes %s', async ([error, code]) => {
    const { fake, ask } = await open();
    fake.say({ error, after: 'Half of', message: 'It is so.' });
    const { finish, text } = await ask([user('Hi')]);
    expect(text).toBe('Half of');
    expect(finish).toMatchObject({ finishReason: 'error', errorMessage: `[${code}] It is so.` });
    expect((await ask([user('Hi')])).finish.finishReason).toBe('stop');
  });

  test('it names the required and the available tokens if a question is too long', async () => {
    const { ask } = await open({ contextWindow: 50 });
    const { finish } = await ask([user('word '.repeat(100))]);
    expect(finish.errorMessage).toMatch(/^\[message-too-long\] .* 128 tokens, of 50\.$/);
  });

  test('it counts as a crash of the engine if the session is lost during a reply', async () => {
    const { fake, ask } = await open();
    fake.say({ error: 'InvalidStateError', after: 'Half of' });
    await expect(ask([user('Hi')])).rejects.toMatchObject({ code: 'engine-crashed' });
  });
});

describe("tools for the browser's model", () => {
  const calculator = {
    name: 'calculator',
    title: 'Calculator',
    description: 'Computes.',
    inputSchema: { type: 'object', properties: { expression: { type: 'string' } }, required: ['expression'] },
  };
  const clock = {
    name: 'clock',
    title: 'Clock',
    description: 'Tells the time.',
    inputSchema: { type: 'object' },
  };
  const question: Message = {
    role: 'user',
    content: [{ type: 'text', text: 'Six times seven?' }],
    origins: [{ door: 'typed' }],
  };

  async function openChat() {
    const { fake, engine } = await open();
    let ids = 0;
    const model = createChatModel(engine, spec, () => `id${ids++}`);
    const respond = async (changed: Partial<ReplyRequest> = {}): Promise<AssistantMessage> => {
      const request: ReplyRequest = {
        messages: [question],
        tools: [calculator],
        toolChoice: 'auto',
        ...changed,
      };
      const { items } = await collect(model.respond(request, neverAborts) as AsyncGenerator<ModelEvent>);
      const finish = items.at(-1);
      if (finish?.type !== 'finish') throw new Error('It ended without a finish.');
      return finish.message;
    };
    return { fake, respond };
  }

  test('they are described in the prompt, and their results are sent as text', async () => {
    const { fake, respond } = await openChat();
    fake.say(
      '<tool_call>{"name": "calculator", "arguments": {"expression": "6*7"}}</tool_call>',
      'It is 42.',
    );
    const message = await respond();
    const call = message.content.find((part) => part.type === 'tool-call');
    expect(call).toMatchObject({ name: 'calculator', arguments: { expression: '6*7' } });
    expect(fake.prompts[0]).not.toHaveProperty('responseConstraint', expect.anything());
    expect(fake.creates[1]?.initialPrompts[0]?.content).toContain('"calculator"');
    const result = {
      toolCallId: call!.id,
      toolName: 'calculator',
      isError: false,
      origins: [{ door: 'hearth' as const }],
    };
    const results: Message = {
      role: 'tool',
      results: [{ ...result, content: [{ type: 'text', text: '42' }] }],
    };
    await respond({ messages: [question, message, results] });
    // Both prompts used the same session, so nothing was read twice.
    expect(fake.prompts.map(({ session }) => session)).toEqual([1, 1]);
    expect(fake.prompts[1]?.input).toHaveLength(1);
    expect(fake.prompts[1]?.input[0]?.content).toContain('42');
  });

  test('a call of one required tool is constrained to that tool', async () => {
    const { fake, respond } = await openChat();
    const message = await respond({ toolChoice: { name: 'calculator' } });
    expect(fake.prompts[0]).toMatchObject({
      omitResponseConstraintInput: true,
      responseConstraint: {
        type: 'object',
        properties: { name: { const: 'calculator' }, arguments: calculator.inputSchema },
        required: ['name', 'arguments'],
      },
    });
    expect(message.content).toMatchObject([
      { type: 'tool-call', name: 'calculator', arguments: { expression: expect.any(String) as string } },
    ]);
    expect(message.finishReason).toBe('tool-calls');
  });

  test('a required call of any tool is constrained to the offered tools', async () => {
    const { fake, respond } = await openChat();
    await respond({ tools: [calculator, clock], toolChoice: 'required' });
    const { anyOf } = fake.prompts[0]!.responseConstraint as { anyOf: { properties: { name: unknown } }[] };
    expect(anyOf.map(({ properties }) => properties.name)).toEqual([
      { const: 'calculator' },
      { const: 'clock' },
    ]);
  });

  test('an answer with a schema is constrained to that schema', async () => {
    const { fake, respond } = await openChat();
    const answer = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
    const message = await respond({ answer, toolChoice: 'none' });
    expect(fake.prompts[0]?.responseConstraint).toEqual(answer);
    expect(message.content).toMatchObject([{ type: 'text', text: '{"title":"Six times seven?"}' }]);
  });
});
