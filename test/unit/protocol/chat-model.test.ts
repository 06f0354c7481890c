import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/contracts/app-error';
import type { Message } from '../../../src/contracts/message';
import type {
  GenerateRequest,
  ModelEvent,
  ModelSpec,
  TextDelta,
  TextEngine,
  ReplyRequest,
} from '../../../src/contracts/model';
import { createChatModel } from '../../../src/protocol/chat-model';
import { calculator } from '../../fixtures/protocol/tools';
import { collect } from '../../support/collect';

const usage = { promptTokens: 7, prefilledTokens: 2, outputTokens: 3 };
const finish: TextDelta = { type: 'finish', finishReason: 'stop', usage, prompt: 'as sent' };
const call = '<tool_call>{"name":"calculator","arguments":{"expression":"17*23"}}</tool_call>';

const role = { before: '', after: '' };
const spec: ModelSpec = {
  id: 'small',
  name: 'Small',
  engine: 'scripted',
  file: { path: 'small.gguf', bytes: 1 },
  format: 'ember',
  template: { system: role, user: role, assistant: role, tool: role, stop: [] },
  contextTokens: 60,
  maxReplyTokens: 20,
  sampling: { temperature: 0 },
  languages: ['en'],
  licence: 'Apache-2.0',
};

/** An engine that plays a script. Each character is one token, and the static text counts as none. */
function scripted(...script: (string | TextDelta | Error)[]) {
  const requests: GenerateRequest[] = [];
  const counted: string[] = [];
  const engine: TextEngine = {
    constraints: 'grammar',
    load: async () => undefined,
    async *generate(request, signal) {
      requests.push(request);
      for (const step of script) {
        if (signal.aborted) {
          yield { ...finish, finishReason: 'aborted' };
          return;
        }
        if (step instanceof Error) throw step;
        yield typeof step === 'string' ? { type: 'text-delta', text: step } : step;
      }
    },
    async count(messages) {
      counted.push(...messages.map(({ content }) => content));
      return messages.map(({ role, content }) => (role === 'system' ? 0 : content.length));
    },
  };
  return { engine, requests, counted };
}

/** The messages that the engine received, without the static text. */
const chatIn = (requests: GenerateRequest[]) => requests[0]?.messages.filter(({ role }) => role !== 'system');

const user = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origins: [{ door: 'typed' }],
});
const said = (raw: string): Message => ({ role: 'assistant', content: [], raw, finishReason: 'stop' });

const resultOf = (text: string) => ({
  toolCallId: 'a',
  toolName: 'fetch_page',
  content: [{ type: 'text' as const, text }],
  isError: false,
  origins: [{ door: 'hearth' as const }],
});

async function respond(
  script: Parameters<typeof scripted>,
  messages: Message[] = [user('What is 17*23?')],
  options: Partial<ModelSpec> &
    Partial<Pick<ReplyRequest, 'toolChoice' | 'dictated' | 'copied' | 'tools'>> = {},
) {
  const backend = scripted(...script);
  let ids = 0;
  const { toolChoice = 'auto', dictated, copied, tools = [calculator], ...changes } = options;
  const model = createChatModel(backend.engine, { ...spec, ...changes }, () => `id-${ids++}`);
  const events: ModelEvent[] = [];
  const request = { messages, tools, toolChoice, ...(dictated && { dictated }), copied };
  for await (const event of model.respond(request, new AbortController().signal)) events.push(event);
  const last = events.at(-1);
  if (last?.type !== 'finish') throw new Error('no finish');
  return { ...backend, model, events, finish: last, message: last.message };
}

describe('invariant: a model reads earlier messages in its own tool-call format', () => {
  const written = (writer?: string): Message => ({
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'One moment.' },
      { type: 'tool-call', id: 'a', name: 'calculator', arguments: { expression: '2+2' } },
    ],
    raw: '[calculator(expression="2+2")]',
    ...(writer !== undefined && { writer }),
    finishReason: 'tool-calls',
  });
  const again = 'One moment.\n<tool_call>{"name":"calculator","arguments":{"expression":"2+2"}}</tool_call>';

  test.for([
    {
      name: 'from this model is sent back unchanged',
      writer: 'small',
      told: '[calculator(expression="2+2")]',
    },
    {
      name: 'from an unknown model is sent back unchanged',
      writer: undefined,
      told: '[calculator(expression="2+2")]',
    },
    { name: 'from another model is rewritten in the dialect of this one', writer: 'large', told: again },
  ])('a message $name', async ({ writer, told }) => {
    const { requests, message } = await respond(
      ['Four.', finish],
      [user('2+2?'), written(writer), user('And?')],
      { contextTokens: 400 },
    );
    expect(chatIn(requests)?.[1]).toEqual({ role: 'assistant', content: told });
    expect(message.writer).toBe('small');
  });
});

