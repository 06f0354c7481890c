/** The engine, egress and tool protocol together, against a server with the real API format. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { StreamingEgress } from '../../../../src/contracts/egress';
import type { Message } from '../../../../src/contracts/message';
import type { ModelEvent, ModelSpec, ReplyRequest } from '../../../../src/contracts/model';
import { createEndpoint } from '../../../../src/engines/endpoint/engine';
import { ownModelSpecOf } from '../../../../src/engines/library/find-model';
import { createChatModel } from '../../../../src/protocol/chat-model';
import { collect } from '../../../support/collect';
import { type CompletionsServer, openCompletionsServer } from '../../../support/completions-server';
import { openDoor } from '../../../support/endpoint-server';

let server: CompletionsServer;
let egress: StreamingEgress;
beforeAll(async () => {
  // Node 20 has no `navigator`.
  vi.stubGlobal('navigator', { onLine: true });
  server = await openCompletionsServer();
  egress = openDoor(server.origin);
});
afterEach(() => server.forget());
afterAll(async () => {
  vi.unstubAllGlobals();
  await server.close();
});

const neverAborts = new AbortController().signal;
const question: Message = {
  role: 'user',
  content: [{ type: 'text', text: 'Six times seven?' }],
  origins: [{ door: 'typed' }],
};
const calculator = {
  name: 'calculator',
  title: 'Calculator',
  description: 'Computes.',
  inputSchema: { type: 'object', properties: { expression: { type: 'string' } } },
};

const specOf = (isNative: boolean): ModelSpec =>
  ownModelSpecOf(
    {
      id: 'mine',
      engine: 'endpoint',
      modelUrl: server.url,
      overrides: {},
      endpoint: { model: 'test-model', isNative },
    },
    [],
  );

async function open(isNative = true) {
  const spec = specOf(isNative);
  const engine = createEndpoint({ egress, keyOf: () => undefined });
  await engine.load(spec, { signal: neverAborts, onProgress: () => undefined });
  let ids = 0;
  const model = createChatModel(engine, spec, () => `id${ids++}`);
  return async (request: Partial<ReplyRequest> = {}, signal = neverAborts) => {
    const whole: ReplyRequest = { messages: [question], tools: [calculator], toolChoice: 'auto', ...request };
    const { items } = await collect(model.respond(whole, signal) as AsyncGenerator<ModelEvent>);
    const finish = items.at(-1);
    if (finish?.type !== 'finish') throw new Error('It ended without a finish.');
    return finish;
  };
}

const sum = { name: 'calculator', arguments: '{"expression": "6*7"}' };

test("the thoughts, the text and the token usage of a server's reply arrive separately", async () => {
  const ask = await open();
  server.say({ thought: 'A sum.', text: 'It is 42.' });
  const { message, usage } = await ask();
  expect(message.content.map(({ type }) => type)).toEqual(['reasoning', 'text']);
  expect(message.content.at(-1)).toEqual({ type: 'text', text: 'It is 42.' });
  expect(message.finishReason).toBe('stop');
  expect(usage.outputTokens).toBe(3);
  expect(usage.promptTokens).toBeGreaterThan(3);
});

test.for([true, false])(
  'calls and results are sent as structured data instead of text: %s',
  async (isNative) => {
    const ask = await open(isNative);
    const text = `<tool_call>{"name": "calculator", "arguments": ${sum.arguments}}</tool_call>`;
    server.say(isNative ? { thought: 'A sum.', text: 'Wait.', calls: [sum] } : { text }, {
      text: 'It is 42.',
    });
    const { message } = await ask();
    const call = message.content.find((part) => part.type === 'tool-call');
    expect(call).toMatchObject({ name: 'calculator', arguments: { expression: '6*7' } });
    expect(message.finishReason).toBe('tool-calls');
    const result = {
      toolCallId: call!.id,
      toolName: 'calculator',
      isError: false,
      origins: [{ door: 'hearth' as const }],
    };
    const content = [{ type: 'text' as const, text: '42' }];
    const results: Message = { role: 'tool', nonce: 'n0nce', results: [{ ...result, content }] };
    await ask({ messages: [question, message, results] });
    const { body } = server.requests[1]!;
    const [instructions] = body.messages;
    expect(instructions?.content?.includes('"calculator"')).toBe(!isNative);
    expect(body.tools?.map((tool) => tool.function.name)).toEqual(isNative ? ['calculator'] : undefined);
    expect(body.messages.map(({ role }) => role)).toEqual(
      isNative ? ['system', 'user', 'assistant', 'tool'] : ['system', 'user', 'assistant', 'user'],
    );
    expect(JSON.stringify(body.messages)).not.toContain('A sum.');
    expect(body.messages.at(-1)?.content).toContain('<tool_response tool="calculator" id="n0nce">\n42');
  },
);

test('a call that must be made is marked as required in the request', async () => {
  const ask = await open();
  await ask({ toolChoice: { name: 'calculator' } });
  expect(server.requests[0]?.body).toMatchObject({ tool_choice: 'required' });
});

test('a chat that began with calls as text can continue with calls as structured data', async () => {
  const text = `<tool_call>{"name": "calculator", "arguments": ${sum.arguments}}</tool_call>`;
  server.say({ text });
  const { message } = await (await open(false))();
  const [call] = message.content;
  if (call?.type !== 'tool-call') throw new Error('It made no call.');
  const results: Message = {
    role: 'tool',
    results: [
      {
        toolCallId: call.id,
        toolName: 'calculator',
        isError: false,
        content: [],
        origins: [{ door: 'hearth' as const }],
      },
    ],
  };
  await (
    await open(true)
  )({ messages: [question, message, results] });
  expect(server.requests[1]?.body.messages[2]?.tool_calls).toMatchObject([
    { function: { name: 'calculator' } },
  ]);
});

describe('a request field that the server rejects', () => {
  const refuse = (field: string) => {
    server.decide = (body) =>
      field in body
        ? {
            status: 400,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ error: { message: `Unsupported parameter: '${field}'.` } }),
          }
        : { text: 'It is 42.' };
  };
  test.for(['max_tokens', 'temperature', 'top_p', 'stream_options', 'tool_choice'])(
    'it is left out of later requests: %s',
    async (field) => {
      refuse(field);
      const ask = await open();
      expect((await ask()).message.finishReason).toBe('stop');
      expect((await ask()).message.finishReason).toBe('stop');
      // The engine remembers the rejected field.
      expect(server.requests.map(({ body }) => field in body)).toEqual([true, false, false]);
      if (field === 'max_tokens') expect(server.requests[1]?.body.max_completion_tokens).toBe(1024);
    },
  );

  test('it is reported as an error if the request needs it', async () => {
    refuse('messages');
    const { message } = await (await open())();
    expect(message).toMatchObject({ finishReason: 'error' });
    expect(message.errorMessage).toMatch(/^\[endpoint-refused\] HTTP 400: Unsupported parameter: 'messages'/);
  });
});

test('Stop before the start of a reply sends no request', async () => {
  const { message } = await (await open())({}, AbortSignal.abort());
  expect(message.finishReason).toBe('aborted');
  expect(server.requests).toEqual([]);
});

test('a model server that cannot be reached is reported', async () => {
  const gone = await openCompletionsServer();
  await gone.close();
  const engine = createEndpoint({ egress: openDoor(gone.origin), keyOf: () => undefined });
  await engine.load(
    { ...specOf(true), file: { path: gone.url, bytes: 0 } },
    { signal: neverAborts, onProgress: () => undefined },
  );
  const request = {
    messages: [{ role: 'user' as const, content: 'Hi' }],
    sampling: { temperature: 0 },
    maxTokens: 4,
  };
  const { items } = await collect(engine.generate(request, neverAborts) as AsyncGenerator<{ type: string }>);
  expect(items).toMatchObject(
    [{ type: 'finish', finishReason: 'error', errorMessage: /^\[endpoint-unreachable\]/ }].map((one) => ({
      ...one,
      errorMessage: expect.stringMatching(one.errorMessage) as string,
    })),
  );
});