describe('a reply', () => {
  test('it reports the context, then streams its text, then finishes once', async () => {
    const { events, message, finish: last } = await respond(['Hel', 'lo.', finish]);
    expect(events[0]).toEqual({
      type: 'context',
      context: { promptTokens: 14, limitTokens: 40, droppedMessages: 0 },
    });
    expect(events.filter(({ type }) => type === 'context' || type === 'finish')).toHaveLength(2);
    expect(message).toMatchObject({ content: [{ type: 'text', text: 'Hello.' }], raw: 'Hello.' });
    expect(message.finishReason).toBe('stop');
    expect(last).toMatchObject({ usage, prompt: 'as sent' });
  });

  test('it has the finish reason "tool-calls" if it contains a call', async () => {
    const { message } = await respond([call.slice(0, 20), call.slice(20), finish]);
    expect(message).toMatchObject({
      content: [{ type: 'tool-call', id: 'id-0', name: 'calculator', arguments: { expression: '17*23' } }],
      raw: call,
      finishReason: 'tool-calls',
    });
  });

  test('if it may only be words, a call in it ends it and is not shown', async () => {
    const script = ['It is ', call.slice(0, 20), call.slice(20), 'and more', finish] as const;
    const { message, events, requests } = await respond([...script], undefined, { toolChoice: 'none' });
    expect(message).toMatchObject({ content: [{ type: 'text', text: 'It is ' }], finishReason: 'stop' });
    expect(message.raw).toBeUndefined();
    expect(events.map(({ type }) => type)).not.toContain('tool-call');
    expect(requests[0]?.messages[0]?.content).toContain('calculator');
    expect(requests[0]?.constraint?.grammar).toContain('<');
  });

  test('the same call again ends it, unless the tool may mean it', async () => {
    const again = [call, `\n${call}`, `\n${call}`, finish] as const;
    expect((await respond([...again])).message.content).toHaveLength(3);
    const reads = { ...calculator, annotations: { readOnlyHint: true } };
    const { message } = await respond([...again], undefined, { tools: [reads] });
    expect(message).toMatchObject({ content: [{ type: 'tool-call' }], finishReason: 'tool-calls' });
    expect(message.content).toHaveLength(1);
    const dice = { ...calculator, annotations: { readOnlyHint: true, idempotentHint: false } };
    expect((await respond([...again], undefined, { tools: [dice] })).message.content).toHaveLength(3);
    // Many equal calls are no text that goes in circles.
    const many = Array.from({ length: 9 }, () => `\n${call}`);
    const thrown = await respond([...many, finish], undefined, { tools: [dice], contextTokens: 2_000 });
    expect(thrown.message).toMatchObject({ finishReason: 'tool-calls' });
    expect(thrown.message.content.filter(({ type }) => type === 'tool-call')).toHaveLength(9);
  });

  test('it may quote a text of the chat that repeats itself', async () => {
    const page = 'The lighthouse of Ar was built in 1887 and is 42 metres high. '.repeat(6);
    const read = [user('Read it.'), said(call), { role: 'tool' as const, results: [resultOf(page)] }];
    const pieces = page.match(/\S+\s*/g) ?? [];
    const quoted = await respond([...pieces, finish], read, { contextTokens: 5_000 });
    expect(quoted.message).toMatchObject({ content: [{ type: 'text', text: page }], finishReason: 'stop' });
    const made = await respond([...pieces, finish], [user('Read it.')], { contextTokens: 5_000 });
    expect(made.message.finishReason).toBe('loop');
  });

  test('an engine with a model below 700 MB avoids loops, except where the user asks for repetition or the chat has a text that repeats itself', async () => {
    const avoids = async (text: string) =>
      (await respond(['Yes.', finish], [user(text)], { contextTokens: 500 })).requests[0]?.avoidsLoops;
    expect(await avoids('Tell me about the sea.')).toBe(true);
    expect(await avoids('Write "I must not talk in class." fifty times.')).toBe(false);
    expect(await avoids(`Read this aloud. ${'The old bell rings at the harbour. '.repeat(2).trim()}`)).toBe(
      false,
    );
    expect((await respond(['Yes.', finish], undefined, { isSmall: true })).requests[0]?.avoidsLoops).toBe(
      false,
    );
    const large = { contextTokens: 500, file: { path: '', bytes: 1_100_000_000 } };
    expect((await respond(['Yes.', finish], undefined, large)).requests[0]?.avoidsLoops).toBe(false);
    expect(await avoids('念出来：老钟在港口敲响了。老钟在港口敲响了。')).toBe(false);
  });

  const translate = '{"name": "translate", "arguments": {"text": "good morning", "language": "French"}}';

  test.for<[string, string]>([
    ['a call of a tool that does not exist', translate],
    ['such a call in a code block', `\`\`\`json\n${translate}\n\`\`\``],
    ['such a call in a list', `[${translate}]`],
    [
      'a call with arguments that the tool does not have',
      '{"name": "calculator", "arguments": {"operation": "multiply"}}',
    ],
  ])('it is an invalid call if it is nothing but %s', async ([, written]) => {
    const question = [user("Translate 'good morning' into French.")];
    for (const pieces of [[written], Array.from(written)]) {
      const { message, events } = await respond([...pieces, finish], question);
      expect(message.content).toMatchObject([{ type: 'invalid-tool-call', name: expect.anything() }]);
      expect(events.map(({ type }) => type)).not.toContain('text-delta');
    }
  });

  test.for<[string, string, string]>([
    ['words before it', `Here you are:\n${translate}`, 'Translate it.'],
    ['other fields', '{"name": "Ann", "age": 36}', 'Who is it?'],
    ['only a name', '{"name": "Ann"}', 'Who is it?'],
    ['a request for JSON', translate, 'As JSON.'],
  ])('it is shown as it is written with %s', async ([, written, asked]) => {
    const { message } = await respond([written, finish], [user(asked)]);
    expect(message.content).toEqual([{ type: 'text', text: written }]);
  });

  test('it ends when the model starts to write the tool result itself', async () => {
    const { message } = await respond([call, '\n<tool_response>', '391', '</tool_response>So 391.', finish]);
    expect(message).toMatchObject({ content: [{ type: 'tool-call' }], finishReason: 'tool-calls' });
    expect(message.raw).toBe(`${call}\n<tool_response>`);
  });

  test('it is constrained by a grammar and may use all the context if a call is required', async () => {
    const { requests } = await respond([call, finish], undefined, { toolChoice: { name: 'calculator' } });
    expect(requests[0]?.constraint?.grammar).toContain('calculator');
    expect(requests[0]?.maxTokens).toBe(60 - 14);
  });

  test('it keeps the text written so far if the engine throws', async () => {
    const { message } = await respond(['Half a ', new Error('device lost')]);
    expect(message).toMatchObject({
      content: [{ type: 'text', text: 'Half a ' }],
      finishReason: 'error',
      errorMessage: 'device lost',
    });
  });

  test('if the engine is lost, the text so far is delivered before an error that lets the caller retry', async () => {
    const backend = scripted('Half a <tool', new AppError('gpu-lost', 'device lost'));
    const model = createChatModel(backend.engine, spec, () => 'id');
    const events: ModelEvent[] = [];
    const request = { messages: [user('Hi')], tools: [calculator], toolChoice: 'auto' as const };
    const asking = async () => {
      for await (const event of model.respond(request, new AbortController().signal)) events.push(event);
    };
    await expect(asking()).rejects.toMatchObject({ code: 'gpu-lost' });
    expect(events.map((event) => ('text' in event ? event.text : '')).join('')).toBe('Half a <tool');
    expect(events.filter(({ type }) => type === 'finish')).toEqual([]);
  });

  test('it fails if the engine ends without a finish event', async () => {
    expect((await respond(['Half'])).message).toMatchObject({ finishReason: 'error', raw: 'Half' });
  });

  test('it includes text that was still held back when the engine failed', async () => {
    expect((await respond(['a <tool_', new Error('x')])).message.content).toEqual([
      { type: 'text', text: 'a <tool_' },
    ]);
  });

  test('whole old turns are dropped if the chat is longer than the context', async () => {
    const messages = [user('a'.repeat(25)), said('b'.repeat(10)), user('c'.repeat(10))];
    const { events, requests } = await respond(['ok', finish], messages);
    expect(events[0]).toMatchObject({ context: { promptTokens: 10, droppedMessages: 2 } });
    expect(chatIn(requests)).toEqual([{ role: 'user', content: 'c'.repeat(10) }]);
  });

  test('it fails without asking the engine if a message is too long for the model', async () => {
    const { events, message, requests } = await respond(['no', finish], [user('a'.repeat(41))]);
    expect(events[0]).toMatchObject({ context: { promptTokens: 41, limitTokens: 40 } });
    expect(message.errorMessage).toMatch(/^\[message-too-long\] .*41 of 40 tokens/);
    expect(requests).toEqual([]);
  });

  test('a partial reply at the end of the chat is continued by the engine', async () => {
    const messages = [user('Tell me'), said('Once '), said('upon ')];
    const { requests, message } = await respond(['a time', finish], messages);
    expect(chatIn(requests)).toEqual([
      { role: 'user', content: 'Tell me' },
      { role: 'assistant', content: 'Once upon ' },
    ]);
    expect(message.raw).toBe('a time');
  });

  test('it is constrained to prose and valid calls if the model is very small', async () => {
    const { requests, finish: end } = await respond([call, finish], undefined, { isSmall: true });
    expect(requests[0]?.constraint?.grammar).toMatch(/^root ::= \(.*\) \| call/);
    expect(end.usage.heldTo).toBe('offered');
    const free = await respond([call, finish]);
    expect(free.requests[0]?.constraint).toBeUndefined();
    expect(free.finish.usage).not.toHaveProperty('heldTo');
    const forced = await respond([call, finish], undefined, { isSmall: true, toolChoice: 'required' });
    expect(forced.finish.usage.heldTo).toBe('call');
  });

  test('it may use the whole context if the app prescribes its exact text', async () => {
    const held = { isSmall: true, dictated: { text: 'One.' } } as const;
    const { requests, finish: end } = await respond(['One.', finish], [user('a')], held);
    expect(requests[0]?.maxTokens).toBe(spec.contextTokens - 1);
    expect(end.usage.heldTo).toBe('dictated');
  });

  test('it may repeat sentences if the app prescribes its exact text', async () => {
    const text = 'And so we go on. '.repeat(30);
    const dictated = await respond([text, finish], [user('a')], { isSmall: true, dictated: { text } });
    expect(dictated.message).toMatchObject({ content: [{ type: 'text', text }], finishReason: 'stop' });
    const free = await respond([text, finish], [user('a')], { isSmall: true });
    expect(free.message.finishReason).toBe('loop');
  });

  test('the app fixes the arguments of a required call for a very small model, but not for a larger one', async () => {
    const copied = { calculator: { expression: '17*23' } };
    const forced = { isSmall: true, toolChoice: { name: 'calculator' }, copied };
    const { requests, finish: end } = await respond(['Hm.', finish], undefined, forced);
    expect(requests[0]?.constraint?.grammar).toContain(String.raw`\"expression\":\"17*23\"`);
    expect(end.usage.heldTo).toBe('call');
    const large = await respond(['Hm.', finish], undefined, { ...forced, isSmall: false });
    expect(large.requests[0]?.constraint?.grammar).not.toContain('17*23');
  });

  test('it is unconstrained if the engine supports no constraints, even if a call is required', async () => {
    const backend = scripted('Hm.', finish);
    const engine: TextEngine = { ...backend.engine };
    Reflect.deleteProperty(engine, 'constraints');
    const model = createChatModel(engine, { ...spec, isSmall: true }, () => 'id');
    const request = { messages: [user('2+2?')], tools: [calculator], toolChoice: 'required' as const };
    const { items } = await collect(
      model.respond(request, new AbortController().signal) as AsyncGenerator<ModelEvent>,
    );
    expect(backend.requests).toMatchObject([{ maxTokens: spec.maxReplyTokens, constraint: undefined }]);
    expect(items.at(-1)).not.toHaveProperty('usage.heldTo');
  });

  test('it is constrained to prose if a very small model must not make a call', async () => {
    const none = { isSmall: true, toolChoice: 'none' } as const;
    const { requests, finish: end } = await respond(['Sorry.', finish], undefined, none);
    expect(requests[0]?.constraint).toMatchObject({
      grammar: String.raw`root ::= [^<\u2E80-\u9FFF\uF900-\uFAFF] [^<\u2E80-\u9FFF\uF900-\uFAFF]*`,
    });
    expect(end.usage.heldTo).toBe('prose');
  });

  test('the tokens of each message are counted only once', async () => {
    const { model, counted } = await respond(['ok', finish]);
    const before = counted.length;
    await model.measure([user('What is 17*23?')], [calculator]);
    expect(counted).toHaveLength(before);
  });
});
